import { readFileSync } from "node:fs";
import type { KernelBackend } from "../../../kernel/kernel.ts";
import { pythonLiteral } from "../../../python/python-literal.ts";
import { packageFile } from "../../../support/files/package-file.ts";

/** A Python expression for a module of the runner's package. Kernels that are not the runner get its text. */
export function kernelModule(name: "program" | "ending", backend: KernelBackend["name"]): string {
  if (backend === "runner") return `__import__("granary_runner.${name}", fromlist=["__name__"])`;
  const text = readFileSync(packageFile(`python/granary_runner/${name}.py`), "utf8");
  const compiled = `compile(${pythonLiteral(text)}, "<granary>/${name}.py", "exec", 0, True)`;
  const made = `(lambda module: (exec(${compiled}, module.__dict__), module)[1])(type(sys)(name))`;
  return `(lambda sys, name: sys.modules.get(name) or sys.modules.setdefault(name, ${made}))(__import__("sys"), "granary_${name}")`;
}
