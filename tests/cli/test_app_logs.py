"""What launched apps print is kept, without secrets."""

from __future__ import annotations

from pathlib import Path

from tapir_replay.cli.app_logs import AppLogs
from tapir_replay.engine.redact import Redactor


def test_a_file_an_app(tmp_path: Path) -> None:
    """Lines are there as soon as they come; no line, no folder."""
    with AppLogs(tmp_path / "none", Redactor()):
        pass
    with AppLogs(tmp_path / "logs", Redactor(["s3cret"])) as logs:
        logs.keep("My Phone", "one\r\n")
        logs.keep("My Phone", "token s3cret \ud800")
        logs.keep("web", "two")
        first = tmp_path / "logs" / "my-phone.log"
        assert first.read_text(encoding="utf-8") == "one\ntoken *** \\ud800\n"
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["logs", "my-phone.log", "web.log"]


def test_a_full_disk_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way", encoding="utf-8")
    with AppLogs(tmp_path / "logs", Redactor()) as logs:
        logs.keep("app", "one")
        logs.keep("app", "two")


def test_addresses_lose_their_code(tmp_path: Path) -> None:
    """Whoever reads the log must not be able to drive the app; the rest of the line stays."""
    lines = {
        "A Dart VM Service is available at: http://127.0.0.1:8181/8fIA7bGAav0=/": (
            "A Dart VM Service is available at: http://127.0.0.1:8181/***/"
        ),
        'wsUri "ws://127.0.0.1:8181/abc-DEF_1=/ws"': 'wsUri "ws://127.0.0.1:8181/***/ws"',
        "http://127.0.0.1:9101?uri=http://127.0.0.1:1/8fIA7bGAav0%3D/": (
            "http://127.0.0.1:9101?uri=http://127.0.0.1:1/***/"
        ),
        "see https://example.com/documents/a": "see https://example.com/documents/a",
    }
    with AppLogs(tmp_path, Redactor()) as logs:
        for line in lines:
            logs.keep("app", line)
    assert (tmp_path / "app.log").read_text(encoding="utf-8").splitlines() == list(lines.values())
