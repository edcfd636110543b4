import { stat } from "node:fs/promises";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { type NamedFile, namedFile } from "./named-file.ts";
import { parseTarget, type Target } from "./target.ts";

export interface FoundTarget extends Target {
  readonly place: NamedFile;
  /** Whether to read and write it as cell text. */
  readonly isNotebook: boolean;
}

/** Resolves a path and its range. A name with a colon in it may be that of a file. */
export async function findTarget(context: Pick<ToolContext, "cwd" | "roots">, named: string): Promise<FoundTarget> {
  const whole = await namedFile(context, named);
  const isThere = (await stat(whole.real).catch(() => null)) !== null;
  const target = isThere ? { path: named, raw: false, ranges: null } : parseTarget(named);
  const place = target.path === named ? whole : await namedFile(context, target.path);
  return { ...target, place, isNotebook: target.path.endsWith(".ipynb") && !target.raw };
}

/** For tools that change files and take no lines. */
export async function findWholeTarget(
  context: Pick<ToolContext, "cwd" | "roots">,
  named: string,
): Promise<FoundTarget> {
  if (named.startsWith("artifact://")) {
    throw new GranaryError("not-allowed", `${named} cannot be changed: artifacts are read-only. Name a file.`);
  }
  const target = await findTarget(context, named);
  if (target.ranges === null) return target;
  throw new GranaryError("invalid-range", `Only read takes lines. Name only the file: ${target.path}`);
}
