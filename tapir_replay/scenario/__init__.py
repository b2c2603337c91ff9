"""YAML text to a checked, immutable model. Knows no network and no app."""
