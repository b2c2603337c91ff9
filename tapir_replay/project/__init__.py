"""The project file `tapir-replay.yaml`, and which scenarios a run plays in which order."""
