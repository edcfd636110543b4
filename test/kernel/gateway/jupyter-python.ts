import { execFileSync } from "node:child_process";
import { environment } from "../../environment/pythons.ts";
import { describe } from "../harness.ts";

/** A Python with Kernel Gateway, jupyter_server and ipykernel, or why there is none here. */
type JupyterPython = { readonly python: string } | { readonly missing: string };

const modules = ["ipykernel", "kernel_gateway", "jupyter_server"];

const jupyterPython: JupyterPython = find();

/** Tests that need this Python; skipped by name, with the reason, if it is missing. */
export function describeWithJupyter(name: string, stories: (python: string) => void): void {
  if ("python" in jupyterPython) describe(name, () => stories(jupyterPython.python));
  else describe.skip(`${name} (${jupyterPython.missing})`, () => stories("python3"));
}

function find(): JupyterPython {
  const found = environment("main");
  if ("missing" in found) return found;
  const absent = modules.filter((module) => !isImportable(found.python, module));
  return absent.length === 0 ? found : { missing: `the environment "main" has no ${absent.join(", no ")}` };
}

function isImportable(python: string, module: string): boolean {
  try {
    execFileSync(python, ["-c", `import importlib.util as u; assert u.find_spec("${module}")`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
