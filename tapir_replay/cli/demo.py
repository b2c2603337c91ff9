"""Keep the demo app running, to connect to it from elsewhere. Ctrl-C ends it."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay demo --port 8181
  tapir-replay scenarios/login.yaml --uri http://127.0.0.1:8181/...=/
  tapir-replay record -o mine.yaml --uri http://127.0.0.1:8181/...=/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="the port (a free one)")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="speak the public Tapir verbs only, as an app without our plugin",
    )


def main(options: argparse.Namespace) -> int:
    import asyncio  # noqa: PLC0415

    from tapir_replay.cli.files import say  # noqa: PLC0415

    async def serve() -> None:
        from tapir_replay.demo.server import DemoServer  # noqa: PLC0415

        async with DemoServer(plain=options.plain, port=options.port) as server:
            print(f"The Dart VM service is listening on {server.http_uri}", flush=True)
            print(f"Use it in a browser: {server.page_uri}", flush=True)
            print("The demo app is at /login. Ctrl-C ends it.", flush=True)
            await server.wait_closed()

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        say(f"tapir-replay demo: {error}")
        return 4
    return 0
