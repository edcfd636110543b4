import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EngineName } from "../../src/sandbox/engine.ts";
import type { SandboxMode } from "../../src/sandbox/sandbox-plan.ts";
import { systemPython as python, World, whyNotTested } from "./world.ts";

const isRoot = process.getuid?.() === 0;
const users = isRoot ? (["root", "an ordinary user"] as const) : (["an ordinary user"] as const);

const variants: readonly (readonly [EngineName, SandboxMode])[] = [
  ["bwrap", "workspace"],
  ["bwrap", "strict"],
  ["landlock", "workspace"],
  ["sandbox-exec", "workspace"],
];

/** Documented limits: each of these has its row in docs/sandbox-limits.md. */
const everywhere = [
  "hold a lock on a file outside",
  "lead git to another repository",
  "make a repository in a folder below",
  "write a file with another name outside",
];
const documented: Record<EngineName, readonly string[]> = {
  bwrap: everywhere,
  landlock: [
    ...everywhere,
    "slow another process down",
    "choose the processor of another process",
    "read connections of this machine from its first process",
  ],
  // Never run by us: a first run on a Mac may find more.
  "sandbox-exec": [...everywhere, "slow another process down"],
};

/** Landlock where the system allows no mounts: each of these has its row in docs/sandbox-limits.md. */
const withoutMounts = [
  ...documented.landlock,
  "change the mode of a file outside",
  "change the time of a file outside",
  "set an attribute of a file outside",
  "write a shell start file in the project",
  "write a git hook",
  "change the git configuration",
  "replace the git folder",
  "replace the hooks folder",
  "delete the hooks folder",
  "add a module of granary",
  "replace the folder of granary",
  "change an activation script",
  "replace the folder of activation scripts",
  "read the shared memory of another program",
  "write the shared memory of another program",
  "remove the shared memory of another program",
  "connect to a unix socket by path",
  "send a datagram to a unix socket by path",
  "connect to a unix socket in the run folder",
  "use the ssh agent",
  "attach memory of another program",
  "look at memory of another program",
  "change a semaphore of another program",
  "send a message to another program",
  "open a queue of another program",
  "write to the terminal of another program",
  "read the terminal of another program",
  "change the terminal of another program",
  "read connections of this machine",
  "change flags of a file outside",
  "change the mode through a descriptor",
  "change the times through a descriptor",
  "set an attribute through a descriptor",
  "put a file over the git configuration",
  "exchange the git configuration",
  "exchange the git folder",
  "remove the git configuration",
  "link the git configuration and write it",
  "truncate the git configuration",
  "change the mode of the git configuration",
  "lead a worktree to another repository",
  "change hooks in the working tree",
  "change a git configuration in the working tree",
  "replace the folder above hooks in the working tree",
  "change the settings of an editor",
  "change the servers of an agent",
  "change the variables of direnv",
  "change a submodule",
];

function escapesOf(outcomes: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(outcomes).filter((name) => !outcomes[name]?.startsWith("denied"));
}

describe.each(users)("as %s", (user) => {
  let world: World;
  beforeAll(async () => {
    world = new World(user === "root");
    await world.start();
  });
  afterAll(() => world.remove());

  for (const [engine, mode] of variants) {
    const whyNot = whyNotTested(engine);
    const skipped = whyNot === null ? "" : ` (skipped: ${whyNot})`;
    test.skipIf(whyNot !== null)(
      `none of two hundred attempts gets out of ${engine}, ${mode}, but for the limits of the page${skipped}`,
      () => {
        const sandbox = world.open(engine, mode, python);
        try {
          const outcomes = world.tryEverything(sandbox, python);
          expect(Object.keys(outcomes).length).toBeGreaterThanOrEqual(190);
          const escaped = escapesOf(outcomes);
          expect(escaped.filter((name) => !documented[engine].includes(name))).toEqual([]);
          expect(escaped).toContain("lead git to another repository");
          expect(world.isUntouched).toBe(true);
        } finally {
          sandbox.close();
        }
      },
    );
  }

  test.skipIf(whyNotTested("landlock") !== null)("Landlock without mounts has the limits that the page lists", () => {
    const sandbox = world.open("landlock", "workspace", python, { withoutMounts: true });
    try {
      const escaped = escapesOf(world.tryEverything(sandbox, python, { ownNetwork: false }));
      expect(escaped.filter((name) => !withoutMounts.includes(name))).toEqual([]);
      expect(escaped).toContain("write a git hook");
    } finally {
      sandbox.close();
    }
  });

  // Not as root, who would change the machine.
  test.skipIf(user === "root")("without a sandbox, the attempts succeed: they are real", () => {
    const project = world.path("project");
    const around = { engine: "landlock", plan: { cwd: project }, launcher: ["/usr/bin/env"], env: {} };
    const outcomes = world.tryEverything(around as never, python, { ownNetwork: false });
    expect(escapesOf(outcomes).length).toBeGreaterThanOrEqual(30);
  });
});
