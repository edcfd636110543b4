# %% requests
import requests
requests.Request("GET", "http://example.com", params={"q": 1}).prepare().url
# %% httpx
import httpx
transport = httpx.MockTransport(lambda request: httpx.Response(200, json={"ok": True}))
async with httpx.AsyncClient(transport=transport) as client:
    answer = await client.get("http://example.com")
answer, answer.json()
# %% aiohttp
import asyncio, aiohttp
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
async def hello(request): return web.Response(text="hi")
app = web.Application()
app.add_routes([web.get("/", hello)])
async with TestClient(TestServer(app)) as client:
    print(await (await client.get("/")).text())
# %% flask
from flask import Flask
app = Flask("small")
@app.get("/")
def index(): return {"hello": "world"}
app.test_client().get("/").json
# %% fastapi
from fastapi import FastAPI
from fastapi.testclient import TestClient
app = FastAPI()
@app.get("/")
def index(): return {"hello": "world"}
TestClient(app).get("/").json()
# %% tornado
import asyncio
from tornado.ioloop import IOLoop
from tornado import gen
await gen.sleep(0.01)
type(IOLoop.current()).__name__
# %% trio
import trio
async def main():
    await trio.sleep(0)
    return "done"
trio.run(main)
# %% anyio
import anyio
async with anyio.create_task_group() as group:
    group.start_soon(anyio.sleep, 0)
"done"
# %% gevent
import gevent
jobs = [gevent.spawn(pow, n, 2) for n in range(3)]
gevent.joinall(jobs)
[job.value for job in jobs]
# %% uvloop
import asyncio, threading, uvloop
found = []
async def main(): found.append(type(asyncio.get_running_loop()).__module__)
thread = threading.Thread(target=lambda: uvloop.run(main()))
thread.start()
thread.join()
found
# %% pydantic
from pydantic import BaseModel, ValidationError
class User(BaseModel):
    name: str
    age: int = 3
try:
    User(name="a", age="x")
except ValidationError as error:
    print(error.errors()[0]["type"])
User(name="a")
# %% attrs
import attrs
@attrs.define
class Point:
    x: int
    y: int = 0
attrs.evolve(Point(1), y=2)
# %% cattrs
import attrs, cattrs
@attrs.define
class Point:
    x: int
cattrs.structure({"x": "1"}, Point), cattrs.unstructure(Point(2))
# %% msgspec
import msgspec
class User(msgspec.Struct):
    name: str
msgspec.json.decode(b'{"name": "a"}', type=User)
# %% orjson
import orjson
orjson.dumps({"a": [1, None]})
# %% ujson
import ujson
ujson.loads("[1, 2]"), ujson.dumps({"a": 1})
# %% msgpack
import msgpack
msgpack.unpackb(msgpack.packb({"a": [1, 2]}))
# %% zstandard
import zstandard
zstandard.decompress(zstandard.compress(b"hello" * 10))[:5]
# %% lz4
import lz4.frame
lz4.frame.decompress(lz4.frame.compress(b"hello"))
# %% cryptography
from cryptography.fernet import Fernet
box = Fernet(Fernet.generate_key())
box.decrypt(box.encrypt(b"secret"))
# %% hypothesis
from hypothesis import given, settings, strategies as st
@settings(max_examples=5, database=None)
@given(st.integers())
def check(n): assert n + 0 == n
check()
# %% pytest
import pytest
with pytest.raises(ZeroDivisionError, match="zero") as caught:
    1 / 0
caught.type
# %% tenacity
import tenacity
tries = []
@tenacity.retry(stop=tenacity.stop_after_attempt(3))
def flaky():
    tries.append(1)
    if len(tries) < 3: raise OSError("again")
    return len(tries)
flaky()
# %% psutil
import os, psutil
psutil.Process().pid == os.getpid()
# %% pygwalker
# differs: pygwalker draws from a thread; a display that comes later is text on the runner
import pandas as pd, pygwalker
from pygwalker import GlobalVarManager
GlobalVarManager.set_privacy("offline")
walker = pygwalker.walk(pd.DataFrame({"a": [1, 2]}))
