"""What needs a real Dart VM: the runner's own cost a step, and its memory over a long run."""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from tapir_replay.app.interface import App
from tapir_replay.app.vm_app import VmApp
from tapir_replay.engine.artifacts import ArtifactStore
from tapir_replay.engine.clock import RealClock
from tapir_replay.engine.events import Event
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.run import Entry, RunFacts, run
from tapir_replay.engine.runlog import RunLog
from tapir_replay.engine.scope import RunValues
from tapir_replay.engine.stage import Stage
from tapir_replay.report.console import Console
from tapir_replay.scenario.load import Loaded, load_bytes
from tests.bench.measure import Row, resident_mb, undisturbed
from tests.support.dart_app import PACKAGES, PROGRAM, start_dart_app
from tests.support.dart_vm import DartVm

STEPS = 1_000
ROUNDS = 9
LONG_RUN = 50_000
PER_SCENARIO = 50
WIDE = PROGRAM.with_name("wide.dart")
WARM_UP, CALLS, BATCH = 300, 300, 10


async def step_cost() -> Row:
    """A thousand taps through the runner against the two bare round trips of each."""
    async with start_dart_app(from_source=False) as uri:
        app = await VmApp.connect(uri)
        await app.call("navigate", {"route": "/gestures"})
        loaded = _taps(STEPS)
        async with connect(
            uri, compression=None, max_size=None, proxy=None, ping_interval=None
        ) as socket:
            await _bare(socket, app, STEPS)  # the VM compiles what is used often
            await _play([loaded], app)
            ours, bare = [], []
            for _ in range(ROUNDS):
                bare.append(await _bare(socket, app, STEPS) / STEPS)
                ours.append(await _play([loaded], app) / STEPS)
        await app.close()
    mine, theirs = undisturbed(ours), undisturbed(bare)
    return Row(
        f"a step (look up and tap), {STEPS} steps on the Dart VM",
        f"{mine * 1000:.3f} ms",
        f"two bare round trips {theirs * 1000:.3f} ms",
        mine / theirs,
        1.3,
    )


async def call_cost() -> list[Row]:
    """What the plugin's core costs a call, against extensions that do next to nothing."""
    # Compiled at once, as in a profile build; else it depends on how often a verb was called.
    flags = ("--optimization-counter-threshold=100",)
    async with DartVm(WIDE, packages=PACKAGES, vm_flags=flags) as vm:
        await vm.wait_for_line("ready")
        uri = vm.ws_uri
        app = await VmApp.connect(uri)
        row = {"isolateId": app.isolate, "ref": (await app.call("find", {"text": "Row 5"}))["ref"]}
        count = row | {"ref": (await app.call("find", {"text": "Count"}))["ref"]}
        look = {"isolateId": app.isolate, "text": "Row 400"}
        quiet = {"includeSnapshot": "false"}
        quietly = {
            "empty": ("ext.bench.empty", row | quiet),
            "find": ("ext.tapir.find", look),
            "tap": ("ext.tapir.tap", row | quiet),
        }
        changing = {
            "change": ("ext.bench.count", row | quiet),
            "tap that changes": ("ext.tapir.tap", count | quiet),
        }
        async with connect(
            uri, compression=None, max_size=None, proxy=None, ping_interval=None
        ) as socket:
            # Apart from each other: what changes the screen has the next call look at it anew.
            best = await _taking_turns(socket, quietly) | await _taking_turns(socket, changing)
        await app.close()
    return [
        Row(
            f"{name}, 500 nodes on the Dart VM",
            f"{best[name] * 1000:.3f} ms",
            f"an extension that {does} {best[baseline] * 1000:.3f} ms",
            best[name] / best[baseline],
            bar,
        )
        for name, baseline, does, bar in (
            ("find", "empty", "does nothing", 1.2),
            ("tap", "empty", "does nothing", 1.2),
            ("tap that changes", "change", "changes the same", None),
        )
    ]


