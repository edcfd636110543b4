import { expect, test } from "vitest";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";
import { describeBridge } from "./describe-bridge.ts";
import { echo, toolsFor } from "./host-tools.ts";

const folder = temporaryFolder();

for (const { path, version } of [oldestPython(), newestPython()]) {
  describeBridge(`calls from the runner on Python ${version}`, () => runtimeIn(folder, { interpreter: path }));
}

test("without tools, a call says so; as soon as the host serves some, it works", async () => {
  await using granary = await runtimeIn(folder);
  const session = granary.session("early");
  const { error } = await session.run("tool.read(path='a')").result;
  expect(error).toMatchObject({ name: "ToolError", message: "The host serves no tools to this session." });
  const stop = granary.serveTools(toolsFor({ read: echo }));
  expect((await session.run("tool.read(path='a')").result).output).toBe('read {"path":"a"}\n');
  stop();
  expect((await session.run("tool.read(path='a')").result).error?.message).toContain("The host serves no tools");
});

test("a session's own tools take precedence over those for all", async () => {
  await using granary = await runtimeIn(folder);
  granary.serveTools(toolsFor({ read: () => ({ text: "own" }) }), { session: "one" });
  granary.serveTools(toolsFor({ read: () => ({ text: "for all" }) }));
  const read = async (id: string) => (await granary.session(id).run("print(tool.read())").result).output;
  expect([await read("one"), await read("two")]).toEqual(["own\n", "for all\n"]);
});

test("a tool that needs one session more than allowed is refused, instead of a deadlock", async () => {
  await using granary = await runtimeIn(folder, { maxSessions: 1 });
  const inner = async (): Promise<{ text: string }> => {
    const { failure } = await granary.session("inner").run("1").result;
    return { text: `${failure?.code}: ${failure?.message}` };
  };
  granary.serveTools(toolsFor({ python: inner }));
  const { output } = await granary.session("outer").run("print(tool.python())").result;
  expect(output).toBe(
    "waits-for-itself: All 1 Python sessions (outer) wait for a tool or a cell that needs one more. The setting python.maxSessions allows more.\n",
  );
});

test("a forked child gets an error when it calls, and does not hang", async () => {
  await using granary = await runtimeIn(folder);
  granary.serveTools(toolsFor({ read: echo }));
  const { output } = await granary.session("forks").run(py`
    import os
    child = os.fork()
    if child == 0:
        try:
            tool.read(path="a")
        except RuntimeError as problem:
            print(problem, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    print(tool.read(path="parent"))
  `).result;
  expect(output).toBe(
    'a forked process cannot call the host\'s tools: call them in the session itself\nread {"path":"parent"}\n',
  );
});
