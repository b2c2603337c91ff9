"""A small app that behaves as a Flutter app does and speaks the Tapir verbs, without Flutter."""

from tapir_replay.demo.server import DemoServer

__all__ = ["DemoServer"]
