import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { sayOtherVersion } from "../../../hub/start/hub-record.ts";
import { neverPassed } from "../../../python/environment/passed-variables.ts";
import type { RejectedCandidate } from "../../../python/interpreter.ts";
import { sayLeftOut, sayStrangers } from "../../../runtime/say-left-out.ts";
import { describeOrigin } from "../../../settings/origin.ts";
import { shellWord } from "../../../support/shell-word.ts";
import type { BackendState } from "./backend-state.ts";
import type { Findings } from "./diagnosis.ts";

/**
 * Variables that the project's file allows without effect. A warning, unlike other settings that a project cannot make: an
 * error would stop every run in a cloned folder, and a name may only look like that of a secret.
 */
function refusedVariables({ settings, withheld }: Findings): readonly Problem[] {
  const allowEnv = settings.find(({ name }) => name === "python.allowEnv");
  const allowed = (allowEnv?.value ?? []) as readonly string[];
  // Every other source passes the variables it names, except those that are never passed.
  const refused = withheld.filter((name) => allowed.includes(name) && !never.has(name));
  if (refused.length === 0) return [];
  return [
    {
      severity: "warning",
      problem:
        `${allowEnv?.origin} allows ${refused.join(", ")}, but a project's file lets nothing through that looks like a ` +
        "secret, by its name or by a login in its value. Cells do not see it.",
      remedy:
        "If you trust this folder, allow it yourself: with --env for one run, or with the variable " +
        "GRANARY_PYTHON_ALLOW_ENV, which replaces the project's list.",
      command: null,
    },
  ];
}

const never: ReadonlySet<string> = new Set(neverPassed.map(({ name }) => name));

/** A problem and its remedy. */
export interface Problem {
  /** With an error, Python cells cannot run. */
  readonly severity: "error" | "warning";
  readonly problem: string;
  readonly remedy: string;
  /** The command that fixes it, if one is enough. */
  readonly command: string | null;
}

/** The findings that need action, the worst first. */
export function problemsOf(findings: Findings): readonly Problem[] {
  const { python, settingsError, home, managedEnvironment } = findings;
  const skipped = python.chosen?.skipped ?? [];
  return [
    ...(settingsError === null ? [] : [wrongSettings(settingsError)]),
    ...(python.chosen === null && !runsElsewhere(findings)
      ? [noPython(findings)]
      : findings.backends.flatMap(notStarting)),
    ...noSandbox(findings),
    ...skipped.map((candidate) => skippedPython(candidate, findings)),
    ...(home.problem === null ? [] : [notWritable(home.path, home.problem)]),
    // A Python that does not start is reported as skipped already.
    ...(managedEnvironment.state === "broken" && !skipped.some(({ source }) => source === "managed")
      ? [brokenManaged(managedEnvironment.problem)]
      : []),
    ...otherHub(findings),
    ...refusedVariables(findings),
    ...untrusted(findings),
    ...ofStrangers(findings),
  ];
}

/** Clients of this version refuse to use it. */
function otherHub({ hub }: Findings): readonly Problem[] {
  if (hub.state !== "running" || hub.unlike === undefined) return [];
  const problem = `${sayOtherVersion(hub, hub.unlike, "")} Sessions by name, the page and the Jupyter server do not work.`;
  return [
    { severity: "warning", problem, remedy: "Replace it; its sessions end with it:", command: "granary hub stop" },
  ];
}

/** Python never starts without the sandbox that is asked for. */
function noSandbox({ sandbox }: Findings): readonly Problem[] {
  const { mode, engine, problem, remedy } = sandbox;
  if (mode === "off" || engine !== null) return [];
  const sentence = `python.sandbox is ${mode}, and no sandbox works here. ${problem ?? ""}`;
  return [{ severity: "error", problem: sentence, remedy: remedy ?? "", command: null }];
}

/** Cells run without it, so it is no error. */
function untrusted({ cwd, leftOut }: Findings): readonly Problem[] {
  if (leftOut.modules.length === 0 && leftOut.settings.length === 0) return [];
  const [problem = ""] = sayLeftOut(cwd, leftOut).split(" If you know");
  const remedy = "If you know where this folder comes from, allow it:";
  return [{ severity: "warning", problem, remedy, command: "granary trust" }];
}

function ofStrangers({ cwd, leftOut }: Findings): readonly Problem[] {
  if (leftOut.ofStrangers.length === 0) return [];
  const [problem = "", remedy = ""] = sayStrangers(cwd, leftOut.ofStrangers).split(/ (?=To use one)/);
  return [{ severity: "warning", problem, remedy, command: null }];
}

