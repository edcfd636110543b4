import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filterOf, User } from "./users-shell.ts";

describe("a command with a snapshot has the user's", () => {
  test("aliases", async () => {
    const shell = await new User({ ".bashrc": "alias hello='echo hello'" }).captured();
    expect(shell.run("hello world")).toBe("hello world\n");
  });

  test("functions, with the functions that they call", async () => {
    const shell = await new User({
      ".bashrc": `
        shopt -s extglob
        greet() { _greeting "$1"; }
        _greeting() { case $1 in @(Ada|Bob)) __say <<END ;; *) echo who? ;; esac; }
hello $1
END
        __say() { cat; }
        _completion() { :; }`,
    }).captured();
    expect(shell.run("greet Ada; greet Eve")).toBe("hello Ada\nwho?\n");
    expect(shell.text).not.toContain("_completion");
  });

  test("functions in the shells that a command starts, if they were exported", async () => {
    const shell = await new User({ ".bashrc": "hi() { echo hi; }; export -f hi; ho() { echo ho; }" }).captured();
    expect(shell.run("bash -c 'hi; type -t ho'; true")).toBe("hi\n");
  });

  test("options that change what a command means", async () => {
    const user = new User({ ".bashrc": "shopt -s globstar nullglob; set -o noclobber", "a/b/c.txt": "" });
    const shell = await user.captured();
    expect(shell.run("echo **/*.txt *.none; shopt -po noclobber")).toBe("a/b/c.txt\nset -o noclobber\n");
  });

  test("PATH, after folders that were added since", async () => {
    const user = new User({ ".bashrc": "PATH=~/bin:$PATH" });
    const shell = await user.captured();
    expect(shell.run('echo "$PATH"')).toBe(`${user.folder}/bin:${user.env.PATH}\n`);
    expect(shell.run('echo "$PATH"', { PATH: `/added/by/a/cell:${user.env.PATH}` })).toBe(
      `/added/by/a/cell:${user.folder}/bin:${user.env.PATH}\n`,
    );
    expect(shell.run(`PATH=; . ${shell.path}; echo "$PATH"`)).toBe(`${user.folder}/bin:${user.env.PATH}\n`);
  });

  test("exported variables, where the command's environment has none of that name", async () => {
    const shell = await new User({ ".bashrc": 'export EDITOR="it\'s vi" PAGER=less' }).captured();
    expect(shell.run('echo "$EDITOR, $PAGER"', { PAGER: "cat" })).toBe("it's vi, cat\n");
  });
});

describe("a snapshot leaves out", () => {
  test("exported variables that the filter refuses, in the file and in children", async () => {
    const shell = await new User({ ".bashrc": "export OPENAI_API_KEY=sk-secret EDITOR=vi" }).captured();
    expect(shell.run("env")).toContain("EDITOR=vi");
    expect(shell.run("env; set")).not.toContain("sk-secret");
    expect(shell.text).not.toContain("sk-secret");
  });

  test("variables that were in the environment before", async () => {
    const user = new User();
    user.env.HANDED_ON = "by whoever started it";
    expect((await user.captured()).text).not.toContain("HANDED_ON");
  });

  test("variables that choose a Python", async () => {
    const shell = await new User({ ".bashrc": "export VIRTUAL_ENV=/old CONDA_PREFIX=/conda PYTHONHOME=/x" }).captured();
    expect(shell.run("env")).not.toMatch(/VIRTUAL_ENV|CONDA|PYTHONHOME/);
  });

  test("options that would make a command fail or print", async () => {
    const user = new User({ ".bashrc": "set -o posix -o allexport -o noglob; set -euxv", "a.txt": "" });
    const shell = await user.captured();
    expect(shell.run("exec 2>&1; false; echo $undefined *.txt")).toBe("a.txt\n");
  });

  test("aliases that ask before they act, because there is no one to answer", async () => {
    const user = new User({ ".bashrc": "alias rm='rm -i' cp='cp --interactive' mv='mv -v'", "old.txt": "" });
    const shell = await user.captured();
    shell.run("rm old.txt");
    expect(existsSync(join(user.folder, "old.txt"))).toBe(false);
    expect(shell.run("alias -p")).toBe("alias mv='mv -v'\n");
  });

  test("a part that is not UTF-8, and keeps the rest", async () => {
    const rc = Buffer.concat([Buffer.from("a() { echo a; }; b() { echo '"), Buffer.from([0xff]), Buffer.from("'; }")]);
    const shell = await new User({ ".bashrc": rc }).captured();
    expect(shell.run("a; type -t b; true")).toBe("a\n");
  });
});

