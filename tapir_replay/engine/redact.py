"""The one gate that all text passes before it leaves the process: secrets become `***`."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

from tapir_replay.scenario.values import as_text

MASK = "***"

_T = TypeVar("_T")


class Redactor:
    """Knows the secrets of a run and takes them out of any value."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.add(secrets)

    def add(self, secrets: Iterable[str]) -> None:
        """Learn further secrets; empty ones are no secrets."""
        fresh = {each for each in secrets if each} - self._secrets
        if fresh:
            self._secrets |= fresh
            forms = {form for secret in self._secrets for form in forms_of(secret)}
            longest_first = sorted(forms, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    @property
    def active(self) -> bool:
        return self._pattern is not None

    def text(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def holds_secret(self, text: str | None) -> bool:
        return bool(text and self._pattern and self._pattern.search(text))

    def value(self, value: _T) -> _T:
        """The same value without secrets: texts, lists, maps and dataclasses of them."""
        return value if self._pattern is None else self._clean(value)

    def leaks(self, data: bytes) -> bool:
        """Whether a finished file still holds a secret, in any form it may have taken."""
        return any(
            form.encode("utf-8", "surrogatepass") in data
            for secret in self._secrets
            for form in forms_of(secret)
        )

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            cleaned = self.text(value)
            # Keep the type of text-like values (an enum's member) where nothing was masked.
            return value if cleaned == value else cleaned
        if isinstance(value, dict):
            return {self._clean(key): self._clean(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._clean(each) for each in value)
        if is_dataclass(value) and not isinstance(value, type):
            changed = {
                each.name: cleaned
                for each in fields(value)
                if (cleaned := self._clean(old := getattr(value, each.name))) != old
            }
            return replace(value, **changed) if changed else value
        return value


def texts_in(value: Any) -> Iterator[str]:
    """The texts of a value, however deep in lists and maps; numbers as they are shown."""
    if isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)
    elif value is not None and not isinstance(value, bool):
        yield as_text(value)


def forms_of(secret: str) -> set[str]:
    """A secret as it may stand in a file: as it is, in JSON, in an address, in base64."""
    raw = secret.encode("utf-8", "surrogatepass")
    forms = {
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(raw, safe=""),
        quote_plus(raw),
    }
    if len(raw) >= 6:
        forms.add(base64.b64encode(raw).decode().rstrip("="))
    return forms
