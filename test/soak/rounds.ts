/** The text that an agent reads. */
export type Call = (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;

const sessionNames = 20;
const waits = new Set(["python", "bash"]);

const picture =
  "display({'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg=='}, raw=True)";

/**
 * Everyday work of an agent, with answers that are known: cells, errors, interrupts, timeouts, displays, notebooks, commands,
 * artifacts, files, undo, branches, crashes; in a session that stays, and in one that is closed at the end.
 */
export async function round(ask: Call, number: number): Promise<void> {
  // Granary remembers 500 sessions that are gone; with the same names again, all of its memory is in use soon.
  const session = `round-${number % sessionNames}`;
  // On a busy machine, a call must not return before its work is done.
  const call: Call = (tool, input) => ask(tool, waits.has(tool) ? { timeout: 600, ...input } : input);
  await inKeptSession(call);
  await timeTravel(call, session);
  await longWork(call, session);
  await notebookWork(call, number, session);
  await commandsAndFiles(call, number);
  await expectText(call("kernels", { action: "shutdown", session, force: true }), /./);
}

/** The process of the kernel that stays. */
export async function keptKernel(call: Call): Promise<number> {
  return numberIn(await call("python", { cells: [{ code: "import os; print(os.getpid())" }] }));
}

export async function countOfRounds(call: Call): Promise<number> {
  return numberIn(await call("python", { cells: [{ code: "print(total)" }] }));
}

/** On a line of its own: on a busy machine, a note about the time may be beside it. */
function numberIn(text: string): number {
  const [number] = /^\d+$/m.exec(text) ?? [];
  if (number === undefined) throw new Error(`Not a number: ${text.slice(0, 2000)}`);
  return Number(number);
}

async function inKeptSession(call: Call): Promise<void> {
  const python = (code: string) => call("python", { cells: [{ code }] });
  await expectText(python("total = globals().get('total', 0) + 1"), /no output/);
  const long = await expectText(python("for n in range(3000): print(n, 'x' * 300)"), /artifact:\/\/\S+/);
  const [artifact] = /artifact:\/\/[\w-]+/.exec(long) ?? [];
  await expectText(call("read", { path: `${artifact}:5-9` }), /x{20}/);
  await expectText(python("def f(n): return 1 / n if n == 0 else f(n - 1)\nf(30)"), /ZeroDivisionError/);
  await expectText(python(`${picture}\ndisplay({'text/html': '<b>bold</b>', 'text/plain': 'bold'}, raw=True)`), /bold/);
  await expectText(call("variables", {}), /total: int/);
}

async function timeTravel(call: Call, session: string): Promise<void> {
  await call("python", { session, cells: [{ code: "x = 1" }, { code: "x = 2" }, { code: "x = 3" }] });
  await call("kernels", { action: "undo", session });
  await expectText(call("python", { session, cells: [{ code: "x" }] }), /\b[12]\b/);
  const branches = [
    { title: "a", cells: ["x = 10; x"] },
    { title: "b", cells: ["x / 0"] },
  ];
  await expectText(call("python", { session, branches, keep: "a" }), /continues as branch a/);
  await expectText(call("python", { session, cells: [{ code: "import os; os._exit(3)" }] }), /exit code 3/);
  await expectText(call("python", { session, cells: [{ code: "6 * 7" }] }), /42/);
}

async function longWork(call: Call, session: string): Promise<void> {
  const endless = { session, cells: [{ code: "import time\nwhile True: time.sleep(0.01)" }], timeout: 0.3 };
  const running = await expectText(call("python", endless), /still running: (run-\d+)/);
  const [, id] = /(run-\d+)/.exec(running) ?? [];
  await expectText(call("executions", { action: "interrupt", id }), /./);
  await expectText(call("executions", { action: "wait", id, timeout: 600 }), /is over/);
  const started = await expectText(
    call("python", { session, cells: [{ code: "time.sleep(0.1); print('late')" }], background: true, queue: true }),
    /(run-\d+)/,
  );
  const [, later] = /(run-\d+)/.exec(started) ?? [];
  await expectText(call("executions", { action: "wait", id: later, timeout: 600 }), /late/);
}

async function notebookWork(call: Call, number: number, session: string): Promise<void> {
  const path = `n${number % 5}.ipynb`;
  const notebook = (action: string, rest = {}) => call("notebook", { action, path, ...rest });
  const content = "# %% [code]\nvalue = 6 * 7\nprint(value)\n# %% [markdown]\n# Title\n# %% [code]\n1 / 0\n";
  await call("bash", { command: `rm -f ${path}` });
  await expectText(call("write", { path, content }), /./);
  await expectText(notebook("run", { session, timeout: 600 }), /ZeroDivisionError/);
  await expectText(notebook("edit", { cell_index: 2, content: "value + 1" }), /./);
  await expectText(notebook("run", { session, from: 2, timeout: 600 }), /43/);
  await expectText(notebook("show", { cell_index: 0 }), /42/);
}

async function commandsAndFiles(call: Call, number: number): Promise<void> {
  await expectText(call("bash", { command: "seq 5 | tail -1; exit 3" }), /exit code 3\.\n+5/);
  const running = await expectText(
    call("bash", { command: "sleep 300 & wait", timeout: 0.3 }),
    /still running: (run-\d+)/,
  );
  const [, id] = /(run-\d+)/.exec(running) ?? [];
  await call("executions", { action: "interrupt", id });
  await expectText(call("executions", { action: "wait", id, timeout: 600 }), /is over/);
  const path = `f${number % 5}.txt`;
  await call("write", { path, content: "one\ntwo\n" });
  await expectText(call("edit", { path, edits: [{ old: "two", new: "three" }] }), /1 replacement/);
  await expectText(call("read", { path }), /three/);
  await expectText(call("read", { path: "none.txt" }), /^Error/);
}

async function expectText(text: Promise<string>, wanted: RegExp): Promise<string> {
  const got = await text;
  if (!wanted.test(got)) throw new Error(`Not ${wanted}: ${got.slice(0, 2000)}`);
  return got;
}
