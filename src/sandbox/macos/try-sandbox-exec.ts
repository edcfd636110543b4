import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { EngineWish, UsableEngine } from "../engine.ts";
import { findOutsidePython } from "../find-program.ts";

const program = "/usr/bin/sandbox-exec";

/** Not `/usr/bin`, whose python3 may ask the user to install the developer tools. */
const folders = [
  ...["/opt/homebrew/bin", "/usr/local/bin", "/Library/Frameworks/Python.framework/Versions/Current/bin"],
  ...["/Library/Developer/CommandLineTools/usr/bin", "/Applications/Xcode.app/Contents/Developer/usr/bin"],
];

/** The reason if it does not work: in a sandbox, programs cannot make another one. */
export async function trySandboxExec({ env, ...wish }: EngineWish): Promise<UsableEngine | string> {
  const path = (env.PATH ?? "").split(":").filter((folder) => folder !== "/usr/bin");
  const python = findOutsidePython({ ...wish, env: { ...env, PATH: path.join(":") } }, folders);
  if (python === null) return "sandbox-exec needs a Python outside of the working folder, which tries the limits.";
  try {
    await promisify(execFile)(program, ["-p", "(version 1)(allow default)", "/usr/bin/true"], {
      timeout: 5000,
      cwd: "/",
      env: {},
    });
    return { name: "sandbox-exec", program, python };
  } catch (error) {
    const [line = ""] = String((error as { stderr?: unknown }).stderr ?? "").split("\n");
    return `sandbox-exec does not work here (${line.trim() || (error as Error).message}).`;
  }
}
