import type { KernelBackend } from "../../../kernel/kernel.ts";
import { pythonLiteral } from "../../../python/python-literal.ts";
import { kernelModule } from "./finish-run.ts";

/** A program with its source. */
export type Program =
  | {
      readonly type: "file";
      /** As in `sys.argv[0]`. */
      readonly typed: string;
      /** Its full path. */
      readonly path: string;
      readonly content: Uint8Array;
      readonly args: readonly string[];
    }
  | {
      /** A folder or a zip file with a `__main__.py`, which Python reads itself. */
      readonly type: "archive";
      readonly typed: string;
      readonly path: string;
      readonly args: readonly string[];
    }
  | { readonly type: "module"; readonly name: string; readonly args: readonly string[] };

/** Another process starts the kernels of a gateway, without our standard input. */
const readsStdin = (backend: KernelBackend["name"]): string => (backend === "gateway" ? "False" : "True");

/** The cell that runs a program as Python would. Its value is None, so that nothing is shown. */
export function programCell(program: Program, backend: KernelBackend["name"]): string {
  const module = kernelModule("program", backend);
  if (program.type === "module") {
    return `${module}.run_module(${pythonLiteral(program.name)}, ${pythonLiteral(program.args)}, ${readsStdin(backend)})`;
  }
  const [typed, path, args] = [program.typed, program.path, program.args].map(pythonLiteral);
  if (program.type === "archive") return `${module}.run_archive(${typed}, ${path}, ${args}, ${readsStdin(backend)})`;
  const source = `__import__("binascii").a2b_base64("${Buffer.from(program.content).toString("base64")}")`;
  return `${module}.run_file(${typed}, ${path}, ${source}, ${args}, ${readsStdin(backend)})`;
}
