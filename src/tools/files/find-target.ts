import { stat } from "node:fs/promises";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { type NamedFile, namedFile } from "./named-file.ts";
import { parseTarget, type Target } from "./target.ts";

export interface FoundTarget extends Target {
  readonly place: NamedFile;
  /** Whether it is to be read and written as cell text. */
  readonly isNotebook: boolean;
}

/** Which file is meant, and what of it. A name with a colon in it may be that of a file. */
export async function findTarget(context: Pick<ToolContext, "cwd" | "roots">, named: string): Promise<FoundTarget> {
  const whole = await namedFile(context, named);
  const isThere = (await stat(whole.real).catch(() => null)) !== null;
  const target = isThere ? { path: named, raw: false, ranges: null } : parseTarget(named);
  const place = target.path === named ? whole : await namedFile(context, target.path);
  return { ...target, place, isNotebook: target.path.endsWith(".ipynb") && !target.raw };
}

/** For tools that change files, and take no lines. */
export async function findWholeTarget(
  context: Pick<ToolContext, "cwd" | "roots">,
  named: string,
): Promise<FoundTarget> {
  if (named.startsWith("artifact://")) {
    throw new GranaryError("not-allowed", `${named} cannot be changed: artifacts are kept as they were. Name a file.`);
  }
  const target = await findTarget(context, named);
  if (target.ranges === null) return target;
  throw new GranaryError("invalid-range", `Lines are for read. Name only the file here: ${target.path}`);
}
