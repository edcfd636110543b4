import { background, printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

export function describeAwait({ test }: Contract): void {
  describe("await at the top level", () => {
    test("a cell may await, and what it assigns stays", async (kernel) => {
      const { result } = await run(
        kernel,
        py`
          import asyncio
          async def double(x):
              await asyncio.sleep(0.001)
              return 2 * x
          answer = await double(21)
          answer
        `,
      );
      expect(result).toEqual({ "text/plain": "42" });
      expect(await printed(kernel, "print(answer)")).toBe("42\n");
    });

    test("an awaited value can be the result", async (kernel) => {
      const cell = "import asyncio\nawait asyncio.gather(*(asyncio.sleep(0, i) for i in range(3)))";
      expect((await run(kernel, cell)).result).toEqual({ "text/plain": "[0, 1, 2]" });
      expect((await run(kernel, "await asyncio.sleep(0, 'hidden');")).result).toBe(undefined);
    });

    test("async for, async with and async comprehensions work at the top level", async (kernel) => {
      const cell = py`
        import asyncio, contextlib
        async def numbers():
            for i in range(3):
                await asyncio.sleep(0)
                yield i
        @contextlib.asynccontextmanager
        async def room():
            yield "in"
        seen = []
        async for n in numbers():
            seen.append(n)
        async with room() as place:
            seen.append(place)
        seen.append([n * n async for n in numbers()])
        seen.append({n async for n in numbers() if n} )
        seen.append([await asyncio.sleep(0, n) for n in (7, 8)])
        seen
      `;
      const { result, error } = await run(kernel, cell);
      expect(error).toBe(undefined);
      expect(String(result?.["text/plain"]).replace(/\s+/g, " ")).toBe("[0, 1, 2, 'in', [0, 1, 4], {1, 2}, [7, 8]]");
    });

    test("an exception in awaited code shows its lines and the cell's", async (kernel) => {
      const cell = "async def fail():\n    raise ValueError('deep')  # in the coroutine\nawait fail()  # in the cell";
      const { error } = await run(kernel, cell);
      expect(error).toMatchObject({ name: "ValueError", message: "deep" });
      expect(error?.traceback).toContain("# in the coroutine");
      expect(error?.traceback).toContain("await fail()  # in the cell");
    });

    test("asyncio.run is supported or refused, and awaiting still works afterwards", async (kernel) => {
      const { outcome, stdout, error } = await run(
        kernel,
        "import asyncio\nasync def main(): print('ran')\nasyncio.run(main())",
      );
      if (outcome === "ok") expect(stdout).toBe("ran\n");
      else expect(error).toMatchObject({ name: "RuntimeError" });
      expect((await run(kernel, "await asyncio.sleep(0, 'still')")).result).toEqual({ "text/plain": "'still'" });
    });

    test("asyncio.run works in a thread, independent of the cell", async (kernel) => {
      const cell = py`
        import asyncio, threading
        thread = threading.Thread(target=lambda: print(asyncio.run(asyncio.sleep(0, "in a thread"))))
        thread.start()
        while thread.is_alive():
            await asyncio.sleep(0.001)
      `;
      expect(await printed(kernel, cell)).toBe("in a thread\n");
    });

    test("cells share one event loop", async (kernel) => {
      await run(
        kernel,
        "import asyncio\nlock = asyncio.Lock()\nfirst = asyncio.get_running_loop()\nawait lock.acquire()",
      );
      const later = "print(asyncio.get_running_loop() is first)\nlock.release()\nasync with lock: print('locked')";
      expect(await printed(kernel, later)).toBe("True\nlocked\n");
    });

    test("the loop of get_event_loop() is the same before and after the first await", async (kernel) => {
      const first = py`
        import asyncio
        async def answer():
            await asyncio.sleep(0.001)
            return 42
        loop = asyncio.get_event_loop()
        task = loop.create_task(answer())
        queue, event, future = asyncio.Queue(), asyncio.Event(), loop.create_future()
      `;
      expect((await run(kernel, first)).stderr).toBe("");
      expect((await run(kernel, "await task")).result).toEqual({ "text/plain": "42" });
      const same =
        "print(asyncio.get_event_loop() is loop, asyncio.get_running_loop() is loop)\nawait asyncio.sleep(0)";
      expect(await printed(kernel, same)).toBe("True True\n");
      expect(await printed(kernel, "print(asyncio.get_event_loop() is loop)")).toBe("True\n");
      const use = "queue.put_nowait(1)\nevent.set()\nloop.call_soon(future.set_result, 2)\n";
      const { result } = await run(kernel, `${use}await queue.get(), await event.wait(), await future`);
      expect(result).toEqual({ "text/plain": "(1, True, 2)" });
    });

    test("a task made on the loop of get_event_loop() continues between cells", async (kernel) => {
      const heard = background(kernel);
      const cell = "async def speak(): print('spoken')\ntask = asyncio.get_event_loop().create_task(speak())";
      const { stdout } = await run(kernel, `import asyncio\n${cell}`);
      await until("the task has ended", () => (stdout + heard.text).includes("spoken"));
    });

    test("a task of an earlier cell continues between cells", async (kernel) => {
      await run(
        kernel,
        py`
          import asyncio
          async def tick():
              for i in range(3):
                  await asyncio.sleep(0.01)
                  print("tick", i)
          task = asyncio.create_task(tick())
        `,
      );
      const heard = background(kernel);
      await until("the task has ended", () => heard.text.includes("tick 2"));
      expect(heard.text).toBe("tick 0\ntick 1\ntick 2\n");
      expect(await printed(kernel, "print(task.done())")).toBe("True\n");
    });

    test("a task of an earlier cell continues while a later cell awaits", async (kernel) => {
      await run(
        kernel,
        py`
          import asyncio
          event = asyncio.Event()
          async def waits():
              await event.wait()
              return "was told"
          task = asyncio.create_task(waits())
        `,
      );
      expect((await run(kernel, "event.set()\nawait task")).result).toEqual({ "text/plain": "'was told'" });
    });

    test("a task that fails between cells does not harm the kernel", async (kernel) => {
      await run(
        kernel,
        "import asyncio\nasync def fail(): raise ValueError('later')\ntask = asyncio.create_task(fail())",
      );
      await run(kernel, "await asyncio.sleep(0.001)");
      const { error } = await run(kernel, "await task");
      expect(error).toMatchObject({ name: "ValueError", message: "later" });
    });

    test("a task that leaves Python between cells does not harm the kernel", async (kernel) => {
      await run(
        kernel,
        py`
          import asyncio, sys
          async def leave():
              await asyncio.sleep(0.01)
              sys.exit(3)
          task = asyncio.create_task(leave())
        `,
      );
      await kernel.ping();
      await until("the task has ended", async () => (await printed(kernel, "print(task.done())")) === "True\n");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("a cell whose own task is cancelled by its code fails with CancelledError", async (kernel) => {
      const { outcome, error } = await run(
        kernel,
        "import asyncio\nasyncio.current_task().cancel()\nawait asyncio.sleep(1)",
      );
      expect(outcome).toBe("error");
      expect(error?.name).toBe("CancelledError");
      expect(await printed(kernel, "await asyncio.sleep(0)\nprint('fine')")).toBe("fine\n");
    });

    test("await outside of a coroutine is still an error inside a plain function", async (kernel) => {
      const { error } = await run(kernel, "def f():\n    await something()");
      expect(error?.name).toBe("SyntaxError");
    });

    test("return and yield at the top level are still errors", async (kernel) => {
      for (const cell of ["return 1", "yield 1", "import asyncio\nawait asyncio.sleep(0)\nreturn 1"]) {
        expect((await run(kernel, cell)).error?.name).toBe("SyntaxError");
      }
    });
  });
}
