"""What a run proposes, told and written."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path

from tapir_replay.cli.files import counted, say
from tapir_replay.cli.patching import difference, patched, patches, proposals
from tapir_replay.files import replace, why_refused
from tapir_replay.report.results import Results


def tell_patches(results: Results, sources: Mapping[str, str], *, apply: bool) -> None:
    """Print the changes that a run proposes as a diff; write them where that is asked for.

    The run stays what it was: a scenario is mended for the next one.

    Args:
        results: Of the run.
        sources: The text of each file as it was played.
        apply: Write them.
    """
    found = patches(proposals(results), sources)
    for file, changes in found.items():
        say("\nproposed, for widgets that were not found but may have another name now:")
        say(difference(file, sources[file], changes))
        if not apply:
            continue
        try:
            path = Path(file)
            before = path.read_bytes()
            if before.decode("utf-8-sig") != sources[file]:
                say(f"{file}: somebody has changed it meanwhile, so it was left alone")
                continue
            encoding = "utf-8-sig" if before.startswith(BOM_UTF8) else "utf-8"
            replace(path, patched(sources[file], changes).encode(encoding))
        except (OSError, ValueError) as error:
            say(f"{file}: it was left alone: {why_refused(error)}")
        else:
            say(f"{file}: {counted(len(changes), 'change')} written; play it again")
    if found and not apply:
        say("--apply-patches writes this into the files")
