import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, rename, rm } from "node:fs/promises";
import { delimiter } from "node:path";
import { firstPrograms, type KernelPython } from "../../python/environment/kernel-environment.ts";
import { findInterpreter } from "../../python/find/find-interpreter.ts";
import type { SandboxPlan } from "../../sandbox/sandbox-plan.ts";
import type { SharedFolder } from "../../shell/command-file.ts";
import type { ComposeBashOptions } from "../../shell/compose-bash.ts";
import type { BashRun } from "../../shell/run-bash.ts";
import type { SnapshotSandbox } from "../../shell/snapshot/snapshot-path.ts";
import type { StartBashOptions } from "../../shell/start-bash.ts";
import type { Environment } from "../../support/environment.ts";
import { interpreterSearch } from "../kernel/launch-kernel.ts";
import type { StartContext } from "../kernel/start-context.ts";
import { startEnvironment } from "../kernel/start-environment.ts";
import { snapshotFilter } from "./pending-snapshot.ts";

export type BashContext = ComposeBashOptions &
  StartBashOptions & {
    /** A folder that commands in a sandbox see. */
    readonly shared?: SharedFolder | undefined;
    /** The limits of that sandbox. */
    readonly limits?: SandboxPlan | undefined;
    /** Why there is no snapshot, where one was wanted. */
    readonly snapshotProblem: string | null;
  };

/** Reasons for a failure that the command itself does not know. */
export async function whyFailed(
  context: BashContext,
  { exitCode, hasBegun }: Pick<BashRun, "exitCode" | "hasBegun">,
  output: string,
): Promise<readonly string[]> {
  if (context.limits === undefined) return missingAliases(context, exitCode);
  const [{ deniedCommand }, { sayNotSetUp }] = await Promise.all([
    import("../sandbox/denied-command.ts"),
    import("../sandbox/not-set-up.ts"),
  ]);
  const notSetUp = hasBegun ? [] : sayNotSetUp(output);
  if (notSetUp.length > 0) return notSetUp;
  return [...missingAliases(context, exitCode), ...deniedCommand(context.limits, exitCode, output)];
}

/** For a command that was not found: it may be an alias or a function. */
function missingAliases({ snapshotProblem }: BashContext, exitCode: number | null): readonly string[] {
  if (snapshotProblem === null || exitCode !== notFound) return [];
  return [`Aliases and functions of the user's shell are missing. ${snapshotProblem}`];
}

const notFound = 127;

/**
 * The context of a command that an agent types: the environment that a kernel would have in that folder, and the
 * aliases and functions of the user's shell. Commands run also without Python.
 */
export async function bashContext(startContext: StartContext, signal: AbortSignal): Promise<BashContext> {
  const isLimited = startContext.settings.values.python.sandbox !== "off";
  const [interpreter, snapshot] = await Promise.all([
    pythonFor(startContext, signal),
    isLimited ? noSnapshot : snapshotFor(startContext, signal).catch(() => noSnapshot),
  ]);
  signal.throwIfAborted();
  const usual = {
    cwd: startContext.cwd,
    env: startEnvironment(interpreter, startContext),
    ...snapshot,
    venvBin: firstPrograms(
      interpreter,
      startContext.env.PATH,
      startContext.settings.values.python.sandbox === "strict",
    ),
  };
  return isLimited ? inSandbox(usual, startContext, interpreter, signal) : usual;
}

/** In the sandbox of the session's kernels. A command elsewhere than here would run on this machine nevertheless. */
async function inSandbox(
  usual: BashContext,
  startContext: StartContext,
  interpreter: KernelPython,
  signal: AbortSignal,
): Promise<BashContext> {
  const [{ SessionSandboxes }, { insideOnly, withoutLibraries }, { addedPackages }] = await Promise.all([
    import("../sandbox/session-sandboxes.ts"),
    import("../sandbox/inside-only.ts"),
    import("./added-packages.ts"),
  ]);
  const sandboxes = (await startContext.sandboxes?.()) ?? new SessionSandboxes();
  const sandbox = await sandboxes.for(startContext, interpreter);
  if (sandbox === null) return usual;
  const { shared, plan: limits } = sandbox;
  const env = { ...usual.env, ...sandbox.env };
  const around = insideOnly(sandbox.launcher, env);
  const shell = { ...around, name: JSON.stringify([limits.mode, limits.write]) };
  const made = await snapshotFor(startContext, signal, shell).catch(() => noSnapshot);
  const isThere = made.snapshot !== null && (await putInside(made.snapshot, `${shared.outside}/.granary-shell`));
  const snapshot = isThere ? `${shared.inside}/.granary-shell` : null;
  const { PYTHONPATH, programs } = addedPackages(env.GRANARY_OVERLAY ?? "", env.PYTHONPATH, interpreter);
  const withAdded = PYTHONPATH === undefined ? env : { ...env, PYTHONPATH };
  return {
    ...{ ...usual, ...made, snapshot, shared, limits, endsBackground: sandbox.engine === "bwrap" },
    venvBin: [usual.venvBin, ...programs].filter((folder) => folder !== null).join(delimiter) || null,
    // Code wrote these packages, so that no program in front of the command has them.
    ...insideOnly(sandbox.launcher, withAdded, withoutLibraries(env)),
  };
}

/** Code inside may have put a link there, which a copy would follow; a rename replaces it. */
async function putInside(file: string, place: string): Promise<boolean> {
  const copy = `${place}-${randomUUID()}`;
  try {
    await copyFile(file, copy, constants.COPYFILE_EXCL);
    await rename(copy, place);
    return true;
  } catch {
    await rm(copy, { force: true });
    return false;
  }
}

const noEnvironment: KernelPython = { virtualEnvironment: null, condaEnvironment: null };

async function pythonFor(startContext: StartContext, signal: AbortSignal): Promise<KernelPython> {
  if (startContext.site !== "here") return noEnvironment;
  return findInterpreter(interpreterSearch({ ...startContext, signal })).catch(() => noEnvironment);
}

/** The host's, else one of ours. The first command waits for it, so that the second means the same. */
async function snapshotFor(
  { env: usual, home, settings, host }: StartContext,
  signal: AbortSignal,
  sandbox?: SnapshotSandbox & { readonly env: Environment },
): Promise<Pick<BashContext, "snapshot" | "snapshotProblem">> {
  const given = host?.shellSnapshot;
  if (given !== undefined) return (await exists(given)) ? { ...noSnapshot, snapshot: given } : noSnapshot;
  if (settings.values.python.skipCheck) return noSnapshot;
  const filter = snapshotFilter(settings);
  const { shellSnapshot } = await import("../../shell/snapshot/shell-snapshot.ts");
  const { path, ready } = shellSnapshot({ home, env: sandbox?.env ?? usual, filter, sandbox, signal });
  const { made, problem } = await ready;
  return { snapshot: made === null ? null : path, snapshotProblem: problem };
}

const noSnapshot = { snapshot: null, snapshotProblem: null };

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
