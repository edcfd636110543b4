import { execFileSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { temporaryFolder } from "../kernel/runner/start-runner.ts";

/** The user nobody: the limit of processes does not count for root. */
const nobody = { uid: 65534, gid: 65534 };
const python = "/usr/bin/python3";
const script = inRepository("test/many-processes/host-with-few-processes.mjs");

test.skipIf(!canActAsNobody())(
  "where no more processes are allowed, a kernel is spawned, or the error names the limit",
  () => {
    const folder = temporaryFolder();
    chownSync(folder, nobody.uid, nobody.gid);
    const modules = ["runner-backend.js", "warm/warm-interpreters.js"].map((name) =>
      inRepository(`dist/kernel/runner/${name}`),
    );
    const env = { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder };
    const output = execFileSync(process.execPath, [script, ...modules, python], {
      ...nobody,
      env,
      cwd: "/",
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toEqual({
      texts: ["42\n", "42\n", "42\n"],
      isForked: [true, false],
      refusal:
        "Python could not be started: this user may have no more processes. End some, or raise the limit with `ulimit -u`.",
    });
  },
);

function canActAsNobody(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== "linux" || !existsSync(python)) return false;
  try {
    execFileSync(process.execPath, ["-e", `fs.accessSync(${JSON.stringify(script)})`], { ...nobody, stdio: "ignore" });
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