/** An external gateway brings its own Python. */
function runsElsewhere({ backends, gateway }: Findings): boolean {
  const chosen = backends.find(({ isChosen }) => isChosen);
  return chosen?.name === "gateway" && gateway.state === "external";
}

function wrongSettings({ message, origin }: NonNullable<Findings["settingsError"]>): Problem {
  const command = origin.from === "variable" ? `unset ${origin.name}` : null;
  const remedy = `Nothing runs until that is corrected${command === null ? "." : ", or removed:"}`;
  return { severity: "error", problem: message, remedy, command };
}

function noPython({ python, settings }: Findings): Problem {
  const [only] = python.candidates;
  if (only?.source === "explicit") {
    const { origin } = settings.find(({ name }) => name === "python.interpreter") ?? { origin: "" };
    const isTyped = origin === describeOrigin({ from: "call" });
    const where = isTyped ? "--python" : "The setting python.interpreter";
    const problem = `${where} names ${only.path}, which ${only.problem}.`;
    const remedy = isTyped
      ? "Name another, or leave out --python to let Granary look for one."
      : `Correct it (${origin}), or remove it to let Granary look for a Python.`;
    return { severity: "error", problem, remedy, command: null };
  }
  const remedy =
    "Install Python 3.8 or newer. One that is installed but not on PATH can be named with the setting " +
    "python.interpreter, or for one run with --python.";
  const problem =
    only === undefined
      ? "No Python was found."
      : python.candidates.length === 1
        ? `The only Python that was found cannot be used: ${only.path} ${only.problem}.`
        : `None of the ${python.candidates.length} Pythons that were found can be used.`;
  return { severity: "error", problem, remedy, command: null };
}

function notStarting({ name, isChosen, availability }: BackendState): readonly Problem[] {
  if (!isChosen || availability.available !== false) return [];
  const { reason, remedy } = availability;
  return [{ severity: "error", problem: `No kernel starts on the ${name} backend. ${reason}`, remedy, command: null }];
}

function skippedPython({ path, source, problem, stranger }: RejectedCandidate, { python }: Findings): Problem {
  const folder = dirname(dirname(path));
  const makeAnew = `${python.chosen?.executable ?? "python3"} -m venv --clear ${shellWord(folder)}`;
  const warning = (what: string, remedy: string, command: string | null): Problem => ({
    severity: "warning",
    problem: `${what}. It is skipped.`,
    remedy,
    command,
  });
  if (stranger !== undefined) {
    const remedy = "If you trust that user, name it by its path, with --python or the setting python.interpreter.";
    return warning(`${path} belongs to another user (uid ${stranger})`, remedy, null);
  }
  switch (source) {
    case "VIRTUAL_ENV":
      return warning(
        `VIRTUAL_ENV names ${folder}, but ${path} ${problem}`,
        "If that environment is gone for good, forget it in this terminal:",
        "unset VIRTUAL_ENV",
      );
    case "CONDA_PREFIX":
      return warning(`${path} of the active conda environment ${problem}`, "Leave it with:", "conda deactivate");
    case "PATH":
      return {
        severity: "warning",
        problem: `${path} ${problem}. It comes earlier on PATH, and every start skips it.`,
        remedy: "Remove it from PATH, or name the Python to use with the setting python.interpreter.",
        command: null,
      };
    case "managed":
      return warning(`Granary's own environment is broken: ${path} ${problem}`, "Repair it:", "granary setup");
    default:
      return isFolderItself(folder)
        ? warning(`${path} ${problem}`, "Create the environment again, then reinstall its packages:", makeAnew)
        : warning(`${path} ${problem}`, `To make an environment there, first remove or rename ${folder}.`, null);
  }
}

/** Folders that venv can empty and fill again; it refuses files and links. */
function isFolderItself(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function notWritable(home: string, problem: string): Problem {
  return {
    severity: "warning",
    problem: `Granary's folder ${home} cannot be written: ${problem}. Cells run, but none in a sandbox, and sessions, pictures and long output are not kept.`,
    remedy: "Make it writable, or name another folder with the variable GRANARY_HOME.",
    command: null,
  };
}

function brokenManaged(problem: string): Problem {
  return {
    severity: "warning",
    problem: `Granary's own environment, for Jupyter kernels, is broken. ${problem}`,
    remedy: "Repair it:",
    command: "granary setup",
  };
}
