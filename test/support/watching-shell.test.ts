import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startWatchingShell } from "../../src/support/process/watching-shell.ts";
import { until } from "../kernel/until.ts";

test("the shell that watches for our end runs programs of the system, not those of a project on PATH", async () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-path-"));
  const before = process.env.PATH;
  try {
    writeFileSync(join(folder, "grep"), `#!/bin/sh\necho planted > ${folder}/said\n`);
    chmodSync(join(folder, "grep"), 0o755);
    process.env.PATH = `${folder}:${before}`;
    startWatchingShell(`read _; grep -c . > ${folder}/said < /dev/null; echo over > ${folder}/over`).end("\n");
    await until("the shell is over", () => existsSync(join(folder, "over")));
    expect(readFileSync(join(folder, "said"), "utf8")).toBe("0\n");
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  }
});
