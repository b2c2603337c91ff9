"""Shards are a partition, stable and balanced; shuffling depends on the seed alone."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.project.order import UNKNOWN, Shard, rounds, shard_of, shuffled

keys = st.lists(st.text(min_size=1, max_size=6), min_size=0, max_size=40, unique=True)
durations = st.none() | st.floats(0, 1e6)
works = keys.flatmap(lambda names: st.fixed_dictionaries(dict.fromkeys(names, durations)))


def parts(
    work: dict[str, float | None], count: int, order: list[str] | None = None
) -> list[list[str]]:
    items = list(work) if order is None else order
    return [
        shard_of(items, Shard(number, count), key=str, duration=work.get)
        for number in range(1, count + 1)
    ]


@given(works, st.integers(1, 9))
def test_a_partition_that_keeps_the_order(work: dict[str, float | None], count: int) -> None:
    """Every scenario is in exactly one shard."""
    all_parts = parts(work, count)
    assert sorted(each for part in all_parts for each in part) == sorted(work)
    for part in all_parts:
        assert part == [each for each in work if each in set(part)]


@given(works, st.integers(1, 9), st.randoms(use_true_random=False))
def test_stable(work: dict[str, float | None], count: int, chance: random.Random) -> None:
    """The order of files, which differs between machines, does not matter."""
    mixed = list(work)
    chance.shuffle(mixed)
    assert [set(part) for part in parts(work, count)] == [
        set(part) for part in parts(work, count, mixed)
    ]


@given(works, st.integers(1, 9))
def test_balanced(work: dict[str, float | None], count: int) -> None:
    """No shard could be made shorter by giving one of its scenarios to the shortest."""
    known = sorted(each for each in work.values() if each is not None)
    middle = len(known) // 2
    usual = UNKNOWN
    if known:
        usual = known[middle] if len(known) % 2 else (known[middle - 1] + known[middle]) / 2
    took = {name: usual if each is None else each for name, each in work.items()}
    loads = [sum(took[each] for each in part) for part in parts(work, count)]
    for part, load in zip(parts(work, count), loads, strict=True):
        if part:
            least = min(took[each] for each in part)
            assert load - least <= min(loads) + 1e-6 * (1 + load)


@given(keys, st.integers(1, 9))
def test_without_durations_the_numbers_are_even(names: list[str], count: int) -> None:
    sizes = [len(part) for part in parts(dict.fromkeys(names), count)]
    assert max(sizes) - min(sizes) <= 1


@given(works, st.integers(1, 9))
def test_those_that_take_no_time_are_spread_too(work: dict[str, float | None], count: int) -> None:
    sizes = [len(part) for part in parts(dict.fromkeys(work, 0.0), count)]
    assert max(sizes) - min(sizes) <= 1


@given(keys, st.text(max_size=5), st.sets(st.integers(0, 39)))
def test_shuffling(names: list[str], seed: str, left: set[int]) -> None:
    """The same seed gives the same order, also of a part of the scenarios."""
    order = shuffled(names, seed, key=str)
    assert sorted(order) == sorted(names)
    assert order == shuffled(names[::-1], seed, key=str)
    some = [name for index, name in enumerate(names) if index in left]
    assert shuffled(some, seed, key=str) == [name for name in order if name in set(some)]


def test_seeds_and_rounds_differ() -> None:
    names = [str(number) for number in range(30)]
    assert shuffled(names, "1", key=str) != shuffled(names, "2", key=str)
    played = rounds(names, 2, seed="1", key=str)
    first, second = played[:30], played[30:]
    assert {number for number, _ in first} == {1}
    assert [each for _, each in first] == shuffled(names, "1", key=str)
    assert [each for _, each in first] != [each for _, each in second]
    assert rounds(["a"], 2, seed=None, key=str) == [(1, "a"), (2, "a")]
