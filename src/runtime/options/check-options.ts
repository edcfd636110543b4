import type { ExecutePythonOptions } from "../execute-python.ts";
import type { RunNotebooksOptions } from "../run-notebooks.ts";
import type { RuntimeOptions } from "../runtime-options.ts";
import type { StartKernelOptions } from "../start-kernel.ts";

interface Calls {
  readonly createRuntime: RuntimeOptions;
  readonly startKernel: StartKernelOptions;
  readonly executePython: ExecutePythonOptions;
  readonly runNotebooks: RunNotebooksOptions;
}

/** All names, which the types alone would not keep at run time; one that is missing here does not compile. */
const known: { readonly [Call in keyof Calls]: Readonly<Record<keyof Calls[Call], true>> } = {
  createRuntime: {
    ...{
      cwd: true,
      top: true,
      requireCwd: true,
      env: true,
      extraEnv: true,
      inheritsStdin: true,
      settings: true,
      defaults: true,
    },
    ...{ trust: true, host: true, artifactsFolder: true, textArtifacts: true, placePictures: true, attach: true },
    ...{ kernels: true, startsOneKernel: true, endsWithItsCells: true, loadBackend: true, sessions: true },
    ...{ onInterpreter: true, stderr: true },
  },
  startKernel: {
    ...{ cwd: true, env: true, extraEnv: true, interpreter: true, attach: true, settings: true, trust: true },
    ...{ host: true, signal: true },
  },
  executePython: {
    ...{ cwd: true, timeoutMs: true, signal: true, onChunk: true, runtime: true, session: true, reset: true },
  },
  runNotebooks: {
    ...{ jobs: true, cwd: true, runtime: true, saveTo: true, onProgress: true, onNotebook: true, timeoutMs: true },
    ...{ allowErrors: true, parameters: true, recordTimes: true, maxCellMegabytes: true, signal: true },
  },
};

export async function checkOptions<Call extends keyof Calls>(call: Call, options: Calls[Call]): Promise<void> {
  await checkNames(call, options, known[call]);
}

/**
 * For callers without the help of types: `{ sandbox: "strict" }` in the wrong place would otherwise mean no sandbox.
 * @throws {GranaryError} `invalid-argument`
 */
export async function checkNames(call: string, options: object, names: Readonly<Record<string, true>>): Promise<void> {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const { unknownOption } = await import("./unknown-option.ts");
    throw unknownOption(call, name, Object.keys(names));
  }
}
