"""In which order, how often, and on which machine scenarios are played. Pure functions."""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

_T = TypeVar("_T")

UNKNOWN = 1000.0
"""Milliseconds that a scenario counts for when none has ever been played."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts, counted from 1: `2/3`."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def shard_of(
    items: Sequence[_T],
    shard: Shard,
    *,
    key: Callable[[_T], str],
    duration: Callable[[_T], float | None],
) -> list[_T]:
    """The items of a shard, in their order.

    The longest go first, each to the shard that has least to do so far. It depends on the keys and
    durations only, not on the order: machines that know the same durations agree on it.

    Args:
        items: Those of all shards.
        shard: Which of them.
        key: What an item is known by.
        duration: Milliseconds that it takes, where that is known.
    """
    known = [took for each in items if (took := duration(each)) is not None]
    usual = statistics.median(known) if known else UNKNOWN
    load = {
        index: usual if (took := duration(each)) is None else took
        for index, each in enumerate(items)
    }
    longest_first = sorted(load, key=lambda index: (-load[index], key(items[index]), index))
    busy = [(0.0, 0, number) for number in range(1, shard.count + 1)]
    mine = set()
    for index in longest_first:
        least = min(busy)
        took, count, number = least
        busy[number - 1] = (took + load[index], count + 1, number)
        if number == shard.index:
            mine.add(index)
    return [each for index, each in enumerate(items) if index in mine]


def shuffled(items: Sequence[_T], seed: str, *, key: Callable[[_T], str]) -> list[_T]:
    """The items in an order that the seed decides.

    Whether one comes before another does not depend on what else is played, so an order that made
    a scenario fail can be tried with fewer of them.
    """
    return sorted(items, key=lambda item: (_drawn(seed, key(item)), key(item)))


def _drawn(seed: str, key: str) -> bytes:
    return hashlib.blake2b(
        f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8
    ).digest()


def rounds(
    items: Sequence[_T], count: int, *, seed: str | None, key: Callable[[_T], str]
) -> list[tuple[int, _T]]:
    """All items so many times, each with its round; every round has an order of its own."""
    return [
        (number, item)
        for number in range(1, count + 1)
        for item in (items if seed is None else shuffled(items, _seed_of(seed, number), key=key))
    ]


def _seed_of(seed: str, number: int) -> str:
    return seed if number == 1 else f"{seed}\0{number}"
