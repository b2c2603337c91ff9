"""tapir-replay: a record-and-replay YAML scenario runner for Flutter apps."""

__version__ = "0.1.0"
