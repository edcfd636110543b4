import { access } from "node:fs/promises";
import type { KernelInfo } from "../../kernel/kernel.ts";
import { installedKernelspecs } from "../../kernel/zmq/kernelspec.ts";
import { type Notebook, notebookMetadata } from "../../notebook/notebook.ts";
import { isJsonObject } from "../../support/json/parse.ts";

/** Names that mean any Python: Jupyter replaces them with the Python that it runs on. */
const anyPython = /^python[23]?$/;

/** A sentence for a notebook that names a kernel which is not installed; null when there is nothing to report. */
export async function sayMissingKernelspec(notebook: Notebook, kernel: KernelInfo | null): Promise<string | null> {
  const name = kernelspecName(notebook);
  if (name === null || kernel === null || anyPython.test(name)) return null;
  // A gateway on another machine has kernelspecs of its own.
  const runsHere = await access(kernel.executable).then(
    () => true,
    () => false,
  );
  if (!runsHere) return null;
  const installed = await installedKernelspecs({ interpreter: kernel.executable, env: variables() });
  if (installed.some((spec) => spec.name.toLowerCase() === name.toLowerCase())) return null;
  const language = kernel.language === "python" ? "Python" : kernel.language;
  return (
    `The notebook names the kernel ${JSON.stringify(name)}, which is not installed here. ` +
    `${language} ${kernel.version} (${kernel.executable}) ran it instead.`
  );
}

function kernelspecName(notebook: Notebook): string | null {
  const { kernelspec } = notebookMetadata(notebook);
  const name = kernelspec !== undefined && isJsonObject(kernelspec) ? kernelspec.name : undefined;
  return typeof name === "string" && name !== "" ? name : null;
}

function variables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
