import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { sourceFiles } from "./source-files.ts";

/** Which rooms a room may import from, besides itself; `import type` counts. Nothing else says this. */
const rooms: Record<string, readonly string[]> = {
  support: [],
  python: ["support"],
  kernel: ["python", "support"],
  output: ["kernel", "support"],
  notebook: ["support"],
  shell: ["output", "support"],
  bridge: ["kernel", "support"],
  session: ["kernel", "bridge", "python", "output", "support"],
  execute: ["session", "output", "notebook", "kernel", "python", "support"],
  settings: ["support"],
  sandbox: ["support"],
};
rooms.runtime = Object.keys(rooms);
rooms.tools = ["runtime", "execute", "session", "shell", "notebook", "output", "kernel", "support"];
rooms.hub = ["tools", "runtime", "execute", "session", "settings", "notebook", "output", "kernel", "support"];
rooms.view = ["tools", "execute", "output", "notebook", "kernel", "support"];

/** Hosts may use every room and never each other; what the command line may load when a command asks for it is here. */
const hosts: Record<string, { readonly lazily: readonly string[] }> = {
  "hosts/cli": { lazily: ["hosts/jupyter", "hosts/mcp", "hosts/page", "hosts/tui"] },
  "hosts/jupyter": { lazily: [] },
  "hosts/mcp": { lazily: [] },
  "hosts/page": { lazily: [] },
  "hosts/pi": { lazily: [] },
  "hosts/tui": { lazily: [] },
};
const everyRoom = Object.keys(rooms);

test("every file imports only from its own room and from those named in its room's row", () => {
  const files = sourceFiles();
  expect(files).toContain("index.ts");
  expect(files.flatMap((file) => forbiddenImports(file, readFileSync(inRepository(`src/${file}`), "utf8")))).toEqual(
    [],
  );
});

describe("the rule notices", () => {
  test.each<[what: string, file: string, source: string, complaint: string]>([
    [
      "a room that reaches up",
      "support/deferred.ts",
      'import { start } from "../kernel/kernel.ts";',
      "src/support/deferred.ts imports ../kernel/kernel.ts, but support may import only from itself.",
    ],
    [
      "a type that reaches up",
      "output/sink.ts",
      'import type {\n  Session,\n} from "../session/session.ts";',
      "src/output/sink.ts imports ../session/session.ts, but output may import only from itself, kernel, support.",
    ],
    [
      "an export that reaches up",
      "kernel/runner/channel.ts",
      'export * from "../../tools/eval.ts";',
      "src/kernel/runner/channel.ts imports ../../tools/eval.ts, but kernel may import only from itself, python, support.",
    ],
    [
      "a host that imports another",
      "hosts/pi/extension.ts",
      'const { main } = await import("../cli/main.ts");',
      `src/hosts/pi/extension.ts imports ../cli/main.ts, but hosts/pi may import only from itself, ${everyRoom.join(", ")}.`,
    ],
    [
      "a command line that loads a host before anybody asked for it",
      "hosts/cli/main.ts",
      'import { serve } from "../mcp/serve.ts";',
      "src/hosts/cli/main.ts imports ../mcp/serve.ts, but hosts/cli may load hosts/mcp only with import().",
    ],
    [
      "a file that imports the package's front door",
      "execute/run-notebook.ts",
      'import { KernelError } from "../index.ts";',
      "src/execute/run-notebook.ts imports ../index.ts, but execute may import only from itself, session, output, notebook, kernel, python, support.",
    ],
    [
      "an import from outside of src",
      "runtime/start-kernel.ts",
      'import "../../scripts/build.mjs";',
      "src/runtime/start-kernel.ts imports ../../scripts/build.mjs, which is outside of src.",
    ],
    [
      "a room that is not in the table",
      "cellar/barrel.ts",
      "",
      "src/cellar/barrel.ts is in no room of the table in test/architecture/imports.test.ts.",
    ],
  ])("%s", (_what, file, source, complaint) => {
    expect(forbiddenImports(file, source)).toEqual([complaint]);
  });

  test("nothing wrong with what the table allows", () => {
    expect(forbiddenImports("hosts/cli/main.ts", 'const tui = await import("../tui/app.ts");')).toEqual([]);
    expect(forbiddenImports("kernel/runner/spawn.ts", 'import { frame } from "./frames.ts";')).toEqual([]);
    expect(forbiddenImports("kernel/runner/spawn.ts", 'import type { Exit } from "../kernel.ts";')).toEqual([]);
    expect(forbiddenImports("runtime/start-kernel.ts", 'import { spawn } from "node:child_process";')).toEqual([]);
    expect(forbiddenImports("index.ts", 'export { createRuntime } from "./runtime/runtime.ts";')).toEqual([]);
  });
});

/** @param file its path inside src */
function forbiddenImports(file: string, source: string): string[] {
  const room = roomOf(file);
  const allowed = room === "index" || room in hosts ? everyRoom : rooms[room];
  if (allowed === undefined) return [`src/${file} is in no room of the table in test/architecture/imports.test.ts.`];

  return relativeImports(source).flatMap(({ specifier, lazy }) => {
    const imports = `src/${file} imports ${specifier}`;
    const target = posix.join(posix.dirname(file), specifier);
    if (target.startsWith("../")) return [`${imports}, which is outside of src.`];

    const from = roomOf(target);
    if (from === room || allowed.includes(from)) return [];
    if (hosts[room]?.lazily.includes(from)) {
      return lazy ? [] : [`${imports}, but ${room} may load ${from} only with import().`];
    }
    return [`${imports}, but ${room} may import only from ${["itself", ...allowed].join(", ")}.`];
  });
}

/** `kernel/runner/spawn.ts` → `kernel`, `hosts/cli/main.ts` → `hosts/cli`, `runtime/start-kernel.ts` → `runtime` */
function roomOf(file: string): string {
  const [first = "", second = ""] = file.replace(/\.ts$/, "").split("/");
  return first === "hosts" ? `${first}/${second}` : first;
}

function relativeImports(source: string): { specifier: string; lazy: boolean }[] {
  const found = source.matchAll(/\b(?:from|import)\s*(\(?)\s*["'](\.[^"']*)["']/g);
  return [...found].map(([, parenthesis = "", specifier = ""]) => ({ specifier, lazy: parenthesis !== "" }));
}
