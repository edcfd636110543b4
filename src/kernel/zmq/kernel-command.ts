import type { StartOptions } from "../kernel.ts";
import type { Kernelspec } from "./kernelspec.ts";

export interface KernelCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command that starts a kernel; without a kernelspec, ipykernel of the interpreter itself. */
export function kernelCommand(
  spec: Kernelspec | undefined,
  connectionFile: string,
  { interpreter, env }: Pick<StartOptions, "interpreter" | "env">,
): KernelCommand {
  // ipykernel watches its parent, and ends with it.
  const given = { ...env, JPY_PARENT_PID: String(process.pid) };
  if (!spec) {
    // -X: as in ipykernel's own kernelspec; without it, its debugger complains in the first cell. Old Pythons ignore it.
    const args = ["-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", connectionFile];
    return { file: interpreter, args: withoutHistoryFile(args), env: given };
  }
  const names: Readonly<Record<string, string>> = {
    "{connection_file}": connectionFile,
    "{resource_dir}": spec.folder,
  };
  const filled = spec.argv.map((word) =>
    word.replace(/\{(connection_file|resource_dir)\}/g, (name) => names[name] ?? name),
  );
  const [file = "", ...args] = filled;
  const own = Object.entries(spec.env).map(([name, value]) => [name, withVariables(value, env)] as const);
  return {
    file: isAnyPython(file) ? interpreter : file,
    args: withoutHistoryFile(args),
    env: { ...given, ...Object.fromEntries(own) },
  };
}

/** Cells of an agent do not belong into the history of the user's own IPython; nbclient leaves it alone as well. */
function withoutHistoryFile(args: readonly string[]): readonly string[] {
  const isIpykernel = /^ipykernel(_launcher)?$/.test(args[args.indexOf("-m") + 1] ?? "");
  const isChosen = args.some((word) => word.includes("HistoryManager."));
  return isIpykernel && !isChosen ? [...args, "--HistoryManager.hist_file=:memory:"] : args;
}

/** A kernelspec that names no particular Python means the one it was found with. */
function isAnyPython(file: string): boolean {
  return /^python(3(\.\d+)?)?$/.test(file);
}

/** `${NAME}` in a kernelspec's environment is the previous value of NAME. */
function withVariables(value: string, env: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}
