import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deniedOutput } from "../../src/runtime/sandbox/denied-command.ts";
import { saySandbox } from "../../src/runtime/sandbox/say-sandbox.ts";
import { parseGitConfig } from "../../src/sandbox/git/git-config.ts";
import { protectedPaths } from "../../src/sandbox/protected/protected-files.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

const python = "/usr/bin/python3";

/** Ways to say that hooks are in `.githooks`. */
const spellings = [
  "[core]\n\thooksPath = .githooks\n",
  "[core]\n\thooksPath = .githooks # shared\n",
  "[core]\n\thooksPath = .githooks;shared\n",
  "[core] hooksPath=.githooks",
  "[CORE]\r\n\tHOOKSPATH = .githooks\r\n",
  "[core]\n\thooksPath = none\n[core]\n\thooksPath = .githooks\n",
  "[core]\n\thooksPath = .githooks\n[core]\n\thooksPath = none\n",
  '[core]\n\thooksPath = ./.git"hooks"  \n',
  "[core]\n\thooksPath = \\\n.git\\\nhooks\n",
  "[core]\n# a comment \\\n\thooksPath = .githooks\n",
  '[core "part"]\n\thooksPath = other\n[core]\n\tbare\n\thooksPath = .githooks\n',
];

describe("the configuration of git", () => {
  test.each([
    ...spellings,
    '[a "b \\"c\\\\ D"]\n\tkey = "x # y" ; z\n\tk2 = a\\tb\\\\\n\tk3 = "  in  quotes " \n\tk4 =   inner   spaces   \n\tk5 =\n\tk6 = a"b"c\n',
    '\uFEFF[include]\n\tpath = ~/x\n[includeIf "gitdir:~/code/"]\n\tpath = y\n',
  ])("%j is read as git does", (text) => {
    const said = execFileSync("git", ["config", "--file", "-", "--null", "--list"], { input: text, encoding: "utf8" });
    const entries = said.split("\0").filter((entry) => entry !== "");
    const asGit = entries.map((entry) => {
      const [name = "", ...value] = entry.split("\n");
      return { name: name.toLowerCase(), value: value.length === 0 ? "true" : value.join("\n") };
    });
    expect(parseGitConfig(text)).toEqual(asGit);
  });
});

