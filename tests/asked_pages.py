"""Pages of the application, asked for in this process."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from axe_playwright_python.sync_playwright import Axe

__all__ = ["Browser", "answer_in_process", "look_at"]

#: Beside the loop that Playwright runs in a thread of its own.
_BESIDE = ThreadPoolExecutor(1)


class Browser:
    """Asks the application in this process, and keeps cookies."""

    def __init__(self, app):
        self.app = app
        self.cookies = httpx.Cookies()

    def get(self, address, **more):
        return self.asked("GET", address, **more)

    def post(self, address, **more):
        return self.asked("POST", address, **more)

    def asked(self, method, address, **more):
        async def answer():
            transport = httpx.ASGITransport(app=self.app)
            base = "http://127.0.0.1:8400"
            async with httpx.AsyncClient(transport=transport, base_url=base, cookies=self.cookies) as http:
                got = await http.request(method, address, **more)
                self.cookies.update(got.cookies)
                return got

        return _BESIDE.submit(asyncio.run, answer()).result()


def answer_in_process(page, app, *, user=None):
    """Answer all that a page of Playwright asks for by the application in this process; nothing reaches a network.

    `user` is whom a proxy names in X-User.
    """
    browser = Browser(app)
    named = {} if user is None else {"x-user": user}

    def answered(method, address, headers, body):
        got = browser.asked(method, address, headers={**headers, **named}, content=body)
        return got if got.status_code != 303 else browser.get(got.headers["location"], headers=named)

    def fulfilled(route):
        asked = route.request
        address = asked.url.removeprefix("http://127.0.0.1:8400")
        headers = {name: value for name, value in asked.headers.items() if name in {"content-type", "origin"}}
        got = answered(asked.method, address, headers, asked.post_data_buffer)
        route.fulfill(status=got.status_code, body=got.content, headers=dict(got.headers))

    page.route("**", fulfilled)


def look_at(page, name, *, width):
    """Check that axe-core finds nothing and nothing is wider than the screen; keep a picture where these are wanted."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(each["id"], node["html"][:200]) for each in found for node in each["nodes"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if folder := os.environ.get("EVENHAND_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
