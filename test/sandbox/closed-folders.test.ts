import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sandboxRoots } from "../../src/runtime/sandbox/sandbox-roots.ts";
import { planSandbox, type SandboxMode, type SandboxPlan } from "../../src/sandbox/sandbox-plan.ts";
import { mayBePresentSync } from "../../src/support/files/foreign/presence.ts";
import { repositoryMarks } from "../../src/support/files/foreign/project-folders.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(() => {
  world = new World(false);
  make("project/keys/key.json");
  make("data/.vscode/tasks.json");
  make("private/closed/key.json");
  for (const name of ["tmp", "cache"]) mkdirSync(world.path(name));
  world.giveAway(world.folder);
});
afterEach(() => world.remove());

function make(name: string): void {
  mkdirSync(dirname(world.path(name)), { recursive: true });
  writeFileSync(world.path(name), "secret");
}

/** Root may enter every folder. */
function asOrdinaryUser<Made>(act: () => Made): Made {
  if (world.uid === undefined) return act();
  process.seteuid?.(world.uid);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

interface Wish {
  readonly mode?: SandboxMode;
  readonly key?: string;
  readonly known?: readonly string[];
  readonly cwd?: string;
}

function plan({
  mode = "workspace",
  key = "project/keys/key.json",
  known = [],
  cwd = "project",
}: Wish = {}): SandboxPlan {
  const home = {
    userHome: world.path("home"),
    accountHome: world.path("home"),
    granaryHome: world.path("home/granary"),
  };
  const folders = { cwd: world.path(cwd), write: [world.path("data")], known, show: [], sockets: [] };
  const own = { privateFolder: world.path("tmp"), cacheFolder: world.path("cache") };
  const env = { GOOGLE_APPLICATION_CREDENTIALS: world.path(key) };
  return asOrdinaryUser(() => planSandbox({ mode, network: "off", ...home, ...folders, ...own, env }));
}

const refusal = (name: string): string =>
  `Granary cannot look into ${world.path(name)}: you are not allowed to. Code in a sandbox can write there, and something to hide or protect ` +
  `may be there, so nothing was done. Give yourself the rights: chmod u+rwx ${world.path(name)}`;

describe.each(["workspace", "strict"] as const)("code that closes a folder to its user, in a %s sandbox", (mode) => {
  test.each(["project/keys", "project/.git", "data", "project/scripts"])("removes no protection: %s", (name) => {
    expect(plan({ mode }).hide).toContain(world.path("project/keys/key.json"));
    chmodSync(world.path(name), 0);
    expect(() => plan({ mode })).toThrow(refusal(name));
  });
});

test("code in another sandbox cannot uncover a secret of its folder for this one", () => {
  chmodSync(world.path("private/closed"), 0);
  const known = [world.path("private")];
  expect(() => plan({ key: "private/closed/key.json", known })).toThrow(refusal("private/closed"));
});

test("code in a linked worktree cannot make its sandbox forget the hooks of the repository", () => {
  const own = world.path("repository/.git/worktrees/tree");
  mkdirSync(world.path("tree/.githooks"), { recursive: true });
  make("repository/.git/worktrees/tree/HEAD");
  writeFileSync(world.path("tree/.git"), `gitdir: ${own}\n`);
  writeFileSync(`${own}/commondir`, "../..\n");
  writeFileSync(world.path("repository/.git/config"), "[core]\n\thooksPath = .githooks\n");
  world.giveAway(world.folder);
  expect(plan({ cwd: "tree", known: [own] }).readOnly).toContain(world.path("tree/.githooks"));
  chmodSync(own, 0);
  expect(() => plan({ cwd: "tree", known: [own] })).toThrow(refusal("repository/.git/worktrees/tree"));
});

test("a repository that code has closed to its user still counts as one, so trust and limits end there", () => {
  chmodSync(world.path("project"), 0);
  expect(asOrdinaryUser(() => mayBePresentSync(world.path("project/.git")))).toBe(true);
  chmodSync(world.path("project"), 0o755);
  expect(asOrdinaryUser(() => mayBePresentSync(world.path("project/.hg")))).toBe(false);
});

test.each(repositoryMarks)("code cannot move %s away, where trust and the limits of folders above may end", (mark) => {
  mkdirSync(world.path(`project/${mark}`), { recursive: true });
  world.giveAway(world.folder);
  expect(plan().anchors).toContain(world.path(`project/${mark}`));
});

test("a folder that no sandbox can write, and that this user may not enter, stops nothing", () => {
  chmodSync(world.path("private/closed"), 0);
  expect(plan({ key: "private/closed/key.json" }).hide).not.toContain(world.path("private/closed/key.json"));
});

test.skipIf(process.getuid?.() !== 0)(
  "a closed folder of another user stops nothing: code cannot enter it either",
  () => {
    chmodSync(world.path("project/.git"), 0o700);
    chownSync(world.path("project/.git"), 0, 0);
    expect(plan().readOnly).not.toContain(world.path("project/.git/hooks"));
  },
);

test("tools for files refuse to work beside a closed folder, because they do not know what to protect", () => {
  const env = { HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") };
  const roots = () => asOrdinaryUser(() => sandboxRoots(world.path("project"), { sandboxWrite: [] }, undefined, env));
  expect(roots()).toContain(`!${world.path("project/scripts/hooks")}`);
  chmodSync(world.path("project/.git"), 0);
  expect(roots).toThrow(refusal("project/.git"));
});
