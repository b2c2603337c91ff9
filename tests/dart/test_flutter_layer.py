"""The plugin's Flutter layer, where there is no Flutter SDK.

What it does is tested by `flutter test` (`dart_plugin/test/flutter`), which needs one. Here the
compiler of the Dart VM reads every file of the layer, of the example and of the widget tests while
Flutter is missing. It may then miss what Flutter defines, and nothing else: a mistake in the syntax
is another kind of error.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.support.dart_vm import ROOT, find_dart

if TYPE_CHECKING:
    from collections.abc import Sequence

PLUGIN = ROOT / "dart_plugin"
LIB = PLUGIN / "lib"
EXAMPLE = PLUGIN / "example"
LAYER = sorted((LIB / "src" / "flutter").rglob("*.dart"))
CORE = [LIB / "core.dart", *sorted((LIB / "src" / "core").rglob("*.dart"))]
SCREENS = sorted((EXAMPLE / "lib").rglob("*.dart"))
WIDGET_TESTS = sorted((PLUGIN / "test" / "flutter").rglob("*.dart"))
FLUTTER_FILES = [LIB / "tapir_replay.dart", *LAYER, *SCREENS, *WIDGET_TESTS]

REFERENCE = re.compile(
    r"^(?:import|export)\s+'([^']+)'(?:\s+if\s+\([\w.]+\)\s+'([^']+)')?", re.MULTILINE
)
ERROR = re.compile(r"^\S+:\d+:\d+: Error: (.*)$", re.MULTILINE)
MISSING = re.compile(
    r"""
    Not\ found:\ '(?:dart:ui|package:flutter(?:_test)?/[\w/]+\.dart|package:test/test\.dart)'
    | Dart\ library\ 'dart:ui'\ is\ not\ available\ on\ this\ platform\.
    | Type\ '\w+'\ not\ found\.
    | '\w+'\ isn't\ a\ type\.
    | Undefined\ name\ '\w+'\.
    | Method\ not\ found:\ '[\w.]+'\.
    | Couldn't\ find\ constructor\ '[\w.]+'\.
    | The\ (?:getter|setter|method|operator)\ '\S+'\ isn't\ defined\ (?:for|in)\ .*
    | Superclass\ has\ no\ (?:getter|setter|method)\ named\ '\w+'\.
    | This\ can't\ be\ used\ as\ an\ annotation;.*
    | Not\ a\ constant\ expression\.
    | No\ named\ parameter\ with\ the\ name\ '\w+'\.
    | Too\ (?:many|few)\ positional\ arguments:.*
    | Setter\ not\ found:\ '\w+'\.
    | The\ super\ constructor\ has\ no\ corresponding\ named\ parameter\.
    | The\ type\ '.*'\ can't\ be\ mixed\ in\.
    | The\ type\ '.*'\ is\ not\ exhaustively\ matched.*
    | Method\ invocation\ is\ not\ a\ constant\ expression\.
    | A\ non-null\ value\ must\ be\ returned\ since\ the\ return\ type\ .*
    """,
    re.VERBOSE,
)


def references(file: Path) -> list[str]:
    """What a file imports and exports."""
    text = file.read_text(encoding="utf-8")
    return [uri for found in REFERENCE.findall(text) for uri in found if uri]


def name(file: Path) -> str:
    return str(file.relative_to(PLUGIN))


def compile_without_flutter(files: Sequence[Path], folder: Path) -> list[str]:
    """What the compiler says about files that need Flutter, each message once."""
    packages = folder / "package_config.json"
    plugin = {"name": "tapir_replay", "rootUri": f"{PLUGIN.as_uri()}/", "packageUri": "lib/"}
    packages.write_text(
        json.dumps({"configVersion": 2, "packages": [{**plugin, "languageVersion": "3.7"}]}),
        encoding="utf-8",
    )
    entry = folder / "all.dart"
    imports = "".join(f"import '{file.as_uri()}' as f{i};\n" for i, file in enumerate(files))
    entry.write_text(f"{imports}void main() {{}}\n", encoding="utf-8")
    done = subprocess.run(
        [
            find_dart(),
            "--disable-dart-dev",
            f"--packages={packages}",
            "--snapshot-kind=kernel",
            f"--snapshot={folder / 'all.dill'}",
            entry,
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return sorted(set(ERROR.findall(done.stdout + done.stderr)))


def test_there_are_files() -> None:
    for files in (LAYER, SCREENS, WIDGET_TESTS):
        assert len(files) > 5


def test_nothing_but_flutter_is_missing(tmp_path: Path) -> None:
    messages = compile_without_flutter(FLUTTER_FILES, tmp_path)
    assert any("package:flutter/" in each for each in messages)
    assert [each for each in messages if not MISSING.fullmatch(each)] == []


@pytest.mark.parametrize(
    ("sound", "broken"),
    [
        ("const FlutterRaster();", "const FlutterRaster()"),
        ("image.dispose();\n    }", "image.dispose();"),
        ("if (views.isEmpty) throw", "if views.isEmpty throw"),
        ("'the picture could not be read'", "'the picture could not be read"),
        ("import 'element.dart';", "import 'elements.dart';"),
    ],
)
def test_a_mistake_is_no_missing_flutter(tmp_path: Path, sound: str, broken: str) -> None:
    text = (LIB / "src" / "flutter" / "raster.dart").read_text(encoding="utf-8")
    assert sound in text
    copy = tmp_path / "raster.dart"
    layer = (LIB / "src").as_uri()
    moved = text.replace("'../core/", f"'{layer}/core/")
    copy.write_text(moved.replace(sound, broken), encoding="utf-8")
    messages = compile_without_flutter([copy], tmp_path)
    assert [each for each in messages if not MISSING.fullmatch(each)]


@pytest.mark.parametrize("file", FLUTTER_FILES, ids=name)
def test_imports_are_ours_or_of_the_sdk(file: Path) -> None:
    allowed = r"dart:\w+|package:flutter/\w+\.dart"
    if file.is_relative_to(PLUGIN / "test"):
        allowed += r"|package:flutter_test/flutter_test\.dart|package:tapir_replay/core\.dart"
    if not file.is_relative_to(LIB):
        allowed += r"|package:tapir_replay/tapir_replay\.dart"
    for uri in references(file):
        if ":" in uri:
            assert re.fullmatch(allowed, uri), uri
        else:
            target = (file.parent / uri).resolve()
            assert target.is_file(), uri
            assert target.is_relative_to(LIB) is file.is_relative_to(LIB), uri


@pytest.mark.parametrize("file", CORE, ids=name)
def test_the_core_knows_no_flutter(file: Path) -> None:
    for uri in references(file):
        assert uri != "dart:ui"
        assert not uri.startswith("package:")
        if ":" not in uri:
            target = (file.parent / uri).resolve()
            assert target in CORE, uri


def test_only_named_things_are_exported() -> None:
    text = (LIB / "tapir_replay.dart").read_text(encoding="utf-8")
    exports = re.findall(r"^export '([^']+)'\s+show ([^;]+);", text, re.MULTILINE)
    assert len(exports) == text.count("\nexport ")
    for uri, names in exports:
        source = (LIB / uri).read_text(encoding="utf-8")
        for each in names.split(","):
            assert re.search(rf"\b(?:class|typedef) {each.strip()}\b", source), each


def test_the_package_depends_on_flutter_alone() -> None:
    package = yaml.safe_load((PLUGIN / "pubspec.yaml").read_text(encoding="utf-8"))
    assert package["dependencies"] == {"flutter": {"sdk": "flutter"}}
    assert package["environment"]["sdk"] == "^3.7.0"
    for file in ("README.md", "CHANGELOG.md", "LICENSE", "analysis_options.yaml"):
        assert (PLUGIN / file).is_file()


def test_the_version_is_the_newest_of_the_changelog() -> None:
    package = yaml.safe_load((PLUGIN / "pubspec.yaml").read_text(encoding="utf-8"))
    changes = (PLUGIN / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changes, re.MULTILINE)[0] == package["version"]


def test_the_example_takes_the_plugin_beside_it() -> None:
    example = yaml.safe_load((EXAMPLE / "pubspec.yaml").read_text(encoding="utf-8"))
    package = yaml.safe_load((PLUGIN / "pubspec.yaml").read_text(encoding="utf-8"))
    assert example["environment"] == package["environment"]
    assert example["dependencies"]["tapir_replay"] == {"path": "../"}


def test_a_release_build_calls_nothing() -> None:
    """Every public member stands behind the constant that empties it in a release build."""
    plugin = (LIB / "src" / "flutter" / "plugin.dart").read_text(encoding="utf-8")
    body = plugin.split("abstract final class TapirReplayPlugin {")[1].split("\n}\n")[0]
    members = re.findall(r"^  static \S+ (?:\w+<T>|\w+)\(.*?^  }", body, re.MULTILINE | re.DOTALL)
    guarded = [each for each in members if "kReleaseMode" in each]
    assert [each for each in members if each not in guarded and "uninstall" not in each] == []
    assert len(guarded) >= 4
    main = (EXAMPLE / "lib" / "main.dart").read_text(encoding="utf-8")
    assert "if (!kReleaseMode) TapirReplayPlugin.install();" in main
