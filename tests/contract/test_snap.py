"""The snapshot: its grammar, its filters, its difference to the last one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.contract.driver import Driver

LINE = re.compile(
    r"^(?P<indent>(?:  )*)"
    r"(?:- text \"(?P<text>(?:[^\"\\]|\\.)*)\""
    r"|- (?P<role>textbox|checkbox|link|heading|image|button) \"(?P<label>(?:[^\"\\]|\\.)*)\""
    r"(?:: \"(?P<value>(?:[^\"\\]|\\.)*)\")? \[ref=e(?P<ref>\d+)\]"
    r"(?: \[offscreen\])?(?: \[occluded\])?"
    r"|(?:typeable|overflow): true|tapOwner: \{.*\}|retargets: false)$"
)


def test_login_is_one_line_a_node(app: Driver) -> None:
    assert app.lines() == [
        '- heading "Tapir Demo"',
        '- textbox "Email"',
        "  typeable: true",
        '- textbox "Password"',
        "  typeable: true",
        '- checkbox "Remember me"',
        '- button "Sign in"',
        '- link "Forgot password?"',
    ]


def test_answer_has_text_and_group_only(app: Driver) -> None:
    reply = app.call("snap")
    assert set(reply) == {"snapshot", "groupId"}
    assert re.fullmatch(r"snapshot-\d+", reply["groupId"])
    assert reply["snapshot"].endswith("\n")


def test_every_screen_follows_the_grammar(app: Driver) -> None:
    for route in ("/menu", "/form", "/list", "/covered", "/settings", "/gestures", "/inbox"):
        app.go(route)
        for line in app.call("snap")["snapshot"].splitlines():
            assert LINE.match(line), (route, line)


def test_the_same_node_keeps_its_handle(app: Driver) -> None:
    assert app.call("snap")["snapshot"] == app.call("snap")["snapshot"]


def test_values_are_shown_and_passwords_are_bullets(app: Driver) -> None:
    app.fill("Email", 'a "quoted" \\ name')
    app.fill("Password", "secret")
    lines = app.lines()
    assert '- textbox "Email": "a \\"quoted\\" \\\\ name"' in lines
    assert '- textbox "Password": "••••••"' in lines


def test_interactive_only_drops_texts(app: Driver) -> None:
    app.go("/overlays")
    assert '- text "Result: none"' in app.lines()
    assert app.lines(interactiveOnly=True) == [
        line for line in app.lines() if not line.startswith("- text ")
    ]


def test_grep_keeps_labels_and_values_that_match(app: Driver) -> None:
    app.fill("Email", "someone@example.com")
    assert app.lines(grep="^S.*n$") == ['- button "Sign in"']
    assert app.lines(grep="example")[0] == '- textbox "Email": "someone@example.com"'
    assert app.call("snap", grep="no such thing")["snapshot"] == ""


def test_grep_that_is_no_pattern_is_taken_literally(app: Driver) -> None:
    reply = app.call("snap", grep="(unbalanced")
    assert reply["grepLiteral"] is True
    assert reply["snapshot"] == ""
    assert "grepLiteral" not in app.call("snap", grep="Sign")


def test_within_reads_one_part(app: Driver) -> None:
    ref = app.ref('button "Sign in"')
    assert app.lines(within=ref) == ['- button "Sign in"']


def test_within_refuses_unknown_and_q_handles(app: Driver) -> None:
    assert app.refuses("snap", within="e999999").type == "not_found"
    q = app.find("Sign in")
    assert app.refuses("snap", within=q).code == -32000


def test_within_what_is_gone_is_refused(app: Driver) -> None:
    ref = app.ref('button "Sign in"')
    app.go("/overlays")
    error = app.refuses("snap", within=ref)
    assert (error.code, error.type) == (-32000, "stale")


def test_depth_counts_from_the_root(app: Driver) -> None:
    assert app.lines(depth=5) == app.lines()
    assert app.lines(depth="deep") == app.lines()
    assert all(not line.startswith("    -") for line in app.lines(depth=1))


def test_offscreen_and_occluded_are_marked(app: Driver) -> None:
    app.go("/form")
    assert '- button "Place order" [offscreen]' in app.lines()
    app.go("/covered")
    lines = app.lines()
    assert '- button "Buy" [occluded]' in lines
    assert '- button "Accept cookies"' in lines


def test_merged_row_is_one_line_with_its_owner(app: Driver) -> None:
    app.go("/settings")
    lines = app.lines()
    assert lines.count('- button "Notifications"') == 1
    owner = lines[lines.index('- button "Notifications"') + 1]
    assert re.fullmatch(
        r'  tapOwner: \{"x":[\d.]+,"y":[\d.]+,"w":[\d.]+,"h":[\d.]+\}', owner
    )  # fmt: skip


def test_render_errors_ride_along(app: Driver) -> None:
    assert "renderErrors" not in app.call("snap")
    app.go("/errors")
    app.tap("Raise an error")
    app.tap("Overflow")
    errors = app.call("snap")["renderErrors"]
    assert errors["count"] == 2
    assert errors["recent"] == [
        {"type": "overflow", "message": "A RenderFlex overflowed by 42 pixels on the right."},
        {"type": "StateError", "message": "Bad state: Something broke on purpose"},
    ]
    assert isinstance(errors["hint"], str)


def test_overflowing_row_says_so(app: Driver) -> None:
    app.go("/errors")
    app.tap("Overflow")
    lines = app.lines()
    assert lines[lines.index('- button "Wide row"') + 1] == "  overflow: true"


def test_covered_routes_are_left_out(app: Driver) -> None:
    app.tap("Forgot password?")
    assert app.lines() == [
        '- button "Back"',
        '- heading "Reset password"',
        '- text "We sent you a link"',
    ]


def test_diff_tells_what_an_action_changed(app: Driver) -> None:
    app.go("/overlays")
    app.go("/form")
    app.call("snap")
    reply = app.call("type", ref=app.find("Quantity"), text="2", snapshot="diff")
    assert reply["snapshotMode"] == "diff"
    lines = reply["snapshot"].splitlines()
    assert [re.sub(r"\d+\]", "N]", line) for line in lines[:-1]] == [
        '- - textbox "Quantity" [ref=eN]',
        '+ - textbox "Quantity": "2" [ref=eN]',
        '- - text "$0.00"',
        '+ - text "$15.00"',
    ]
    assert re.fullmatch(r"\(2 of \d+ lines changed\)", lines[-1])


def test_diff_is_taken_from_the_last_whole_snapshot(app: Driver) -> None:
    app.call("snap")
    app.fill("Email", "x")
    app.call("snap", grep="Email")
    app.call("snap", interactiveOnly=True)
    app.call("snap", depth=0)
    app.call("snap", within=app.call("find_by_text", text="Sign in")["refs"][0])
    reply = app.call("press_key", key="F5", snapshot="diff")
    assert '+ - textbox "Email": "x"' in reply["snapshot"]
    again = app.call("press_key", key="F5", snapshot="diff")["snapshot"]
    assert re.fullmatch(r"\(0 of \d+ lines changed\)\n?", again)


def test_snapshot_parameter_wins_over_include_snapshot(app: Driver) -> None:
    assert "snapshot" not in app.call("press_key", key="F5", snapshot="none", includeSnapshot=True)
    assert "snapshot" in app.call("press_key", key="F5", snapshot="full", includeSnapshot=False)
    assert "snapshot" not in app.call("press_key", key="F5", includeSnapshot=False)
    assert "snapshot" in app.call("press_key", key="F5")
    assert "snapshot" not in app.call("press_key", key="F5", includeSnapshot="0")
    assert "snapshot" in app.call("press_key", key="F5", includeSnapshot="")
    assert "snapshot" in app.call("press_key", key="F5", includeSnapshot="no")
    assert "snapshot" in app.call("press_key", key="F5", snapshot="some")
    reply = app.call("press_key", key="F5", snapshot="some", includeSnapshot=False)
    assert "snapshot" not in reply
    assert "snapshot" not in app.call("press_key", key="F5", snapshot="", includeSnapshot=False)
