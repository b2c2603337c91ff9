"""Controls in Flutter's print of the semantics tree, as Flutter 3.29 prints it."""

from __future__ import annotations

from tapir_replay.app.dusk.semantics import Control, controls

PRINT = """\
SemanticsNode#0
 │ Rect.fromLTRB(0.0, 0.0, 780.0, 1688.0)
 │
 └─SemanticsNode#1
   │ Rect.fromLTRB(0.0, 0.0, 390.0, 844.0) scaled by 2.0x
   │ textDirection: ltr
   │
   ├─SemanticsNode#117
   │ │ merge boundary ⛔️
   │ │ Rect.fromLTRB(16.0, 104.0, 374.0, 144.0)
   │ │
   │ └─SemanticsNode#118
   │     merged up ⬆️
   │     Rect.fromLTRB(298.0, 0.0, 358.0, 40.0)
   │     actions: focus, tap
   │     flags: hasEnabledState, isEnabled, hasToggledState, isFocusable
   │     label: "Notifications"
   │     textDirection: ltr
   │
   ├─SemanticsNode#119
   │   Rect.fromLTRB(16.0, 156.0, 120.1, 176.0)
   │   label: "Notifications: off"
   │
   ├─SemanticsNode#122
   │ │ merge boundary ⛔️
   │ │ Rect.fromLTRB(16.0, 248.0, 374.0, 296.0)
   │ │ actions: focus, tap
   │ │ flags: hasSelectedState, hasEnabledState
   │ │ label:
   │ │   "Managed by
   │ │   your company"
   │ │
   │ └─SemanticsNode#123
   │     merged up ⬆️
   │     Rect.fromLTRB(318.0, 4.0, 358.0, 44.0)
   │     flags: hasCheckedState, isChecked, hasEnabledState
   │
   ├─SemanticsNode#91
   │   Rect.fromLTRB(16.0, 516.0, 374.0, 556.0)
   │   actions: focus, tap
   │   flags: hasCheckedState, isChecked, hasEnabledState, isEnabled,
   │     isInMutuallyExclusiveGroup, isFocusable
   │   label: "Card: "gold""
   │
   ├─SemanticsNode#92
   │   flags: hasCheckedState
   │   label: "Twice"
   │
   ├─SemanticsNode#93
   │   flags: hasCheckedState, isChecked
   │   label: "Twice"
   │
   └─SemanticsNode#124
     │ merge boundary ⛔️
     │ label: "Everything"
     │
     └─SemanticsNode#125
         merged up ⬆️
         flags: hasCheckedState, hasEnabledState, isEnabled, isFocusable,
           isCheckStateMixed

"""


def test_what_is_on() -> None:
    assert controls(PRINT) == {
        "Notifications": Control(on=False, hears=False),
        "Managed by your company": Control(on=True, hears=True),
        'Card: "gold"': Control(on=True, hears=True),
        "Everything": Control(on=None, hears=True),
    }


def test_no_print_tells_nothing() -> None:
    assert controls("") == {}
    assert controls("Semantics not generated.\n") == {}
