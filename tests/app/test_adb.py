"""Ports of a device, with an `adb` that is a script and forwards for real."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tapir_replay.app.errors import ForwardFailed
from tapir_replay.app.launch.adb import Forward

URI = "http://127.0.0.1:8181/abc=/"


@pytest.fixture
def adb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An adb on the PATH that knows one device; what it was asked is in `calls`."""
    path = tmp_path / "adb"
    path.write_text(f"""#!{sys.executable}
import sys
with open({str(tmp_path / "calls")!r}, "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[2] != "emulator-5554":
    sys.exit(f"adb: device '{{sys.argv[2]}}' not found")
if "--remove" not in sys.argv:
    print({{"tcp:8181": 40123, "tcp:9": "odd"}}[sys.argv[-1]])
""")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return path


def calls(adb: Path) -> list[str]:
    return (adb.parent / "calls").read_text().splitlines()


async def test_a_port_is_forwarded_and_taken_back(adb: Path) -> None:
    async with Forward("emulator-5554", URI) as forward:
        assert forward.uri == "ws://127.0.0.1:40123/abc=/ws"
        assert calls(adb) == ["-s emulator-5554 forward tcp:0 tcp:8181"]
    assert calls(adb)[1:] == ["-s emulator-5554 forward --remove tcp:40123"]


async def test_it_is_taken_back_after_an_error_too(adb: Path) -> None:
    with pytest.raises(ValueError, match="on purpose"):
        async with Forward("emulator-5554", URI):
            raise ValueError("on purpose")
    assert calls(adb)[-1] == "-s emulator-5554 forward --remove tcp:40123"


async def test_a_device_that_is_not_there(adb: Path) -> None:
    with pytest.raises(ForwardFailed, match="cannot forward a port of pixel: device 'pixel' not"):
        async with Forward("pixel", URI):
            pass
    assert len(calls(adb)) == 1


async def test_an_answer_that_is_no_port(adb: Path) -> None:
    with pytest.raises(ForwardFailed, match="and said 'odd'"):
        async with Forward("emulator-5554", "http://127.0.0.1:9/abc=/"):
            pass


async def test_an_address_without_a_port(adb: Path) -> None:
    with pytest.raises(ForwardFailed, match="has no port"):
        async with Forward("emulator-5554", "http://localhost/abc=/"):
            pass


async def test_there_is_no_adb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ForwardFailed, match="there is no `adb`") as caught:
        async with Forward("emulator-5554", URI):
            pass
    assert "platform-tools" in caught.value.hint
    broken = tmp_path / "broken"
    broken.write_text("no program")
    broken.chmod(0o755)
    with pytest.raises(ForwardFailed, match="cannot be started"):
        async with Forward("emulator-5554", URI, adb=str(broken)):
            pass
