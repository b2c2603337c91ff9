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
