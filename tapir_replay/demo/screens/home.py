"""Where one lands after signing in, and the menu to everything else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.screens.base import Screen, padded

if TYPE_CHECKING:
    from tapir_replay.demo.tree import Node

TASKS = ("Buy milk", "Call the bank", "Water the plants")

MENU = (
    "Form", "List", "Overlays", "Loading", "Motion", "Covered", "Settings", "Account", "Errors",
    "Search", "Inbox", "Gestures",
)  # fmt: skip


class Home(Screen):
    title = "Welcome back"

    def body(self) -> list[Node]:
        self.count = widgets.text(f"{len(TASKS)} tasks", key="task-count", style="title")
        rows = [self.task_row(number, task) for number, task in enumerate(TASKS, 1)]
        self.tasks = widgets.column(*rows, gap=8)
        go = self.app.router
        return [
            padded(
                widgets.text(f"Signed in as {self.app.signed_in}", key="user"),
                self.count,
                self.tasks,
                widgets.row(
                    widgets.button(
                        "Log out", lambda: go.go("/login"), key="log-out", style="outlined"
                    ),
                    widgets.button("Menu", lambda: go.push("/menu"), key="menu"),
                ),
            )
        ]

    def task_row(self, number: int, task: str) -> Node:
        node = widgets.card(key=f"task-{number}")
        delete = partial(self.delete, node)
        node.add(
            widgets.text(task),
            widgets.spacer(),
            widgets.button("Delete", delete, key=f"delete-{number}", style="plain"),
        )
        return node

    def delete(self, node: Node) -> None:
        self.tasks.remove(node)
        left = len(self.tasks.children)
        self.count.set_text("No tasks" if not left else "1 task" if left == 1 else f"{left} tasks")


class Menu(Screen):
    title = "Menu"

    def body(self) -> list[Node]:
        push = self.app.router.push
        entries = [widgets.link(name, partial(push, f"/{name.lower()}"), row=True) for name in MENU]
        for entry in entries:
            entry.box = type(entry.box)(height=52)
        return [widgets.scroll_view(*entries, gap=0, pad=0)]
