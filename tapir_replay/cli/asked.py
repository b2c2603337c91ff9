"""What the options of `run` ask for; a wrong one is told with a caret."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass

from tapir_replay.cli.files import UsageError
from tapir_replay.project.order import Shard
from tapir_replay.project.schema import GOLDENS
from tapir_replay.project.selection import Choice
from tapir_replay.project.settings import Given
from tapir_replay.project.tags import TagError, TagExpression, parse_tags
from tapir_replay.scenario.diagnostics import Diagnostic, Span, quoted, snippet
from tapir_replay.scenario.model import parse_duration

_MOST_ROUNDS = 10_000
_MOST_RETRIES = 100
_MOST_WORKERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options that decide what is played, and how often."""

    choice: Choice
    given: Given
    shard: Shard | None
    rounds: int
    seed: str | None
    fail_fast: bool
    workers: int | None = None


def asked_of(options: argparse.Namespace) -> Asked:
    """Read the options.

    Raises:
        UsageError: One of them is wrong.
    """
    return Asked(
        choice=Choice(
            tags=tuple(_tags(each) for each in options.tags),
            grep=tuple(_pattern(each) for each in options.grep),
            last_failed=options.last_failed,
        ),
        given=Given(
            timeout=None if options.timeout is None else _duration("--timeout", options.timeout),
            retries=None
            if options.retries is None
            else _number("--retries", options.retries, least=0, most=_MOST_RETRIES),
            fail_on_flaky=options.fail_on_flaky,
            goldens=None if options.goldens is None else _golden_name(options.goldens),
        ),
        shard=None if options.shard is None else _shard(options.shard),
        rounds=1
        if options.repeat is None
        else _number("--repeat", options.repeat, least=1, most=_MOST_ROUNDS),
        seed=options.shuffle,
        fail_fast=options.fail_fast,
        workers=None
        if options.workers is None
        else _number("--workers", options.workers, least=1, most=_MOST_WORKERS),
    )


def _golden_name(value: str) -> str:
    if re.fullmatch(GOLDENS, value) is None:
        raise _wrong("--goldens", value, "expected letters, digits, - and _")
    return value


def told(diagnostic: Diagnostic, source: str | None) -> str:
    """A fault of an option, in the form of all others: what, the value with a caret, the hint."""
    lines = [f"{diagnostic.file}: {diagnostic.severity}: {diagnostic.message}"]
    if source is not None and diagnostic.span is not None:
        lines += (f"    |{line.partition('|')[2]}" for line in snippet(source, diagnostic.span))
    if diagnostic.hint:
        lines.append(f"    = hint: {diagnostic.hint}")
    return "\n".join(lines)


def _wrong(option: str, value: str, message: str, hint: str = "", at: int = 0) -> UsageError:
    span = Span(line=1, column=at + 1, length=max(1, len(value) - at))
    fault = Diagnostic(code="option", file=option, message=message, span=span, hint=hint)
    return UsageError(told(fault, value))


def _tags(value: str) -> TagExpression:
    try:
        return parse_tags(value)
    except TagError as error:
        fault = Diagnostic(
            code="tags", file="--tags", message=str(error), span=error.span, hint=error.hint
        )
        raise UsageError(told(fault, value)) from None


def _pattern(value: str) -> re.Pattern[str]:
    if not value:
        raise _wrong("--grep", value, "the pattern is empty, so it fits everything")
    try:
        return re.compile(value, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        at = getattr(error, "pos", None) or 0
        reason = getattr(error, "msg", None) or str(error)
        message = f"the regular expression cannot be read: {reason}"
        plain = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", value)
        hint = f"for the characters as they are: {plain}"
        raise _wrong("--grep", value, message, hint, min(at, len(value))) from None


def _shard(value: str) -> Shard:
    parts = re.fullmatch(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*", value)
    if parts is None:
        raise _wrong("--shard", value, f"expected I/N, found {quoted(value)}", "such as 1/3")
    index, count = int(parts[1]), int(parts[2])
    if count == 0:
        raise _wrong("--shard", value, "there cannot be 0 shards", "such as 1/3")
    if not 1 <= index <= count:
        every = "1/1 is the only one" if count == 1 else f"they are 1/{count} to {count}/{count}"
        raise _wrong("--shard", value, f"there is no shard {index} of {count}", every)
    return Shard(index, count)


def _number(option: str, value: str, *, least: int, most: int) -> int:
    if not re.fullmatch(r"\s*-?[0-9]{1,18}\s*", value):
        raise _wrong(option, value, f"expected a whole number, found {quoted(value)}")
    number = int(value)
    if number < least:
        raise _wrong(option, value, f"must be at least {least}, found {number}")
    if number > most:
        raise _wrong(option, value, f"must be at most {most}, found {number}")
    return number


def _duration(option: str, value: str) -> float:
    try:
        return parse_duration(value)
    except ValueError as error:
        bare = re.fullmatch(r"\s*[0-9]+(\.[0-9]+)?\s*", value)
        hint = f"write {value.strip()}s or {value.strip()}ms" if bare else ""
        raise _wrong(option, value, str(error), hint) from None
