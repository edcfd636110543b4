import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { until } from "../kernel/until.ts";
import { User } from "./users-shell.ts";

describe("an rc file does no harm when it", () => {
  test.each<[does: string, rc: string]>([
    ["prints", "alias hello='echo hello'; echo noise; echo noise >&2; printf '\\0end\\0'; echo noise >/dev/tty"],
    ["has a syntax error at its end", "alias hello='echo hello'\nif then fi ((("],
    ["sets -e and then fails", "alias hello='echo hello'; trap 'echo bye' EXIT ERR DEBUG; set -eu"],
    ["reads from the keyboard", "read -r answer; read -t 100 -n 1 key </dev/tty; alias hello='echo hello'"],
    [
      "redefines builtins",
      `alias hello='echo hello' printf=true builtin=false declare=false alias=false if=false eval=false
      read() { exit; }; declare() { exit; }; alias() { exit; }; printf() { exit; }; set() { exit; }; eval() { exit; }`,
    ],
    ["changes how words are split", "IFS=aeiou; alias hello='echo hello'"],
    ["closes its output", "alias hello='echo hello'; exec >&- 2>&-"],
    ["changes the folder and PATH", "alias hello='echo hello'; cd /; PATH=/no/where"],
    ["starts background processes", "alias hello='echo hello'; sleep 600 & (sleep 600 &); disown -a"],
    ["returns early", "alias hello='echo hello'; return 3"],
  ])("%s", async (_does, rc) => {
    const shell = await new User({ ".bashrc": rc }).captured();
    expect(shell.run("hello")).toBe("hello\n");
  });
});

describe("there is no snapshot, and the reason is reported, when an rc file", () => {
  test.each<[does: string, rc: string, reason: string]>([
    ["exits", "exit 3", "bash ended with exit code 3 while it read its rc files"],
    ["becomes another program", "exec cat", "bash ended with exit code 0 while it read its rc files"],
    ["becomes one that stays in the background", "sleep 600 & exec true", "bash ended with exit code 0"],
    ["kills its shell", "kill -9 $$", "bash ended by SIGKILL"],
    ["closes the descriptor of the answer", "exec 3>&-", "bash ended with exit code"],
  ])("%s", async (_does, rc, reason) => {
    const user = new User({ ".bashrc": rc });
    const { path, ready } = user.snapshot();
    expect((await ready).problem).toContain(reason);
    expect(existsSync(path)).toBe(false);
  });

  test.each<[does: string, rc: string]>([
    ["waits for ever", "touch ~/begun; trap '' TERM HUP INT; while :; do sleep 600; done"],
    ["prints for ever", "yes"],
    ["fills memory with its answer", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >&3; done"],
  ])("%s", async (_does, rc) => {
    const user = new User({ ".bashrc": rc });
    const { path, ready } = user.snapshot({ withinMs: 500 });
    expect((await ready).problem).toMatch(/after 0.5 seconds|more than 8 MB/);
    expect(existsSync(path)).toBe(false);
  });
});

describe("a shell that failed", () => {
  const counts = (rest: string) => `echo x >> ~/asked\n${rest}\n`;

  test.each([
    ["timed out", "sleep 600", "timed out after 0.5 seconds"],
    ["ended", "exit 3", "ended with exit code 3"],
  ])("because it %s is not asked again until an rc file changes", async (_why, rc, reason) => {
    const user = new User({ ".bashrc": counts(rc) });
    const first = await user.snapshot({ withinMs: rc === "exit 3" ? 30_000 : 500 }).ready;
    expect(first.problem).toContain(reason);
    expect(await user.snapshot().ready).toEqual(first);
    expect(user.read("asked").split("\n")).toHaveLength(2);
    user.write(".bashrc", counts("alias hey='echo hello'"));
    expect((await user.captured()).run("hey")).toBe("hello\n");
  });

  test("is asked again after a cancelled capture", async () => {
    const user = new User({ ".bashrc": "alias hey='echo hello'" });
    expect((await user.snapshot({ signal: AbortSignal.abort() }).ready).made).toBeNull();
    expect((await user.captured()).run("hey")).toBe("hello\n");
  });
});

// Where environments of processes cannot be read, processes that leave the shell's process group survive.
describe.runIf(process.platform === "linux")("no process is left behind", () => {
  const strays =
    "sleep 600 & set -m; sleep 600 & setsid sleep 600 & (setsid sleep 600 &); nohup sleep 600 >/dev/null 2>&1 &";

  test("after a capture", async () => {
    const user = new User({ ".bashrc": `export OWN_MARK=1\n${strays}\nalias hello='echo hello'` });
    await user.captured();
    await until("all of them have ended", () => processesOf(user) === 0);
  });

  test("by an rc file that hangs", async () => {
    const user = new User({ ".bashrc": `${strays}\nsetsid sleep 600` });
    await user.snapshot({ withinMs: 500 }).ready;
    await until("all of them have ended", () => processesOf(user) === 0);
  });

  test("by a capture that is cancelled", async () => {
    const cancel = new AbortController();
    const user = new User({ ".bashrc": `${strays}\ntouch ~/begun; sleep 600` });
    const { ready } = user.snapshot({ signal: cancel.signal });
    await until("the rc file runs", () => existsSync(`${user.folder}/begun`));
    expect(processesOf(user)).toBeGreaterThan(0);
    cancel.abort();
    expect(await ready).toEqual({ made: null, problem: "The capture of the user's shell was cancelled." });
    await until("all of them have ended", () => processesOf(user) === 0);
  });

  test("and a lock that an rc file holds is released", async () => {
    const hold = `set -C; : > "$HOME/lock"; trap 'rm -f "$HOME/lock"' EXIT; : > "$HOME/locked"; sleep 600`;
    const user = new User({ ".bashrc": `bash -c '${hold.replaceAll("'", "'\\''")}'` });
    const controller = new AbortController();
    const { ready } = user.snapshot({ signal: controller.signal });
    await until("the lock is held", () => existsSync(`${user.folder}/locked`));
    controller.abort();
    await ready;
    expect(existsSync(`${user.folder}/lock`)).toBe(false);
  });

  test("and none starts when the capture was cancelled before", async () => {
    const user = new User({ ".bashrc": "touch ~/begun" });
    const { problem } = await user.snapshot({ signal: AbortSignal.abort() }).ready;
    expect(problem).toContain("cancelled");
    expect(existsSync(`${user.folder}/begun`)).toBe(false);
  });
});

/** How many processes were started in the user's home. */
function processesOf(user: User): number {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`HOME=${user.folder}\0`))
    .length;
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
