"""Signing in, and the way for those who cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.fields import TextEdit
from tapir_replay.demo.screens.base import Screen, padded
from tapir_replay.demo.tree import Box, Node

if TYPE_CHECKING:
    from tapir_replay.demo.app import App

EMAIL = "ada@example.com"
PASSWORD = "correct-horse"  # noqa: S105 - the demo's one account is public
CHECK_SECONDS = 0.3


class Login(Screen):
    title = "Tapir Demo"

    def __init__(self, app: App, route: str, *, opened_over: bool = False) -> None:
        super().__init__(app, route, opened_over=opened_over)
        app.signed_in = None
        self.email = TextEdit(on_submitted=self.submit)
        self.password = TextEdit(obscured=True, on_submitted=self.submit)
        self.button = widgets.button("Sign in", self.submit, key="submit", wide=True, height=48)
        self.error = widgets.text("", key="login-error", style="error")

    def page(self, *, can_pop: bool) -> Node:  # noqa: ARG002 - nothing is ever below it
        logo = Node("FlutterLogo", style="logo", box=Box(height=96), hits=True)
        title = widgets.heading(self.title, style="display")
        title.box = Box(height=48)
        return self.framed(Node("SizedBox", box=Box(height=72)), logo, title, *self.body())

    def body(self) -> list[Node]:
        self.column = padded(
            widgets.field("Email", self.email, key="email"),
            widgets.field("Password", self.password, key="password"),
            widgets.checkbox("Remember me", key="remember"),
            self.button,
            widgets.link("Forgot password?", lambda: self.app.router.push("/forgot"), key="forgot"),
            gap=14,
        )
        return [self.column]

    def submit(self) -> None:
        if not self.button.is_enabled:
            return
        if not self.email.text:
            self.show_error("Enter your email")
            return
        self.button.set_enabled(False)
        self.after(CHECK_SECONDS, self.answer)

    def answer(self) -> None:
        self.button.set_enabled(True)
        if (self.email.text, self.password.text) != (EMAIL, PASSWORD):
            self.show_error("Wrong email or password")
            return
        self.app.signed_in = EMAIL
        self.app.console.print(f"signed in as {EMAIL}")
        self.app.router.go("/home")

    def show_error(self, message: str) -> None:
        self.error.set_text(message)
        if self.error.parent is None:
            self.column.insert(2, self.error)


class Forgot(Screen):
    title = "Reset password"

    def body(self) -> list[Node]:
        return [padded(widgets.text("We sent you a link"))]
