"""A program that behaves as `flutter run` does, with the demo as its app: what a launch has to see.

python -m tests.support.flutter_like MODE [OPTION ...]

machine     messages, with ordinary lines in between; takes app.restart, app.stop, daemon.shutdown
console     the tool's own lines, as a terminal wraps them, after the app's own line
vm          the app's own line only
devtools    a DevTools link only
file        nothing but the file that --vmservice-out-file names
fail        a build that fails, in messages
broken      a build that fails, in lines; exit code 1
release     an app without a VM Service, in messages
silent      nothing
early       an address that answers only a little later
stubborn    as vm, and neither it nor its child heeds SIGTERM
leaves      as vm, from a child that outlives the program itself
dies        tells an address, and ends
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, TextIO

from tapir_replay.demo.server import DemoServer

APP = "app-1"


def say(text: str, to: TextIO = sys.stdout) -> None:
    to.write(f"{text}\n")
    to.flush()


def tell(event: str, **params: Any) -> None:
    say(json.dumps([{"event": event, "params": params}]))


async def machine(options: list[str]) -> None:
    server = DemoServer()
    await server.start()
    say("Resolving dependencies...")
    tell("daemon.connected", version="0.6.1", pid=os.getpid())
    tell("app.start", appId=APP, deviceId="linux", supportsRestart=True)
    tell("app.progress", appId=APP, message="Building Linux application...")
    say("The Dart Tooling Daemon is available at: ws://127.0.0.1:1/TOKEN=")
    say("[a line that only looks like a message")
    tell("app.debugPort", appId=APP, port=1, wsUri=server.uri, baseUri="file:///tmp/x/")
    tell("app.started", appId=APP)
    say("careful, this is on stderr", sys.stderr)
    incoming: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(incoming.put_nowait, line)
        loop.call_soon_threadsafe(incoming.put_nowait, "")

    threading.Thread(target=read, daemon=True).start()
    while line := await incoming.get():
        for request in json.loads(line):
            number, method = request["id"], request["method"]
            if method == "app.restart" and "--no-restart" in options:
                say(json.dumps([{"id": number, "result": {"code": 1, "message": "it broke"}}]))
            elif method == "app.restart":
                server = await _again(server)
                say(json.dumps([{"id": number, "result": {"code": 0, "message": ""}}]))
            elif method == "app.stop":
                tell("app.stop", appId=APP)
                say(json.dumps([{"id": number, "result": True}]))
            elif method == "daemon.shutdown":
                say("shut down in order")
                return


async def _again(server: DemoServer) -> DemoServer:
    """The same address, another app."""
    fresh = DemoServer(port=int(server.uri.split(":")[2].split("/")[0]))
    fresh._code = server._code
    await server.close()
    await fresh.start()
    return fresh


async def serve(lines: tuple[str, ...]) -> None:
    async with DemoServer() as server:
        for line in lines:
            say(line.format(http=server.http_uri, ws=server.uri))
        await asyncio.Event().wait()


CONSOLE = (
    "Launching lib/main.dart on Linux in debug mode...",
    "flutter: The Dart VM service is listening on http://127.0.0.1:1/none=/",
    "The Dart Tooling Daemon is available at: ws://127.0.0.1:1/TOKEN=",
    "A Dart VM Service on a machine with a name that is",
    "rather long is available at:",
    "{http}",
)
VM = ("The Dart VM service is listening on {http}",)
DEVTOOLS = (
    "The Flutter DevTools debugger and profiler on Linux is available at:"
    " http://127.0.0.1:9101?uri={http}",
)


async def to_file(options: list[str]) -> None:
    path = next(each.partition("=")[2] for each in options if "=" in each)
    async with DemoServer() as server:
        await asyncio.to_thread(Path(path).write_text, server.uri)
        await asyncio.Event().wait()


async def early() -> None:
    """A port is told, then bound."""
    first = DemoServer()
    await first.start()
    port = int(first.uri.split(":")[2].split("/")[0])
    await first.close()
    say(VM[0].format(http=first.http_uri))
    await asyncio.sleep(0.3)
    late = DemoServer(port=port)
    late._code = first._code
    async with late:
        await asyncio.Event().wait()


def fail() -> None:
    tell("daemon.connected", version="0.6.1", pid=os.getpid())
    tell("app.start", appId=APP)
    tell("daemon.logMessage", level="status", message="Compiling")
    tell("daemon.logMessage", level="error", message="lib/main.dart:3: Expected ';'")
    tell("app.stop", appId=APP, error="Gradle build failed to produce an .apk file")
    for line in sys.stdin:
        if "daemon.shutdown" in line:
            return


def child(options: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.flutter_like", *options], close_fds=False
    )


def main(mode: str, options: list[str]) -> int:
    match mode:
        case "machine":
            asyncio.run(machine(options))
        case "console":
            asyncio.run(serve(CONSOLE))
        case "vm":
            asyncio.run(serve(VM))
        case "devtools":
            asyncio.run(serve(DEVTOOLS))
        case "file":
            asyncio.run(to_file(options))
        case "early":
            asyncio.run(early())
        case "fail":
            fail()
        case "release":
            tell("app.start", appId=APP)
            tell("app.started", appId=APP)
            for line in sys.stdin:
                if "app.stop" in line:
                    break
        case "broken":
            say("Running Gradle task 'assembleDebug'...")
            say("Error: unable to find a pubspec.yaml", sys.stderr)
            return 1
        case "silent":
            signal.pause()
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if "--child" not in options:
                say(f"child {child(['stubborn', '--child']).pid}")
                asyncio.run(serve(VM))
            signal.pause()
        case "leaves":
            child(["vm"])
        case "dies":
            say(VM[0].format(http="http://127.0.0.1:1/none=/"))
            return 3
    return 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1], sys.argv[2:]))