describe("a snapshot is made", () => {
  const countingRc = "echo asked >> ~/log; alias hello='echo hello'";

  test("once: the next process uses it without starting the shell", async () => {
    const user = new User({ ".bashrc": countingRc });
    const first = user.snapshot();
    expect(existsSync(first.path)).toBe(false);
    expect(await first.ready).toEqual({ made: "now", problem: null });
    const second = user.snapshot();
    expect(second.path).toBe(first.path);
    expect(await second.ready).toEqual({ made: "before", problem: null });
    expect(user.read("log")).toBe("asked\n");
  });

  test("by several processes at once without harm", async () => {
    const user = new User({ ".bashrc": countingRc });
    const shells = await Promise.all([user.captured(), user.captured(), user.captured()]);
    expect(shells[2].run("hello")).toBe("hello\n");
    expect(readdirSync(dirname(shells[0].path))).toHaveLength(1);
  });

  test("again when an rc file changes", async () => {
    const user = new User({ ".bashrc": "alias hello='echo hello'" });
    const before = await user.captured();
    user.write(".bashrc", "alias hello='echo good morning'");
    const after = await user.captured();
    expect(after.path).not.toBe(before.path);
    expect(after.run("hello")).toBe("good morning\n");
  });

  test("again when PATH or the shell changes", async () => {
    const user = new User();
    const paths = [
      user.snapshot(),
      user.snapshot({ shell: "/bin/bash" }),
      user.snapshot({ env: { ...user.env, PATH: "/bin:/usr/bin" } }),
    ];
    expect(new Set(paths.map(({ path }) => path)).size).toBe(3);
    await Promise.all(paths.map(({ ready }) => ready));
  });

  test("again when the filter changes", async () => {
    const user = new User({ ".bashrc": "export EDITOR=vi DEPLOY_KEY=k" });
    await user.captured();
    const filter = filterOf((name) => name !== "EDITOR");
    const allowed = await user.captured({ filter });
    expect(allowed.run('echo "$EDITOR $DEPLOY_KEY"')).toBe(" k\n");
    expect(await user.snapshot({ filter }).ready).toMatchObject({ made: "before" });
    // Variables that one run was allowed must not reach the next.
    expect((await user.captured()).run('echo "$EDITOR $DEPLOY_KEY"')).toBe("vi \n");
  });

  test("again after a day, because rc files source others that are not watched", async () => {
    const user = new User({ ".bashrc": "source ~/more", more: "alias hello='echo old'" });
    const { path } = await user.captured();
    user.write("more", "alias hello='echo new'");
    age(path, 2);
    expect((await user.captured()).run("hello")).toBe("new\n");
  });

  test("again when the file is damaged", async () => {
    const user = new User({ ".bashrc": "alias hello='echo hello'" });
    const { path } = await user.captured();
    user.write(path.slice(user.folder.length), "fi fi fi");
    expect((await user.captured()).run("hello")).toBe("hello\n");
  });

  test("readable only by the user, and old unused ones are removed", async () => {
    const user = new User();
    user.write(".granary/shell/snapshot-0123.sh", "");
    user.write(".granary/shell/snapshot-4567.sh", "");
    age(join(user.granaryHome, "shell/snapshot-0123.sh"), 8);
    const { path } = await user.captured();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path)).sort()).toEqual(
      ["snapshot-4567.sh", path.slice(dirname(path).length + 1)].sort(),
    );
  });
});

describe("without a snapshot, the reason is reported", () => {
  test("a shell that does not exist", async () => {
    const { ready } = new User().snapshot({ shell: "/no/such/bash" });
    expect(await ready).toEqual({ made: null, problem: expect.stringContaining("/no/such/bash could not be started") });
  });

  test("a folder that cannot be written", async () => {
    const user = new User({ "a-file": "" });
    const { problem } = await user.snapshot({ home: join(user.folder, "a-file") }).ready;
    expect(problem).toMatch(/^The snapshot of the user's shell could not be written: .*ENOTDIR/);
  });

  test("an rc file that runs Granary does not capture itself", async () => {
    const user = new User({ ".bashrc": 'echo "$GRANARY_SHELL_CAPTURE" > ~/mark' });
    await user.captured();
    const env = { ...user.env, GRANARY_SHELL_CAPTURE: user.read("mark").trim(), PATH: "/usr/bin:/bin" };
    expect((await user.snapshot({ env }).ready).problem).toContain("started by an rc file");
  });
});

function age(path: string, days: number): void {
  const then = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  utimesSync(path, then, then);
}
