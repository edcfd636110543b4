import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { whyFailed } from "../../src/runtime/shell/bash-context.ts";
import { openSandbox } from "../../src/sandbox/sandbox.ts";
import { runBash } from "../../src/shell/run-bash.ts";
import { newestPython } from "../environment/pythons.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

describe.skipIf(whyNotTested("bwrap") !== null)(
  `a socket that disappears between the plan and the start of bubblewrap${skipReason("bwrap")}`,
  () => {
    let world: World;
    let server: Server;
    let socket: string;
    beforeAll(async () => {
      world = new World(true);
      socket = world.path("home/gone.sock");
      server = createServer();
      await new Promise<void>((resolve) => server.listen(socket, resolve));
    });
    afterAll(() => {
      server.close();
      world.remove();
    });

    test("Python starts nevertheless, with a new plan", async () => {
      // The user's own program runs between them.
      const launcher = world.path("outside/launcher");
      const starts = world.path("outside/starts");
      writeFileSync(launcher, `#!/bin/sh\necho start >> ${starts}\nrm -f ${socket}\nexec "$@"\n`);
      chmodSync(launcher, 0o755);
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: {
          python: {
            sandbox: "workspace",
            sandboxEngine: "bwrap",
            interpreter: newestPython().path,
            launcher: [launcher],
          },
        },
      });
      const result = await runtime.session().run("6 * 7").result;
      expect(result).toMatchObject({ status: "ok", output: "42\n" });
      expect(existsSync(socket)).toBe(false);
      expect(readLines(starts)).toEqual(["start", "start"]);
    });

    test("a command says that it did not run, and that the next try may succeed", async () => {
      const project = world.path("project");
      const homes = { userHome: world.path("home"), granaryHome: world.path("home/granary") };
      const wish = { mode: "workspace", network: "off", cwd: project, write: [], show: [], ...homes } as const;
      const sandbox = openSandbox(
        { ...wish, sockets: [world.path("home/was-there.sock")] },
        { name: "bwrap", program: "/usr/bin/bwrap" },
      );
      try {
        const context = {
          ...{ cwd: project, env: { PATH: "/usr/bin:/bin" }, snapshot: null, snapshotProblem: null, venvBin: null },
          ...{ launcher: sandbox.launcher, limits: sandbox.plan },
        };
        const said: string[] = [];
        const capture = {
          take: ({ text }: { readonly text: string }) => void said.push(text),
          note: async () => undefined,
        };
        const run = await runBash("echo ran", { ...context, capture: capture as never });
        const output = said.join("");
        expect(run).toMatchObject({ status: "error", hasBegun: false });
        expect(output).toMatch(/^bwrap: .*was-there\.sock/);
        expect(await whyFailed(context, run, output)).toEqual([
          expect.stringContaining("so the command did not run. A file or socket may have disappeared at the same time"),
        ]);
      } finally {
        sandbox.close();
      }
    });
  },
);

function readLines(file: string): readonly string[] {
  return readFileSync(file, "utf8").trim().split("\n");
}
