import { join } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { isPresent } from "../../support/files/look.ts";
import { isMadeOfFolder, withoutFolderPrograms } from "../find/in-folder.ts";
import { lookAtManaged } from "./managed-look.ts";
import { runTool, type ToolEnd } from "./managed-tool.ts";
import { managedVariables } from "./managed-variables.ts";

export interface CheckManagedOptions {
  /** Granary's own folder. */
  readonly home: string;
  /** The folder whose code must not run. */
  readonly cwd: string;
  readonly env?: Environment;
  readonly signal?: AbortSignal;
}

export type ManagedState =
  | {
      readonly state: "ready";
      readonly path: string;
      readonly python: string;
      readonly version: string;
      readonly packages: Readonly<Record<string, string>>;
    }
  | { readonly state: "missing"; readonly path: string }
  | {
      readonly state: "broken";
      readonly path: string;
      /** A sentence that names the problem. */
      readonly problem: string;
      /** Its Python, if that works, and whether it has pip. */
      readonly working: { readonly python: string; readonly pip: boolean } | null;
    };

/** The packages of the managed environment. */
export const managedPackages = ["ipykernel", "jupyter_kernel_gateway"] as const;

const answerWithinMs = 60_000;

/**
 * Whether the managed environment can run Jupyter kernels. Starts its Python to find out, unless it was made of one in the folder, and
 * changes nothing.
 */
export async function checkManagedEnvironment(options: CheckManagedOptions): Promise<ManagedState> {
  const { home, cwd, signal } = options;
  const { env } = await withoutFolderPrograms({ cwd, env: options.env ?? {} });
  const path = managedPath(home);
  const python = join(path, "bin", "python");
  if (!(await isPresent(path))) return { state: "missing", path };
  const broken = (problem: string, working: { python: string; pip: boolean } | null = null): ManagedState => ({
    state: "broken",
    path,
    problem,
    working,
  });

  if (await isMadeOfFolder(python, path, { cwd, env })) {
    const seen = await lookAtManaged(path, managedPackages);
    const missing = managedPackages.find((name) => seen?.packages[name] === undefined);
    if (seen !== null && missing === undefined) return { state: "ready", path, python, ...seen };
    return broken(`${python} cannot use ${missing ?? managedPackages[0]}.`);
  }
  const { succeeded, lines } = await ask(python, home, env, signal);
  const answer = succeeded ? readAnswer(lines) : null;
  if (answer === null) return broken(`${python} does not start: ${lines.at(-1) ?? "it says nothing"}.`);
  if (answer.problem !== null) {
    return broken(`${python} cannot use ${answer.problem}.`, { python, pip: answer.pip });
  }
  return { state: "ready", path, python, version: answer.version, packages: answer.packages };
}

async function ask(python: string, home: string, env: Environment, signal: AbortSignal | undefined): Promise<ToolEnd> {
  // Not AbortSignal.timeout: inside AbortSignal.any, Node 20's garbage collector may collect it before it fires.
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), answerWithinMs);
  try {
    // Without `site`, which would run a `sitecustomize` of a folder that `pip install -e` linked.
    return await runTool(python, ["-I", "-S", "-c", question], {
      cwd: home,
      env: managedVariables(env),
      signal: signal === undefined ? timeUp.signal : AbortSignal.any([signal, timeUp.signal]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (timeUp.signal.aborted) return { succeeded: false, lines: ["it does not answer"] };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Where the managed environment is: a link to the folder that it was made in. */
export function managedPath(home: string): string {
  return join(home, "python-env");
}

// Imports the packages: one without its own dependencies can be found, but not used.
const question = `
import json, os, sys
version = "python%d.%d" % sys.version_info[:2]
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(sys.executable)), "lib", version, "site-packages"))
from importlib import import_module, util
answer = {"version": "%d.%d.%d" % sys.version_info[:3], "pip": util.find_spec("pip") is not None,
          "packages": {}, "problem": None}
for package, module in (("ipykernel", "ipykernel.kernelapp"), ("jupyter_kernel_gateway", "kernel_gateway.gatewayapp")):
    try:
        import_module(module)
        from importlib import metadata
        answer["packages"][package] = metadata.version(package)
    except Exception as error:
        answer["problem"] = "%s (%s: %s)" % (package, type(error).__name__, error)
        break
print("\\n" + json.dumps(answer))
`;

interface Answer {
  readonly version: string;
  readonly pip: boolean;
  readonly packages: Readonly<Record<string, string>>;
  readonly problem: string | null;
}

/** Packages may print during their import. */
function readAnswer(lines: readonly string[]): Answer | null {
  const line = lines.findLast((line) => line.startsWith('{"version"'));
  return line === undefined ? null : JSON.parse(line);
}
