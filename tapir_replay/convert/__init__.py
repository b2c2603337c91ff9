"""Flows and scenarios of other tools, turned into ours; what cannot be carried over is told."""
