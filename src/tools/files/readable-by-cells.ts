import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { fullPath } from "./named-file.ts";
import { parseTarget } from "./target.ts";

type Context = Pick<ToolContext, "cwd" | "roots" | "runtime">;

/** The error of a tool that may not read a file: in a sandbox, cells read most files, and no more folders need to be writable for that. */
export async function explainUnread(error: unknown, { cwd, roots, runtime }: Context, named: string): Promise<unknown> {
  const { settings, env } = runtime;
  if (!isGranaryError(error, "outside-roots") || settings.python.sandbox !== "workspace") return error;
  const { mayReadInside } = await import("../../runtime/sandbox/sandbox-roots.ts");
  const path = [named, parseTarget(named).path]
    .map((name) => fullPath(cwd, name))
    .find((one) => mayReadInside(one, runtime.cwd, env));
  if (path === undefined) return error;
  const folders = roots?.filter((root) => !root.startsWith("!")).join(" or ");
  const problem = `${path} is not in ${folders}, and the sandbox (python.sandbox) allows tools no other folder.`;
  return new GranaryError("outside-roots", `${problem} Cells can read it: open(${JSON.stringify(path)})`);
}
