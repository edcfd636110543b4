import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { settingLimits } from "../../../src/sandbox/landlock-launcher.ts";
import { openSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { seccompFilter } from "../../../src/sandbox/seccomp-filter.ts";
import { newestPython } from "../../environment/pythons.ts";
import { plainEnvironment, startRunner } from "../../kernel/runner/start-runner.ts";
import { World, whyNotTested } from "../world.ts";

const python = "/usr/bin/python3";
const whyNot = whyNotTested("landlock");

// Granary's authors have no Mac. Landlock keeps the limits here in the place of macOS.
describe.skipIf(whyNot !== null)(
  `the check inside of sandbox-exec${whyNot === null ? "" : ` (skipped: ${whyNot})`}`,
  () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world.remove());

    const program = inRepository("test/sandbox/macos/fake-sandbox-exec.py");
    const open = (): Sandbox => openSandbox(wish(), { name: "sandbox-exec", program, python });

    const wish = () =>
      ({
        mode: "workspace",
        network: "off",
        cwd: world.path("project"),
        write: [],
        show: [inRepository("python"), dirname(dirname(newestPython().path))],
        userHome: world.path("home"),
        granaryHome: world.path("home/granary"),
        sockets: [],
      }) as const;

    const variables = (sandbox: Sandbox, forgets: string) => ({
      ...plainEnvironment,
      ...sandbox.env,
      FAKE_FORGETS: forgets,
      FAKE_LIMITS: JSON.stringify({
        command: [python, ...settingLimits],
        home: world.path("home"),
        tmp: sandbox.plan.tmp,
        empty: sandbox.plan.empty,
        outside: join(dirname(sandbox.plan.tmp), "outside"),
        "with sockets": seccompFilter(true)?.toString("hex"),
        "without sockets": seccompFilter(false)?.toString("hex"),
      }),
    });

    function run(forgets: string, ...command: readonly string[]): { readonly stdout: string; readonly stderr: string } {
      const sandbox = open();
      const [first = "", ...args] = [...sandbox.launcher, ...command];
      const env = variables(sandbox, forgets);
      try {
        const stdout = execFileSync(first, args, { cwd: world.path("project"), env, encoding: "utf8", stdio: "pipe" });
        return { stdout, stderr: "" };
      } catch (error) {
        return error as { readonly stdout: string; readonly stderr: string };
      } finally {
        sandbox.close();
      }
    }

    test("a program starts where every limit holds, and has the limits", () => {
      const tries = ["made", "../outside/made", ".git/hooks/made"].map(
        (path) => `(echo x > ${path}) 2>/dev/null; echo $?`,
      );
      expect(run("", "/bin/sh", "-c", tries.join("; "))).toEqual({
        stdout: expect.stringMatching(/^0\n[12]\n[12]\n$/),
        stderr: "",
      });
      expect(existsSync(world.path("project/made"))).toBe(true);
    });

    test("a kernel runs cells behind it", async () => {
      const sandbox = open();
      const kernel = await startRunner(newestPython().path, {
        cwd: world.path("project"),
        env: variables(sandbox, ""),
        launcher: sandbox.launcher,
      });
      try {
        const seen: string[] = [];
        for await (const event of kernel.execute("6 * 7"))
          if (event.type === "result") seen.push(JSON.stringify(event));
        expect(seen.join()).toContain("42");
      } finally {
        await kernel.close();
        sandbox.close();
      }
    });

    test.each([
      ["limits nothing", "everything", /it let one read .*\/home\/\.(ssh|aws|docker)/],
      ["hides nothing", "HIDE", /it let one read .*\/home\/\.(ssh|aws|docker)/],
      ["protects no file of the project", "READONLY", /it let one write .*\/project\/\.(git|granary)/],
      ["keeps no folder in its place", "ANCHOR", /it let one rename the folder of a protected file/],
      ["lets programs write outside", "OUTSIDE", /it let one write in .*outside/],
      ["leaves the network", "NETWORK", /it let one use the network/],
    ])("nothing starts where sandbox-exec %s", (_, forgets, reason) => {
      const { stdout, stderr } = run(forgets, "/bin/sh", "-c", "echo started");
      expect(stdout).toBe("");
      expect(stderr).toMatch(
        /^granary: sandbox-exec does not limit programs on this system: it let one .*\. Nothing was started\./,
      );
      expect(stderr).toMatch(reason);
      expect(
        readdirSync(world.path("home"))
          .concat(readdirSync(world.path("project")))
          .join(),
      ).not.toContain("granary-tries");
      expect(readFileSync(world.path("home/.ssh/id_rsa"), "utf8")).toBe("private key");
    });
  },
);
