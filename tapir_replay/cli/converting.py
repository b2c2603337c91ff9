"""What `convert` does."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from tapir_replay.cli.files import counted, load_all, print_diagnostics, say
from tapir_replay.cli.modeline import schema_seen_from
from tapir_replay.convert.files import Conversion, Output, convert_files, given_files
from tapir_replay.files import exists, replacing
from tapir_replay.scenario.diagnostics import render
from tapir_replay.scenario.load import shown


def convert(options: argparse.Namespace) -> int:
    """Convert, write, check what was written; returns the exit code."""
    folder = Path(options.output)
    try:
        given = given_files(options.paths)
    except (OSError, ValueError) as error:
        say(f"tapir-replay convert: {error}")
        return 2
    done = convert_files(
        given, kind=options.kind, schema=lambda name: schema_seen_from(folder / name)
    )
    for each in done.diagnostics:
        say(render(each, done.sources.get(each.file)) + "\n")
    if done.wrong or _in_the_way(done, folder, force=options.force):
        print("nothing was written")
        return 2
    try:
        for output in done.outputs:
            with replacing(folder / output.name) as stream:
                stream.write(output.text)
            print(f"written  {shown(folder / output.name)}")
    except OSError as error:
        say(f"tapir-replay convert: {error}")
        return 4
    return _checked(done, folder)


def _in_the_way(done: Conversion, folder: Path, *, force: bool) -> bool:
    """Whether something is there already; says what."""
    found = False
    for output in done.outputs:
        path = folder / output.name
        if not exists(path):
            continue
        same = os.path.realpath(path) == os.path.realpath(output.source)
        if same or not force:
            hint = "choose another folder with -o" + ("" if same else ", or give --force")
            what = "this is what would be converted" if same else "it is there already"
            say(f"tapir-replay convert: {shown(path)}: {what}; {hint}")
            found = True
    return found


def _checked(done: Conversion, folder: Path) -> int:
    errors, warnings = print_diagnostics(load_all(_paths(done.outputs, folder)))
    remarks = len(done.diagnostics) - sum(each.is_error for each in done.diagnostics)
    told = [counted(len(done.outputs), "file") + " written"]
    told.append(f"{done.left} not carried over" if done.left else "all carried over")
    told += [counted(remarks, "difference")] if remarks else []
    told.append(
        "checked: " + (counted(errors, "error") if errors else "no problems")
        if not warnings
        else f"checked: {counted(errors, 'error')}, {counted(warnings, 'warning')}"
    )
    print(", ".join(told))
    if errors:
        say("what was written is not right, which is our own fault; please report the above")
        return 4
    return 1 if done.left else 0


def _paths(outputs: Sequence[Output], folder: Path) -> list[Path]:
    return [folder / each.name for each in outputs]
