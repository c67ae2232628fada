"""Pages of the application, asked for in this process."""

import asyncio

import httpx

__all__ = ["Browser"]


class Browser:
    """Asks the application in this process, and keeps cookies."""

    def __init__(self, app):
        self.app = app
        self.cookies = httpx.Cookies()

    def get(self, address, **more):
        return self._asked("GET", address, **more)

    def post(self, address, **more):
        return self._asked("POST", address, **more)

    def _asked(self, method, address, **more):
        async def asked():
            transport = httpx.ASGITransport(app=self.app)
            base = "http://127.0.0.1:8400"
            async with httpx.AsyncClient(transport=transport, base_url=base, cookies=self.cookies) as http:
                got = await http.request(method, address, **more)
                self.cookies.update(got.cookies)
                return got

        return asyncio.run(asked())
