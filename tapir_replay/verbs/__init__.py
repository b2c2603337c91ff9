"""The catalogue: every verb described once, as data; schema, checks and reference come from it."""
