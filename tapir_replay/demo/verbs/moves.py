"""Verbs about where the app is: routes, popups, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo import pointer, semantics
from tapir_replay.demo.verbs.common import with_snapshot

if TYPE_CHECKING:
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

DISMISSERS = ("cancel", "dismiss", "close", "ok", "done")


async def navigate(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        route = params.required("route")
        router = ctx.app.router
        router.close_popups()
        router.go(route)
        wanted, now = route.partition("?")[0], router.uri.partition("?")[0]
        exact = now == wanted
        # Every page is below "/", so that this would say nothing.
        under = exact or (wanted != "/" and now.startswith(f"{wanted.rstrip('/')}/"))
        reply: Reply = {"navigated": under, "route": route, "exactPath": exact}
        if not under:
            reply["reason"] = (
                f'the router did not honor the route: it shows "{router.uri}"; '
                f'"{route}" may be unregistered, or redirected'
            )
        return with_snapshot(ctx, params, reply)


async def navigate_back(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        popped = ctx.app.router.back()
        return with_snapshot(ctx, params, {"navigatedBack": popped, "popped": popped})


async def press_back(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        return with_snapshot(ctx, params, {"handled": ctx.app.router.leave()})


async def get_routes(ctx: Context, _params: Params) -> Reply:
    return {"location": "", "title": "", "uri": ctx.app.router.uri}


async def dismiss_modals(ctx: Context, _params: Params) -> Reply:
    async with ctx.acting:
        return {"popped": ctx.app.router.close_popups()}


async def reset_overlays(ctx: Context, _params: Params) -> Reply:
    """Each step only does something when the one before left something open."""
    async with ctx.acting:
        router = ctx.app.router
        popped = router.close_popups()
        escaped = router.close_top_popup()
        tapped = False
        if any(n.top is not None and n.top.is_popup for n in router.navigators()):
            for node in semantics.nodes(ctx.app):
                if semantics.of(node).tap and node.label.strip().lower() in DISMISSERS:
                    pointer.perform(ctx.app, node.live_rect().centre, "tap")
                    tapped = True
                    break
        return {"popped": popped, "escaped": escaped, "dismissTapped": tapped}


async def close_app(ctx: Context, _params: Params) -> Reply:
    ctx.close_app()
    return {"closed": True}


async def boot_id(ctx: Context, _params: Params) -> Reply:
    return {"bootId": ctx.boot_id}
