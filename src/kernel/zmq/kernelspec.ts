import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { homeOfAccount } from "../../support/environment.ts";
import { KernelError } from "../errors.ts";

/** A `kernel.json` of Jupyter: how to start a kernel. */
export interface Kernelspec {
  readonly name: string;
  readonly folder: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly displayName: string;
  readonly language: string;
  readonly interruptMode: "signal" | "message";
}

interface KernelspecContext {
  readonly interpreter: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The kernelspec of that name: the interpreter's first, then the user's, then the system's. */
export async function findKernelspec(name: string, context: KernelspecContext): Promise<Kernelspec> {
  for (const folder of isName.test(name) ? kernelFolders(context) : []) {
    const text = await readFile(join(folder, name, "kernel.json"), "utf8").catch(() => null);
    if (text !== null) return decode(name, join(folder, name), text);
  }
  const known = await kernelspecNames(context);
  const choice = known.length === 0 ? "There are none here." : `There are: ${known.join(", ")}.`;
  throw new KernelError(
    "start-failed",
    `There is no kernel called ${name}. ${choice} Install it with its own installer, or choose another.`,
    { details: { known } },
  );
}

/** Names as Jupyter allows them; others could be paths. */
const isName = /^[\w.-]+$/;

/** Every usable kernelspec, by name; broken ones are left out. */
export async function installedKernelspecs(context: KernelspecContext): Promise<readonly Kernelspec[]> {
  const names = await kernelspecNames(context);
  const specs = await Promise.all(names.map((name) => findKernelspec(name, context).catch(() => null)));
  return specs.filter((spec) => spec !== null);
}

/** All usable kernels, by name. */
async function kernelspecNames(context: KernelspecContext): Promise<string[]> {
  const found = await Promise.all(kernelFolders(context).map((folder) => readdir(folder).catch(() => [])));
  return [...new Set(found.flat())].sort();
}

/** Where Jupyter looks, in its order. */
function kernelFolders({ interpreter, env }: KernelspecContext): string[] {
  const home = env.HOME || homeOfAccount();
  const named = (env.JUPYTER_PATH ?? "").split(":").filter((path) => path !== "");
  const shared = env.XDG_DATA_HOME || join(home, ".local", "share");
  const ofUser = process.platform === "darwin" ? join(home, "Library", "Jupyter") : join(shared, "jupyter");
  const data = [
    ...named,
    join(dirname(dirname(interpreter)), "share", "jupyter"),
    env.JUPYTER_DATA_DIR || ofUser,
    "/usr/local/share/jupyter",
    "/usr/share/jupyter",
  ];
  return data.map((folder) => join(folder, "kernels"));
}

function decode(name: string, folder: string, text: string): Kernelspec {
  const path = join(folder, "kernel.json");
  let spec: Readonly<Record<string, unknown>>;
  try {
    spec = JSON.parse(text);
  } catch (cause) {
    throw new KernelError("start-failed", `${path} is no JSON. Install the kernel ${name} again.`, { cause });
  }
  const argv = spec.argv;
  if (!Array.isArray(argv) || argv.length === 0 || !argv.every((item) => typeof item === "string")) {
    throw new KernelError("start-failed", `${path} has no argv. Install the kernel ${name} again.`);
  }
  const env = Object.entries((spec.env ?? {}) as object).map(([key, value]) => [key, String(value)] as const);
  return {
    name,
    folder,
    argv,
    env: Object.fromEntries(env),
    displayName: String(spec.display_name ?? name),
    language: String(spec.language ?? ""),
    interruptMode: spec.interrupt_mode === "message" ? "message" : "signal",
  };
}
