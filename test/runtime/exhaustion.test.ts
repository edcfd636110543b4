import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { environmentIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

/** Runs a host that may open few files, and has `spare` left when it needs a kernel. */
async function hostWith({ spare }: { readonly spare: number }) {
  const script = inRepository("test/runtime/few-files.mjs");
  const runtime = inRepository("dist/runtime/granary.js");
  const command = `ulimit -n 200 && exec "$0" "$@"`;
  const given = ["-c", command, process.execPath, script, runtime, folder, String(spare)];
  const { stdout } = await promisify(execFile)("/bin/sh", given, { env: environmentIn(folder) });
  return JSON.parse(stdout);
}

describe("a host that has no file descriptors left", () => {
  test("gets them from idle sessions, which are told so", async () => {
    const { status, output, idle } = await hostWith({ spare: 6 });
    expect({ status, output }).toEqual({ status: "ok", output: "it runs\n" });
    expect(idle).toEqual({ generation: 2, state: "restarted", reason: "Too many files were open." });
  });
});
