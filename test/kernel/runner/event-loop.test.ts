import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { testedPythons } from "../../environment/variants.ts";
import { background, interruptWhenReady, printed, run } from "../collect.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { startRunner } from "./start-runner.ts";

const setUp = py`
  import asyncio, threading
  async def answer(value):
      await asyncio.sleep(0.001)
      return value
  loop = asyncio.get_event_loop()
`;

/** Changes of the event loop, and whether the next cell has the same loop as before. */
const disturbances: Readonly<Record<string, { readonly code: string; readonly isSame: boolean }>> = {
  "runs asyncio.run()": { code: "print(asyncio.run(answer(1)))", isSame: true },
  "runs the loop to the end of a coroutine": { code: "loop.run_until_complete(answer(1))", isSame: true },
  "sets no loop": { code: "asyncio.set_event_loop(None)", isSame: true },
  "stops the loop before it runs": { code: "loop.stop()", isSame: true },
  "uses a loop of its own, and closes it": {
    code: "own = asyncio.new_event_loop()\nasyncio.set_event_loop(own)\nown.run_until_complete(answer(1))\nown.close()",
    isSame: true,
  },
  "sets a loop of its own": { code: "asyncio.set_event_loop(asyncio.new_event_loop())", isSame: false },
  "closes the loop": { code: "loop.close()", isSame: false },
  "runs the loop in a thread": {
    code: "threading.Thread(target=loop.run_forever, daemon=True).start()\nasyncio.run_coroutine_threadsafe(answer(1), loop).result()",
    isSame: false,
  },
  "sets a policy that makes no loop by itself, as from Python 3.14 on": {
    code: py`
      class Strict(asyncio.DefaultEventLoopPolicy):
          def get_event_loop(self):
              if self._local._loop is None: raise RuntimeError("there is no current event loop")
              return self._local._loop
      asyncio.set_event_loop_policy(Strict())
    `,
    isSame: false,
  },
};

describe.each(testedPythons())("the event loop of the runner, Python $version", ({ path }) => {
  test("is not imported before its first use", async () => {
    await using kernel = await startRunner(path);
    expect(await printed(kernel, "import sys\nprint('asyncio' in sys.modules, 'signal' in sys.modules)")).toBe(
      "False False\n",
    );
  });

  for (const [what, { code, isSame }] of Object.entries(disturbances)) {
    test(`serves the next cells when one ${what}`, async () => {
      await using kernel = await startRunner(path);
      await run(kernel, setUp);
      const { outcome, error } = await run(kernel, code);
      expect({ outcome, error }).toEqual({ outcome: "ok", error: undefined });
      expect((await run(kernel, "task = asyncio.get_event_loop().create_task(answer(2))")).outcome).toBe("ok");
      expect((await run(kernel, "await task, await answer(3)")).result).toEqual({ "text/plain": "(2, 3)" });
      const compare = "print(asyncio.get_running_loop() is loop)\nawait answer(4)";
      expect(await printed(kernel, compare)).toBe(isSame ? "True\n" : "False\n");
    });
  }

  test("keeps the tasks of earlier cells when a cell sets another policy", async () => {
    await using kernel = await startRunner(path);
    await run(kernel, `${setUp}\nevent = asyncio.Event()\ntask = loop.create_task(event.wait())`);
    await run(kernel, "asyncio.set_event_loop_policy(asyncio.DefaultEventLoopPolicy())");
    expect((await run(kernel, "event.set()\nawait task")).result).toEqual({ "text/plain": "True" });
  });

  test("does not continue the task of an interrupted run_until_complete()", async () => {
    await using kernel = await startRunner(path);
    const heard = background(kernel);
    const cell = py`
      ended = []
      async def talk():
          try:
              while True:
                  print("ready", flush=True)
                  await asyncio.sleep(0.01)
          finally:
              ended.append(True)
      loop.run_until_complete(talk())
    `;
    await run(kernel, setUp);
    expect((await interruptWhenReady(kernel, cell)).outcome).toBe("interrupted");
    await until("it has ended", async () => (await printed(kernel, "print(ended)")) === "[True]\n");
    expect(heard.text.split("\n").length).toBeLessThan(3);
  });

  test("survives a second interrupt during the first", async () => {
    await using kernel = await startRunner(path);
    const cell = py`
      import asyncio
      class Loop(asyncio.SelectorEventLoop):
          strikes = False
          def __setattr__(self, name, value):
              if name == "_thread_id" and value is None and self.strikes:
                  self.strikes = False
                  raise KeyboardInterrupt
              super().__setattr__(name, value)
      def strike():
          loop.strikes = True
          raise KeyboardInterrupt
      ended = []
      async def work():
          try:
              await asyncio.sleep(600)
          finally:
              ended.append(True)
      loop = Loop()
      asyncio.set_event_loop(loop)
      loop.call_later(0.01, strike)
      loop.run_until_complete(work())
    `;
    expect((await run(kernel, cell)).outcome).toBe("interrupted");
    await until("it has ended", async () => (await printed(kernel, "print(ended)")) === "[True]\n");
    const used = await run(kernel, "async def answer(): return 42\nloop.run_until_complete(answer())");
    expect(used.result).toEqual({ "text/plain": "42" });
  });

  test("is not the loop of a forked child, which makes its own", async () => {
    await using kernel = await startRunner(path);
    await run(kernel, setUp);
    const cell = py`
      import multiprocessing, warnings
      def work():
          warnings.simplefilter("ignore")
          own = asyncio.get_event_loop()
          print(own is loop, own.run_until_complete(answer("in the child")), flush=True)
      child = multiprocessing.get_context("fork").Process(target=work)
      child.start()
      child.join()
    `;
    expect(await printed(kernel, cell)).toBe("False in the child\n");
    expect((await run(kernel, "await answer(5)")).result).toEqual({ "text/plain": "5" });
  });
});

