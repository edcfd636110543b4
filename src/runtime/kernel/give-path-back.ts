import { delimiter } from "node:path";
import type { Kernel } from "../../kernel/kernel.ts";
import { pythonLiteral } from "../../python/python-literal.ts";
import { runInternally } from "../../session/bootstrap/bootstrap.ts";

/** PATH behind the programs in front of Python, and as these programs had it. */
export interface LaterPath {
  readonly path: string;
  readonly before: string;
}

/** One expression, so that it leaves no name behind. */
const giveBack = `(lambda os, path, before, more: os.environ.__setitem__("PATH",
  path if os.environ.get("PATH") == before else
  os.pathsep.join([*filter(os.path.isdir, more), *filter(None, [os.environ.get("PATH")])])))`;

/**
 * Gives Python the PATH that the programs in front of it must not have. A container or a program such as direnv has one of its
 * own, which stays: then only the missing folders are added, if they are there.
 */
export async function givePathBack(kernel: Kernel, { path, before }: LaterPath, signal: AbortSignal): Promise<void> {
  const known = before.split(delimiter);
  const more = path.split(delimiter).filter((folder) => !known.includes(folder));
  const given = [path, before, more].map(pythonLiteral).join(", ");
  await runInternally(kernel, `${giveBack}(__import__("os"), ${given})`, signal, "getting its PATH");
}
