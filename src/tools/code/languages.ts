import { type InstalledKernel, installedKernels } from "../../runtime/kernel/installed-kernels.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { deadlineAfter } from "../../support/deadline.ts";
import { GranaryError } from "../../support/granary-error.ts";

export interface Language {
  /** Its usual name: `python`, `bash`. */
  readonly name: string;
  /** Its kernelspec; undefined for the kernel of the settings. */
  readonly kernel: string | undefined;
}

const python: ReadonlySet<string> = new Set(["py", "python", "python3"]);

/** Maps a cell's language to its kernel. */
export function createLanguages(runtime: Runtime): (name: string, signal?: AbortSignal) => Promise<Language> {
  const { kernel, startSeconds } = runtime.settings.python;
  const runsJupyter = runtime.backend !== "runner";

  async function installed(signal: AbortSignal | undefined): Promise<readonly InstalledKernel[]> {
    if (!runsJupyter) return [];
    using deadline = deadlineAfter(startSeconds * 1000, signal);
    return await installedKernels(await runtime.startContext("main"), deadline.signal);
  }

  return async (name, signal) => {
    const wanted = name.toLowerCase();
    const isPython = python.has(wanted);
    if (isPython && kernel === null) return { name: "python", kernel: undefined };
    const kernels = await installed(signal);
    const found = kernels.find((each) =>
      isPython ? each.language === "python" : each.language === wanted || each.name === name,
    );
    if (found !== undefined) return { name: found.language, kernel: found.name };
    throw unknown(name, kernels, runsJupyter);
  };
}

function unknown(name: string, kernels: readonly InstalledKernel[], runsJupyter: boolean): GranaryError {
  const others = kernels.map(({ language }) => language).filter((language) => language !== "python" && language !== "");
  const known = [...new Set(["py", ...others])].join(", ");
  const remedy = runsJupyter
    ? "Install a Jupyter kernel for it to have more."
    : "Other languages need Jupyter kernels: set python.backend to zmq or gateway.";
  return new GranaryError(
    "unknown-language",
    `There is no language ${JSON.stringify(name)}. Known: ${known}. ${remedy}`,
  );
}
