import { createHash } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { makeFolder } from "../../../support/files/make-folder.ts";

/**
 * The variables of a gateway itself: where its programs, its files and Jupyter's are. A kernel gets all others
 * when it starts. Different values of these variables need another gateway.
 */
const variables = [
  ...["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE"],
  ...["PYTHONPATH", "PYTHONHOME", "PYTHONNOUSERSITE", "PYTHONUSERBASE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"],
  ...["JUPYTER_PATH", "JUPYTER_DATA_DIR", "XDG_DATA_HOME", "CONDA_PREFIX", "VIRTUAL_ENV"],
];

export function gatewayEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const present = variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return Object.fromEntries(present);
}

/** One for each interpreter and environment: project B must never run on project A's Python. */
export function folderFor(home: string, interpreter: string, env: Readonly<Record<string, string>>): string {
  const parts = [interpreter, ...Object.entries(gatewayEnvironment(env)).flat()];
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
  return join(gatewaysIn(home), key);
}

export function gatewaysIn(home: string): string {
  return join(home, "gateway");
}

/** Only the owner may read the folder: its token allows running any code. */
export async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  await chmod(folder, 0o700);
}

/**
 * A kernelspec of ours, which Jupyter finds before any other of its name: a `python3` that the user installed
 * may be on any Python. Returns the folder to put first into JUPYTER_PATH.
 */
export async function writeKernelspec(folder: string, interpreter: string): Promise<string> {
  const data = join(folder, "jupyter");
  const spec = {
    argv: [interpreter, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
    display_name: "Python 3 (Granary)",
    language: "python",
    interrupt_mode: "signal",
    metadata: { debugger: true },
  };
  await makeFolder(join(data, "kernels", "python3"), 0o700);
  await writeFileAtomically(join(data, "kernels", "python3", "kernel.json"), `${JSON.stringify(spec, null, 1)}\n`);
  return data;
}
