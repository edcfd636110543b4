import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { started } from "../../src/support/process/process-group.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-started-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (file: string, cwd = folder) => started(() => spawn(file, { cwd, stdio: ["ignore", "pipe", "pipe"] }));

test("a program that runs has its streams", async () => {
  const child = await start("/bin/pwd");
  expect(await text(child.stdout)).toMatch(/granary-started-test-/);
});

describe("a program that cannot start rejects, and no event crashes the host", () => {
  const notExecutable = join(folder, "not-executable");
  writeFileSync(notExecutable, "");

  test.each([
    ["because there is none", "/no/such/program", folder, "ENOENT"],
    ["because its folder is gone", "/bin/pwd", "/no/such/folder", "ENOENT"],
    ["because it may not be executed", notExecutable, folder, "EACCES"],
  ])("%s", async (_why, file, cwd, code) => {
    await expect(start(file, cwd)).rejects.toMatchObject({ code });
  });
});