describe.each(testedPythons())("a SIGINT handler of the user's, Python $version", ({ path }) => {
  test("is inherited as in any program: a fork has it, a command ignores the same signals", async () => {
    await using kernel = await startRunner(path);
    const cell = py`
      import os, signal, subprocess, sys
      def mine(*_): pass
      signal.signal(signal.SIGINT, mine)
      child = os.fork()
      if child == 0: os._exit(0 if signal.getsignal(signal.SIGINT) is mine else 1)
      print(os.waitpid(child, 0)[1])
      signal.signal(signal.SIGINT, signal.SIG_IGN)
      ask = "import signal; print(signal.getsignal(signal.SIGINT))"
      subprocess.run([sys.executable, "-c", ask])
      signal.signal(signal.SIGINT, signal.SIG_DFL)
      subprocess.run([sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"])
    `;
    expect(await printed(kernel, cell)).toMatch(/^0\n(Handlers\.SIG_IGN|1)\nTrue\n$/);
  });

  test("is checked as Python checks it", async () => {
    await using kernel = await startRunner(path);
    const notCallable = await run(kernel, "import signal\nsignal.signal(signal.SIGINT, 'no handler')");
    expect(notCallable.error?.name).toBe("TypeError");
    const elsewhere = py`
      import threading
      def set_handler():
          try: signal.signal(signal.SIGINT, print)
          except ValueError as error: print("ValueError")
      thread = threading.Thread(target=set_handler)
      thread.start()
      thread.join()
      print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
    `;
    expect(await printed(kernel, elsewhere)).toBe("ValueError\nTrue\n");
  });

  test("is called for a signal that the cell sends itself", async () => {
    await using kernel = await startRunner(path);
    const cell = py`
      import os, signal
      signal.signal(signal.SIGINT, lambda number, frame: print("called with", number, frame.f_code.co_name))
      os.kill(os.getpid(), signal.SIGINT)
    `;
    expect(await printed(kernel, cell)).toBe("called with 2 <module>\n");
  });
});

const main = environment("main");

describe.skipIf("missing" in main)("with libraries that change Python's own modules", () => {
  const path = "python" in main ? main.python : "";

  test("after gevent's monkey.patch_all(), questions, variables, children, await and interrupts work", async () => {
    await using kernel = await startRunner(path);
    await run(kernel, "from gevent import monkey\nmonkey.patch_all()\nimport asyncio, subprocess, time");
    expect((await run(kernel, "input('name? ')", { answer: async () => "Ada" })).result).toEqual({
      "text/plain": "'Ada'",
    });
    expect((await kernel.variables?.())?.variables.map(({ name }) => name)).toContain("monkey");
    expect(await printed(kernel, "print(subprocess.check_output(['echo', 'child']))")).toBe("b'child\\n'\n");
    expect((await run(kernel, "await asyncio.sleep(0.001, 'awaited')")).result).toEqual({ "text/plain": "'awaited'" });
    expect((await interruptWhenReady(kernel, "print('ready', flush=True)\ntime.sleep(60)")).outcome).toBe(
      "interrupted",
    );
  });

  test("after nest_asyncio.apply(), asyncio.run() works in a cell that awaits, and interrupts clean up", async () => {
    await using kernel = await startRunner(path);
    await run(kernel, `import nest_asyncio\nnest_asyncio.apply()\n${setUp}`);
    const nested = "await answer(1), asyncio.run(answer(2)), loop.run_until_complete(answer(3))";
    expect((await run(kernel, nested)).result).toEqual({ "text/plain": "(1, 2, 3)" });
    const cell = py`
      try:
          print("ready", flush=True)
          await asyncio.sleep(60)
      finally:
          print(await answer("cleaned up"))
    `;
    expect(await interruptWhenReady(kernel, cell)).toMatchObject({
      outcome: "interrupted",
      stdout: "ready\ncleaned up\n",
    });
    expect((await run(kernel, nested)).result).toEqual({ "text/plain": "(1, 2, 3)" });
  });
});