async def _taking_turns(
    socket: ClientConnection, calls: dict[str, tuple[str, dict[str, str]]]
) -> dict[str, float]:
    """What each of the calls takes, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(WARM_UP + CALLS):
        for name, call in calls.items():
            started = time.perf_counter()
            for _ in range(BATCH):
                await _trip(socket, *call)
            if turn >= WARM_UP:
                times[name].append((time.perf_counter() - started) / BATCH)
    return {name: undisturbed(taken) for name, taken in times.items()}


async def memory() -> Row:
    """The runner's memory at a tenth of a long run and at its end."""
    marks: dict[int, float] = {}
    async with start_dart_app(from_source=False) as uri:
        app = await VmApp.connect(uri)
        await app.call("navigate", {"route": "/gestures"})
        loaded = _taps(PER_SCENARIO)
        finished = 0

        def watch(event: Event) -> None:
            nonlocal finished
            if event.name == "step_finished":
                finished += 1
                if finished in (LONG_RUN // 10, LONG_RUN):
                    marks[finished] = resident_mb()

        await _play([loaded] * (LONG_RUN // PER_SCENARIO), app, watch)
        await app.close()
    early, late = marks[LONG_RUN // 10], marks[LONG_RUN]
    return Row(
        f"memory after {LONG_RUN} steps",
        f"{late:.1f} MB",
        f"after {LONG_RUN // 10} steps {early:.1f} MB",
        late / early,
        1.1,
    )


def _taps(count: int) -> Loaded:
    text = "name: taps\nsteps:\n" + "  - tap: {target: Pad}\n" * count
    loaded = load_bytes(text.encode(), "bench.yaml", Path("bench.yaml"))
    assert loaded.ok, loaded.diagnostics
    return loaded


class _OneApp:
    def __init__(self, app: App) -> None:
        self._app = app

    async def app_for(self, name: str | None) -> App:
        return self._app

    async def prepare(self, name: str | None) -> tuple[str, ...]:
        return ()


async def _play(files: list[Loaded], app: App, watch: object = None) -> float:
    """Seconds to play with all that a run has: log on disk, console, redactor."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        console = Console(io.StringIO(), color=False, quiet=True)
        with RunLog(root / "run.jsonl") as log:

            def listen(event: Event) -> None:
                log.append(event)
                console.on_event(event)
                if callable(watch):
                    watch(event)

            redactor = Redactor()
            stage = Stage(
                listen=listen,
                clock=RealClock(),
                redactor=redactor,
                artifacts=ArtifactStore(root, redactor),
                run=RunValues("bench", folder),
                environ={},
                overrides={},
            )
            facts = RunFacts(tool="bench", app="dart", started="2026-01-01T00:00:00+00:00")
            started = time.perf_counter()
            entries = [Entry(loaded=each, scenario=each.scenario) for each in files]
            code = await run(entries, _OneApp(app), stage, facts)
            spent = time.perf_counter() - started
    assert code == 0
    return spent


async def _bare(socket: ClientConnection, app: VmApp, count: int) -> float:
    """Seconds for the same calls with nothing around them: text out, text in."""
    isolate = app.isolate
    look = {"isolateId": isolate, "text": "Pad"}
    answer = await _trip(socket, "ext.tapir_replay.query", look)
    ref = json.loads(answer)["result"]["nodes"][0]["ref"]
    tap = {"isolateId": isolate, "ref": ref, "includeSnapshot": "false"}
    started = time.perf_counter()
    for _ in range(count):
        await _trip(socket, "ext.tapir_replay.query", look)
        await _trip(socket, "ext.tapir.tap", tap)
    return time.perf_counter() - started


async def _trip(socket: ClientConnection, method: str, params: dict[str, str]) -> str:
    await socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    return str(await socket.recv())


def run_all() -> list[Row]:
    return [asyncio.run(step_cost()), *asyncio.run(call_cost()), asyncio.run(memory())]
