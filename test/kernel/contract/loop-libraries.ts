import { interruptWhenReady, printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

/** Libraries with event loops, or stacks, of their own. */
export function describeLoopLibraries({ test }: Contract): void {
  describe("a library with a loop of its own", () => {
    test(
      "uvloop.install() in one cell leaves await working in all later ones",
      async (kernel) => {
        await run(kernel, "import asyncio, uvloop\nuvloop.install()");
        for (const round of [1, 2, 3]) {
          const { result, error } = await run(kernel, `await asyncio.sleep(0.001, ${round})`);
          expect(error).toBe(undefined);
          expect(result).toEqual({ "text/plain": String(round) });
        }
        const task = "task = asyncio.get_event_loop().create_task(asyncio.sleep(0.001, 'a task'))";
        expect((await run(kernel, task)).outcome).toBe("ok");
        expect((await run(kernel, "await task")).result).toEqual({ "text/plain": "'a task'" });
      },
      { packages: ["uvloop"] },
    );

    test(
      "an await on uvloop is interrupted, and cleans up",
      async (kernel) => {
        await run(kernel, "import asyncio, uvloop\nuvloop.install()\nasync def clean(): print('cleaned up')");
        const cell = py`
          try:
              print("ready", flush=True)
              await asyncio.sleep(60)
          finally:
              await clean()
        `;
        for (let round = 0; round < 2; round++) {
          expect(await interruptWhenReady(kernel, cell)).toMatchObject({
            outcome: "interrupted",
            stdout: "ready\ncleaned up\n",
          });
        }
        expect((await run(kernel, "await asyncio.sleep(0, 'fine')")).result).toEqual({ "text/plain": "'fine'" });
      },
      { packages: ["uvloop"] },
    );

    test(
      "trio runs its finally blocks when it is interrupted",
      async (kernel) => {
        const cell = py`
          import trio
          cleaned = []
          async def child():
              try:
                  print("ready", flush=True)
                  await trio.sleep(60)
              finally:
                  with trio.CancelScope(shield=True):
                      await trio.sleep(0.001)
                  cleaned.append("child")
          async def main():
              try:
                  async with trio.open_nursery() as nursery:
                      nursery.start_soon(child)
              finally:
                  cleaned.append("main")
          trio.run(main)
        `;
        for (let round = 0; round < 2; round++) {
          expect((await interruptWhenReady(kernel, cell)).outcome).toBe("interrupted");
          expect(await printed(kernel, "print(cleaned)")).toBe("['child', 'main']\n");
        }
        expect((await run(kernel, "trio.run(trio.sleep, 0)")).outcome).toBe("ok");
      },
      { packages: ["trio"] },
    );

    for (const name of ["gevent", "eventlet"] as const) {
      test(
        `${name} raises KeyboardInterrupt where the cell waits, and works on`,
        async (kernel) => {
          const cell = py`
            import ${name}
            try:
                print("ready", flush=True)
                ${name}.sleep(60)
            except KeyboardInterrupt:
                caught = True
                raise
          `;
          await run(kernel, `import warnings\nwarnings.simplefilter("ignore")\nimport ${name}`);
          for (let round = 0; round < 3; round++) {
            const { outcome, error } = await interruptWhenReady(kernel, `caught = False\n${cell}`);
            expect({ outcome, name: error?.name }).toEqual({ outcome: "interrupted", name: "KeyboardInterrupt" });
            expect(await printed(kernel, `${name}.sleep(0.001)\nprint("fine")`)).toBe("fine\n");
          }
        },
        { packages: [name] },
      );

      test(
        `${name} is interrupted while the cell waits for a greenlet that computes`,
        async (kernel) => {
          const cell = py`
            def compute():
                print("ready", flush=True)
                while True: ${name}.sleep(0)
            ${name}.spawn(compute).${name === "gevent" ? "join" : "wait"}()
          `;
          await run(kernel, `import warnings\nwarnings.simplefilter("ignore")\nimport ${name}`);
          const { outcome, error } = await interruptWhenReady(kernel, cell);
          expect({ outcome, name: error?.name }).toEqual({ outcome: "interrupted", name: "KeyboardInterrupt" });
          // In one of thirty runs under a bare Python, too, eventlet's hub believes afterwards that it still runs.
          if (name === "eventlet") await run(kernel, "eventlet.hubs.get_hub().running = False");
          expect(await printed(kernel, `${name}.sleep(0.001)\nprint("fine")`)).toBe("fine\n");
        },
        { packages: [name] },
      );
    }
  });
}
