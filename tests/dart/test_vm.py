"""Where the VM comes from, and how a program on it is started and ended."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support import dart_vm
from tests.support.dart_vm import (
    ROOT,
    DartFailedError,
    DartUnavailableError,
    DartVm,
    compile_program,
    find_dart,
)
from tests.support.rpc import connect

if TYPE_CHECKING:
    from pathlib import Path

PROBE = ROOT / "fixtures" / "vm_probe" / "probe.dart"


def test_the_variable_names_the_vm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dart = tmp_path / "dart"
    dart.touch()
    monkeypatch.setenv("TAPIR_REPLAY_DART", str(dart))
    assert find_dart() == dart


def test_a_variable_that_names_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPIR_REPLAY_DART", "/nowhere/dart")
    with pytest.raises(DartUnavailableError, match="TAPIR_REPLAY_DART names '/nowhere/dart'"):
        find_dart()


def test_without_any_source_the_message_helps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TAPIR_REPLAY_DART", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dart_vm, "CACHE", tmp_path)
    with pytest.raises(DartUnavailableError, match="Any of these will do"):
        find_dart()


def test_compiling_twice_is_compiling_once(tmp_path: Path) -> None:
    program = tmp_path / "hello.dart"
    program.write_text("void main() => print('hello');\n", encoding="utf-8")
    first = compile_program(program)
    assert compile_program(program) == first
    program.write_text("void main() => print('bye');\n", encoding="utf-8")
    second = compile_program(program)
    assert second != first
    for dill in (first, second):
        dill.unlink()


def test_a_program_that_does_not_compile_is_quoted(tmp_path: Path) -> None:
    program = tmp_path / "broken.dart"
    program.write_text("void main() => nothing;\n", encoding="utf-8")
    with pytest.raises(DartFailedError, match="nothing"):
        compile_program(program)


def test_a_vm_is_there_and_gone() -> None:
    async def use() -> DartVm:
        async with DartVm(PROBE) as vm:
            assert vm.uri.startswith("http://127.0.0.1:")
            async with connect(vm.ws_uri) as rpc:
                answer = await rpc.call("ext.probe.echo", a="b")
                assert answer["params"]["a"] == "b"
                await rpc.call("ext.probe.print", text="a line\n")
                await vm.wait_for_line("a line", timeout=5)
        return vm

    vm = asyncio.run(use())
    assert vm.process.returncode is not None


def test_a_supervised_probe_restarts_its_isolate() -> None:
    async def use(order: str) -> None:
        async with DartVm(PROBE, "--supervised") as vm, connect(vm.ws_uri) as rpc:
            before = rpc.isolate
            boot = (await rpc.call("boot_id"))["bootId"]
            supervisor = await rpc.find_isolate("ext.probe.restart")
            await rpc.request("ext.probe.restart", isolateId=supervisor, order=order)
            assert await rpc.find_isolate() != before
            assert (await rpc.call("boot_id"))["bootId"] != boot

    for order in ("newFirst", "oldFirst"):
        asyncio.run(use(order))


def test_a_program_that_ends_at_once_is_said(tmp_path: Path) -> None:
    program = tmp_path / "gone.dart"
    program.write_text("void main() => print('good bye');\n", encoding="utf-8")

    async def use() -> None:
        async with DartVm(program, from_source=True) as vm:
            await vm.wait_for_line("never", timeout=10)

    with pytest.raises(DartFailedError, match="good bye"):
        asyncio.run(use())
