import type { Kernel, KernelBackend } from "../../../../src/kernel/kernel.ts";

/** Kinds of cells that an interrupt must end, each with a moment where that is hard. */
export const endlessCells: Readonly<Record<string, string>> = {
  "a busy loop": "while True: pass",
  "a sleep": "import time; time.sleep(1000)",
  "an await": "import asyncio\nawait asyncio.sleep(1000)",
  "tasks on the loop":
    "import asyncio\nasync def work():\n    while True: await asyncio.sleep(0.001)\nawait asyncio.gather(*[work() for _ in range(5)])",
  "a child process": "import subprocess; subprocess.run(['sleep', '1000'])",
  "a shell command": "!sleep 1000",
  "a thread join":
    "import threading\nstop = threading.Event()\nt = threading.Thread(target=stop.wait, daemon=True)\nt.start()\ntry: t.join()\nfinally: stop.set()",
  "endless printing": "while True: print('x' * 50)",
  "endless errors": "import sys\nwhile True: print('e', file=sys.stderr)",
  "endless displays": "while True: display({'a': 1})",
  "exceptions all the time": "while True:\n    try: 1/0\n    except ZeroDivisionError: pass",
  // CPython can lose a KeyboardInterrupt while it formats the ValueError.
  "errors with messages": "import contextlib\nwhile True:\n    with contextlib.suppress(ValueError): int('x')",
  imports: "import importlib, json\nwhile True: importlib.reload(json)",
  // A KeyboardInterrupt in __del__ is ignored by Python.
  destructors: "class D:\n    def __del__(self):\n        for i in range(200): pass\nwhile True: D()",
  "a question": "input('?')",
  "a clean-up": "import time\ntry: time.sleep(1000)\nfinally: cleaned = True",
};

/** Cells that may end by themselves before the interrupt comes. */
const short: Readonly<Record<string, string>> = {
  "a short cell": "x = 0\nfor i in range(2000): x += i",
  "a trivial cell": "1 + 1",
};

export interface Mishap {
  readonly round: number;
  readonly cell: string;
  readonly what: string;
}

/** Interrupts cells at random moments; returns every kernel lost, interrupt leaked and frame damaged. */
export async function stress(
  start: () => ReturnType<KernelBackend["start"]>,
  options: { readonly rounds: number; readonly seed: number },
): Promise<readonly Mishap[]> {
  const mishaps: Mishap[] = [];
  const random = seeded(options.seed);
  const cells = Object.entries({ ...endlessCells, ...short });
  let kernel = await start();
  try {
    for (let round = 0; round < options.rounds; round++) {
      const [cell, code] = cells[Math.floor(random() * cells.length)] as [string, string];
      const note = (what: string): number => mishaps.push({ round, cell, what });
      const moment = random() < 0.3 ? 0 : random() < 0.5 ? random() * 2 : random() * 15;
      const ending = outcomeOf(kernel, code);
      if (moment > 0) await new Promise((resolve) => setTimeout(resolve, moment));
      await kernel.interrupt();
      const outcome = await ending;
      const mayEndByItself = cell in short;
      if (outcome !== "interrupted" && !(mayEndByItself && outcome === "ok")) note(`ended as: ${outcome}`);
      const next = kernel.state === "dead" ? "dead" : await outcomeOf(kernel, "assert sum(range(1000)) == 499500");
      if (next !== "ok") note(`the next cell ended as: ${next}`);
      if (kernel.state === "dead") kernel = await start();
    }
  } finally {
    await kernel.close();
  }
  return mishaps;
}

async function outcomeOf(kernel: Kernel, code: string): Promise<string> {
  const answer = (): Promise<string> => new Promise(() => undefined);
  try {
    for await (const event of kernel.execute(code, { answer })) if (event.type === "done") return event.outcome;
    return "no end";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Numbers between 0 and 1 that are the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