for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(`git in ${engine}${skipReason(engine)}`, () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world?.remove());

    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", world.path("project"), ...args], { encoding: "utf8", env: around() });
    const around = () => ({ PATH: "/usr/bin:/bin", HOME: world.path("home"), GIT_CONFIG_NOSYSTEM: "1" });
    const renew = (...init: string[]): void => {
      rmSync(world.path("project"), { recursive: true });
      mkdirSync(world.path("project/.githooks"), { recursive: true });
      writeFileSync(world.path("project/.githooks/pre-commit"), "");
      rmSync(world.path("home/.gitconfig"), { force: true });
      git("init", "--quiet", ...init);
    };
    const inside = (...command: string[]): { readonly status: number | null; readonly said: string } => {
      const sandbox = world.open(engine, "workspace", python);
      try {
        const [program = "", ...args] = [...sandbox.launcher, ...command];
        const { status, stdout, stderr } = spawnSync(program, args, {
          encoding: "utf8",
          cwd: world.path("project"),
          env: { ...around(), ...sandbox.env },
        });
        return { status, said: stdout + stderr };
      } finally {
        sandbox.close();
      }
    };
    const appendTo = (...paths: string[]) => {
      const tryAll = `import sys
for path in sys.argv[1:]:
    try:
        with open(path, "a") as file: file.write("evil")
        print("wrote", path)
    except OSError: pass`;
      return inside(python, "-c", tryAll, ...paths).said;
    };
    const tools = () => protectedPaths({ write: [world.path("project")], userHome: world.path("home") });

    test("every spelling of core.hooksPath makes the hooks read-only, in the user's own configuration as well", () => {
      for (const spelling of spellings) {
        renew();
        appendFileSync(world.path("project/.git/config"), spelling);
        expect(appendTo(".githooks/pre-commit", ".githooks/post-commit"), spelling).toBe("");
      }
      renew();
      writeFileSync(world.path("home/.gitconfig"), spellings[1] as string);
      expect(appendTo(".githooks/pre-commit")).toBe("");
      expect(tools()).toContain(world.path("project/.githooks"));
    });

    test("hooks in the working folder are read-only where the repository around it names them", () => {
      renew();
      appendFileSync(world.path("project/.git/config"), "[core]\n\thooksPath = sub/hooks\n");
      mkdirSync(world.path("project/sub/hooks"), { recursive: true });
      const inSub = protectedPaths({ write: [world.path("project/sub")], userHome: world.path("home") });
      expect(inSub).toContain(world.path("project/sub/hooks"));
    });

    test("configuration that the repository includes from its working tree is read-only", () => {
      renew();
      appendFileSync(world.path("project/.git/config"), '[include]\n\tpath = "../.gitconfig" # ours\n');
      writeFileSync(world.path("project/.gitconfig"), '[includeIf "gitdir:/nowhere/"]\n\tpath = sub/more\n');
      mkdirSync(world.path("project/sub"));
      writeFileSync(world.path("project/sub/more"), "[core]\n\thooksPath = .githooks\n");
      expect(appendTo(".gitconfig", "sub/more", ".githooks/pre-commit", "sub/other")).toBe("wrote sub/other\n");
    });

    test("a file .git that leads into the folder protects what it leads to, and git works", () => {
      for (const layout of ["separate", "bare"]) {
        if (layout === "separate") renew(`--separate-git-dir=${world.path("project/.repo")}`);
        else {
          renew();
          execFileSync("mv", [world.path("project/.git"), world.path("project/.repo")]);
          writeFileSync(world.path("project/.git"), "gitdir: ./.repo\n");
          mkdirSync(world.path("project/.repo/worktrees"));
        }
        writeFileSync(world.path("project/.repo/hooks/pre-commit"), "");
        const written = appendTo(".git", ".repo/config", ".repo/hooks/pre-commit", ".repo/hooks/new", ".repo/HEAD.x");
        expect(written, layout).toBe("wrote .repo/HEAD.x\n");
        const moved = 'import os; os.rename(".repo", "moved")';
        expect(inside(python, "-c", moved).status, layout).not.toBe(0);
        const commit = "echo x > f && git add f && git -c user.name=a -c user.email=a@b commit -qm x && git status -s";
        expect(inside("/bin/sh", "-c", commit), layout).toEqual({
          status: 0,
          said: expect.not.stringContaining("fatal"),
        });
        expect(git("log", "--format=%s")).toBe("x\n");
      }
    });

    describe("in a linked worktree, whose repository is elsewhere", () => {
      const main = () => world.path("outside/main");
      const inMain = (...args: string[]): string =>
        execFileSync("git", ["-C", main(), ...args], { encoding: "utf8", env: around() });
      const own = (): string => `${main()}/.git/worktrees/project`;
      beforeEach(() => {
        rmSync(main(), { recursive: true, force: true });
        rmSync(world.path("project"), { recursive: true });
        mkdirSync(main());
        writeFileSync(world.path("home/.gitconfig"), "[user]\n\tname = a\n\temail = a@b\n");
        inMain("init", "--quiet", "--initial-branch=main");
        inMain("commit", "--quiet", "--allow-empty", "-m", "first");
        inMain("worktree", "add", "--quiet", "-b", "agent/one", world.path("project"));
      });

      test("the sentence about the sandbox names the repository once, and not each part of it", () => {
        const { plan, engine: name, close } = world.open(engine, "workspace", python);
        close();
        const places = `${world.path("project")}, what git needs of ${main()}/.git and a private /tmp`;
        expect(saySandbox({ ...plan, engine: name })).toContain(`they can write only in ${places}, `);
        const limits = deniedOutput(plan, "fatal: Unable to create '/etc/x': Read-only file system");
        expect(limits.join()).toContain(`lets commands write only in ${places}, `);
      });

      test("git add and commit work, and everything that runs or leads elsewhere is read-only", () => {
        const commit =
          "echo x > f && git add f && git commit -qm second && git status -s && git commit -q --amend -m 2nd";
        expect(inside("/bin/sh", "-c", commit)).toEqual({ status: 0, said: "" });
        expect(inMain("log", "--format=%s", "agent/one")).toBe("2nd\nfirst\n");
        expect(inMain("reflog", "agent/one")).toContain("second");
        expect(inMain("fsck", "--strict")).toBe("");
        const forbidden = [
          ...["config", "hooks/pre-commit", "HEAD", "index", "info/attributes", "packed-refs", "worktrees/other"],
          ...["logs/HEAD", "logs/refs/heads/main", "objects/info/alternates", "objects/pack/x.pack", "commondir"],
        ].map((name) => `${main()}/.git/${name}`);
        const ofOwn = ["gitdir", "commondir"].map((name) => `${own()}/${name}`);
        expect(appendTo(".git", ...forbidden, ...ofOwn)).toBe("");
        const replace = `import os
for path in ${JSON.stringify([...ofOwn, own(), `${main()}/.git/objects`, `${main()}/.git/logs/refs/heads/agent/one`])}:
    for act in (lambda: os.rename(path, path + ".x"), lambda: os.rmdir(path) if os.path.isdir(path) else os.remove(path)):
        try:
            act()
            print("did", path)
        except OSError: pass`;
        expect(inside(python, "-c", replace).said).toBe("");
      });

      test("git never follows a link that a cell put in the place of a file which git writes where it is", () => {
        const replace = `import os, sys
for path in sys.argv[2:]:
    for act in (lambda: os.remove(path), lambda: os.rename(path, path + ".x"), lambda: os.symlink(sys.argv[1], path)):
        try:
            act()
            print("did", path)
        except OSError: pass`;
        const names = ["logs/HEAD", "logs", "COMMIT_EDITMSG", "FETCH_HEAD"].map((name) => `${own()}/${name}`);
        const victim = world.path("outside/victim");
        expect(inside(python, "-c", replace, victim, ...names)).toEqual({ status: 0, said: "" });
        expect(inside("/bin/sh", "-c", "git commit -q --allow-empty -m inside")).toEqual({ status: 0, said: "" });
        git("commit", "--quiet", "--allow-empty", "-m", "outside");
        expect(git("reflog").split("\n").slice(0, 2).join()).toMatch(/commit: outside,.*commit: inside/);
        expect(readFileSync(victim, "utf8")).toBe("untouched");
      });

      test("a HEAD that a cell wrote opens no other file", () => {
        writeFileSync(`${own()}/HEAD`, "ref: refs/heads/../../../hooks/pre-commit\n");
        writeFileSync(`${main()}/.git/hooks/pre-commit`, "");
        expect(appendTo(`${main()}/.git/hooks/pre-commit`)).toBe("");
        writeFileSync(`${own()}/HEAD`, "ref: refs/heads/link\n");
        symlinkSync(world.path("outside/victim"), `${main()}/.git/logs/refs/heads/link`);
        expect(appendTo(world.path("outside/victim"), `${main()}/.git/logs/refs/heads/link`)).toBe("");
      });

      const object = () => `${main()}/.git/objects/new`;
      test.each<[what: string, change: () => void]>([
        ["that the repository does not list", () => writeFileSync(`${own()}/gitdir`, "/elsewhere/.git\n")],
        ["of another repository", () => writeFileSync(`${own()}/commondir`, "../../../../folder\n")],
        [
          "whose objects are a link",
          () => {
            execFileSync("mv", [`${main()}/.git/objects`, `${main()}/.git/kept`]);
            symlinkSync(world.path("outside/folder"), `${main()}/.git/objects`);
          },
        ],
        [
          "whose own log is a link",
          () => {
            rmSync(`${own()}/logs/HEAD`);
            symlinkSync(world.path("outside/victim"), `${own()}/logs/HEAD`);
          },
        ],
        [
          "that would read a configuration which cells could make",
          () => inMain("config", "extensions.worktreeConfig", "true"),
        ],
        [
          "by a file .git that names any folder",
          () => writeFileSync(world.path("project/.git"), `gitdir: ${main()}/.git\n`),
        ],
        [
          "by a link to the file .git of another one",
          () => {
            inMain("worktree", "add", "--quiet", "-b", "other", world.path("outside/other"));
            rmSync(world.path("project/.git"));
            symlinkSync(world.path("outside/other/.git"), world.path("project/.git"));
          },
        ],
        [
          "whose own logs are a link",
          () => {
            rmSync(`${own()}/logs`, { recursive: true });
            symlinkSync(world.path("outside/folder"), `${own()}/logs`);
          },
        ],
      ])("nothing is writable for a worktree %s", (_, change) => {
        expect(appendTo(object())).toBe(`wrote ${object()}\n`);
        rmSync(object());
        change();
        expect(appendTo(object(), `${own()}/new`, world.path("outside/folder/new"))).toBe("");
        expect(existsSync(world.path("outside/folder/HEAD"))).toBe(false);
      });
    });

    test("git works in an ordinary repository, and a pipe in place of a configuration blocks nobody", () => {
      renew();
      appendFileSync(world.path("project/.git/config"), "[include]\n\tpath = ../pipe\n");
      execFileSync("mkfifo", [world.path("project/pipe")]);
      expect(tools()).toContain(world.path("project/pipe"));
      rmSync(world.path("project/pipe"));
      const commit = "echo x > f && git add f && git -c user.name=a -c user.email=a@b commit -qm x && git branch new";
      expect(inside("/bin/sh", "-c", commit).status).toBe(0);
      expect(git("log", "--format=%s")).toBe("x\n");
    });
  });
}
