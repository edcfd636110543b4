import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EngineName } from "../../src/sandbox/engine.ts";
import type { SandboxMode } from "../../src/sandbox/sandbox-plan.ts";
import { World, whyNotTested } from "./world.ts";

const python = "/usr/bin/python3";
const isRoot = process.getuid?.() === 0;
const users = isRoot ? (["root", "an ordinary user"] as const) : (["an ordinary user"] as const);

const variants: readonly (readonly [EngineName, SandboxMode])[] = [
  ["bwrap", "workspace"],
  ["bwrap", "strict"],
  ["landlock", "workspace"],
];

/** Landlock where the system allows no mounts: each of these has its row in docs/sandbox.md. */
const withoutMounts = [
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
  "connect to a unix socket in the run folder",
  "use the ssh agent",
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
    test.skipIf(whyNot !== null)(`none of a hundred attempts gets out of ${engine}, ${mode}${skipped}`, () => {
      const sandbox = world.open(engine, mode, python);
      try {
        const outcomes = world.tryEverything(sandbox, python);
        expect(Object.keys(outcomes).length).toBeGreaterThanOrEqual(100);
        expect(escapesOf(outcomes)).toEqual([]);
        expect(world.isUntouched).toBe(true);
      } finally {
        sandbox.close();
      }
    });
  }

  test.skipIf(whyNotTested("landlock") !== null)("Landlock without mounts has the limits that the page lists", () => {
    const sandbox = world.open("landlock", "workspace", python, true);
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
