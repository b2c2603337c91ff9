"""What an app tells of a person's actions, made into a scenario that replays.

`wire` reads the events, `timeline` keeps what counts of them, `targets` chooses how a widget is
named, `assertions` what is checked after an action, `steps` puts both into the language, `document`
makes the file. All of these are pure; `session` follows an app.
"""
