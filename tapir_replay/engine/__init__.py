"""Plays scenarios against an app and tells what happened as a stream of events."""
