"""What can go wrong between the runner and an app, split by who has to act.

AppError
├── ConnectError            there is no app to talk to, or it cannot be told which
│   ├── AppUnreachable      nothing answers at the address
│   ├── WrongAuthCode       the service answers 403: the address is of an earlier run
│   ├── WrongPath           the service answers, but not as a WebSocket at that path
│   ├── NotAVmService       something else answers (a Dart Tooling Daemon, say)
│   ├── VerbsNotRegistered  no isolate has the verbs: the plugin is not installed
│   ├── AmbiguousIsolate    several isolates have them, and none was named
│   ├── LaunchFailed        the command that starts the app did not bring it up
│   ├── NoSession           no other tool has an app of this project running, or several have
│   ├── ForwardFailed       adb cannot make a device's port one of this machine
│   └── ResetFailed         the app could not be brought to its beginning
├── AppGone                 the app was there and went away
│   ├── ConnectionLost      the socket closed
│   └── AppRestarted        the isolate was replaced (hot restart) or ended
├── CallTimeout             no answer within the deadline
│   └── AppPaused           ... because a debugger holds the isolate
├── VerbRefused             the app answered with an error of its own
├── VerbUnavailable         this app, or this kind of app, does not have the verb
└── ProtocolError           an answer that cannot be understood
"""

from __future__ import annotations

from collections.abc import Sequence


class AppError(Exception):
    """Anything that an app, or the way to it, can do wrong. The text is for people."""

    hint: str = ""
    """What a person can do about it; may be empty."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        if hint:
            self.hint = hint


class ConnectError(AppError):
    """There is no app to talk to, or it cannot be told which."""


class AppUnreachable(ConnectError):
    """Nothing answers at the address."""


class WrongAuthCode(ConnectError):
    """The service refuses the authentication code in the address (HTTP 403)."""


class WrongPath(ConnectError):
    """The address is answered, but not as a WebSocket (HTTP 200 and the like)."""


class NotAVmService(ConnectError):
    """Something else than a Dart VM Service answers at the address."""


class VerbsNotRegistered(ConnectError):
    """The VM Service answers, but no isolate has registered the verbs."""


class AmbiguousIsolate(ConnectError):
    """Several isolates have registered the verbs."""


class LaunchFailed(ConnectError):
    """The command that starts the app did not bring it up; the text has what it printed last."""


class NoSession(ConnectError):
    """No other tool has an app of this project running, or it cannot be told which."""


class ForwardFailed(ConnectError):
    """adb cannot make a device's port one of this machine."""


class ResetFailed(ConnectError):
    """The app could not be brought to its beginning, so that nothing was tested."""


class AppGone(AppError):
    """The app was there and went away; nothing more can be asked of it."""


class ConnectionLost(AppGone):
    """The socket closed while calls were under way, or before one."""


class AppRestarted(AppGone):
    """The isolate that served the verbs ended or was replaced."""


class CallTimeout(AppError):
    """No answer within the deadline.

    The call is not cancelled and may still take effect: never repeat it blindly.
    """


class AppPaused(CallTimeout):
    """No answer because the isolate is paused (a breakpoint, an exception, pause at start)."""


class VerbRefused(AppError):
    """The app answered a verb with an error.

    Args:
        verb: The verb's name, without prefix.
        message: The app's own text.
        code: The JSON-RPC code.
        kind: The envelope's ``type``: ``timeout``, ``not_found``, ``obscured``, ``disabled``,
            ``stale``, ``zero_rect``, ``off_viewport``, ``not_stable``, ``missing_param`` or
            ``unexpected``.
        suggestions: Near matches, best first, as the app sent them.
    """

    def __init__(
        self,
        verb: str,
        message: str,
        *,
        code: int = -32000,
        kind: str = "unexpected",
        suggestions: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.verb = verb
        self.code = code
        self.kind = kind
        self.suggestions = tuple(suggestions)


class VerbUnavailable(AppError):
    """This app does not have the verb (JSON-RPC -32601, or nothing here could carry it out)."""

    def __init__(self, verb: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.verb = verb


class ProtocolError(AppError):
    """An answer that is not JSON, not an object, or not what the protocol allows."""
