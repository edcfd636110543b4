import { dirname, join, resolve } from "node:path";
import type { Environment } from "../support/environment.ts";
import { readSmallFile, realpath, stat } from "../support/files/look.ts";
import { systemReason } from "../support/files/system-reason.ts";
import { GranaryError } from "../support/granary-error.ts";
import { headShare } from "../support/usual-budget.ts";
import { expandHome } from "./granary-home.ts";
import type { FileOrigin, Origin } from "./origin.ts";
import {
  groupOf,
  keyOf,
  type SettingName,
  type Settings,
  type SettingsOverrides,
  type SettingValue,
  settingCalled,
  settingNames,
} from "./settings.ts";
import type { Chosen, Layer, Layers } from "./sources/layer.ts";

export interface SettingsSources {
  /** The working folder: its `.granary/settings.json` is read. */
  readonly cwd: string;
  readonly env: Environment;
  /** Granary's own folder (see `granaryHome`): its `settings.json` is read. */
  readonly home: string;
  /** Call options, which win over everything else. */
  readonly overrides?: SettingsOverrides | undefined;
  /** A host's own defaults, which take the place of those in the table. */
  readonly defaults?: SettingDefaults | undefined;
  /** Whether the project's file is not read. */
  readonly withoutProject?: boolean | undefined;
  /** Whether the project's file may name programs; by default as the user has told `granary trust`. */
  readonly trust?: boolean | undefined;
}

export type SettingDefaults = { readonly [Name in SettingName]?: SettingValue<Name> };

export interface LoadedSettings {
  readonly values: Settings;
  /** The source of each setting. */
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** The settings of the project's file that are ignored, because they name programs and the folder is not trusted. */
  readonly leftOut: readonly SettingName[];
}

/**
 * Every setting, from the strongest source that has it: call options, environment, the project's file, the user's file,
 * and its default. Every command waits for this, and most users have set nothing: modules that only the others need are
 * loaded on demand.
 * @throws {GranaryError} `settings`, for any invalid value, also where a stronger source has decided
 */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const { cwd, env, home, overrides, defaults, withoutProject } = sources;
  const project = withoutProject ? nowhere : resolve(cwd, ".granary", "settings.json");
  const [files, environment] = await Promise.all([
    readSettingsFiles({ project, user: join(home, "settings.json") }),
    fromVariables(env),
  ]);
  const { trusted, leftOut } = await trustedPart({ ...files, environment }, sources);
  const weaker: Layer = new Map([...files.user, ...tightened(trusted, files.user), ...environment]);
  const given: Layer = new Map([...weaker, ...(await fromCall(settled(overrides, weaker, defaults)))]);
  const loaded = {
    leftOut,
    values: nested((name) => effective(name, given, { cwd, env, defaults })),
    origins: Object.fromEntries(
      settingNames.map((name) => [name, given.get(name)?.origin ?? { from: "default" }]),
    ) as LoadedSettings["origins"],
  };
  if (given.size > 0) {
    const { checkCombinations } = await import("./combinations.ts");
    checkCombinations(loaded);
  }
  return loaded;
}

/** A project can ask for more protection than the user has, and never for less. */
function tightened(project: Layer, user: Layer): Layer {
  const merged = [...project].map(([name, chosen]): [SettingName, Chosen] => {
    const { tighten, default: usual } = settingCalled(name);
    if (tighten === undefined) return [name, chosen];
    const value = tighten(chosen.value, user.get(name)?.value ?? usual);
    return [name, value === chosen.value ? chosen : { value, origin: user.get(name)?.origin ?? { from: "default" } }];
  });
  return new Map(merged);
}

/** With a value in place of the caller's lower limit. */
function settled(overrides: SettingsOverrides | undefined, weaker: Layer, defaults: SettingDefaults | undefined) {
  if (overrides?.python?.sandbox !== "at-least-workspace") return overrides;
  const otherwise = weaker.get("python.sandbox")?.value ?? defaults?.["python.sandbox"];
  return {
    ...overrides,
    python: { ...overrides.python, sandbox: otherwise === "strict" ? undefined : "workspace" },
  } as const;
}

/** Of a project's settings, those that a folder without trust may decide. */
async function trustedPart(
  layers: Layers,
  { cwd, env, home, trust, overrides }: SettingsSources,
): Promise<{ readonly trusted: Layer; readonly leftOut: readonly SettingName[] }> {
  const { project } = layers;
  if (project.size === 0 || trust) return { trusted: project, leftOut: [] };
  const { needsTrust } = await import("./trust/needs-trust.ts");
  const risky = needsTrust(layers, { env, overrides });
  if (risky.length === 0) return { trusted: project, leftOut: [] };
  const { isTrusted } = await import("./trust/trusted-folders.ts");
  if (trust === undefined && (await isTrusted(cwd, home))) return { trusted: project, leftOut: [] };
  return { trusted: new Map([...project].filter(([name]) => !risky.includes(name))), leftOut: risky };
}

const maybeSetting = /^(?:PI|GRANARY)_(?!HOME$)/;

async function fromVariables(env: Environment): Promise<Layer> {
  if (!Object.keys(env).some((name) => maybeSetting.test(name))) return nothing;
  const { fromEnvironment } = await import("./sources/from-environment.ts");
  return fromEnvironment(env);
}

async function fromCall(overrides: SettingsOverrides | undefined): Promise<Layer> {
  if (overrides === undefined) return new Map();
  const { fromOverrides } = await import("./sources/from-overrides.ts");
  return fromOverrides(overrides);
}

function effective(
  name: SettingName,
  given: Layer,
  { cwd, env, defaults }: Pick<SettingsSources, "cwd" | "env" | "defaults">,
): unknown {
  const chosen = given.get(name);
  const value = chosen === undefined ? (defaults?.[name] ?? defaultOf(name, given, defaults)) : chosen.value;
  const isPath = settingCalled(name).isPath === true && typeof value === "string";
  return isPath ? resolve(cwd, expandHome(value, env)) : value;
}

function defaultOf(name: SettingName, given: Layer, defaults: SettingDefaults | undefined): unknown {
  const value = settingCalled(name).default;
  const budget = given.get("output.budgetBytes")?.value ?? defaults?.["output.budgetBytes"];
  const isHeadOfOtherBudget = name === "output.headBytes" && budget !== undefined;
  // A user who changes the budget should not have to set the head.
  return isHeadOfOtherBudget ? Math.floor(Number(budget) * headShare) : value;
}

/** `python.maxSessions` becomes `python: { maxSessions }`. */
function nested(lookUp: (name: SettingName) => unknown): Settings {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const name of settingNames) {
    groups[groupOf(name)] = { ...groups[groupOf(name)], [keyOf(name)]: lookUp(name) };
  }
  return groups as unknown as Settings;
}

interface FilePaths {
  readonly project: string;
  readonly user: string;
}

type Files = Pick<Layers, "project" | "user">;

const nowhere = "/dev/null/none";

/** The settings of the two files. Most users have neither, so the JSON reader is loaded only when there is one. */
async function readSettingsFiles(paths: FilePaths): Promise<Files> {
  const ofProject = { from: "project-file", path: paths.project } as const;
  const ofUser = { from: "user-file", path: paths.user } as const;
  const [project, user] = await Promise.all([textOf(ofProject), textOf(ofUser)]);
  if (project === null && user === null) return { project: nothing, user: nothing };

  // In the home folder, the file of the working folder is the user's own.
  const isUsersOwn = project !== null && user !== null && (await isSameFile(paths));
  const { fromFile } = await import("./sources/from-file.ts");
  return {
    project: project === null || isUsersOwn ? nothing : fromFile(project, ofProject, paths.user),
    user: user === null ? nothing : fromFile(user, ofUser, paths.user),
  };
}

const nothing: Layer = new Map();

async function textOf(file: FileOrigin): Promise<string | null> {
  try {
    // Most users have neither file.
    await stat(file.path);
    return await readSmallFile(file.path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const folder = code === "EACCES" ? await lockedFolder(file.path) : null;
    const problem =
      folder === null
        ? `${file.path} cannot be read: ${systemReason(error)}. Make it a readable file, or remove it.`
        : `The folder ${folder} cannot be entered: ${systemReason(error)}. Change its rights, or use another folder.`;
    throw new GranaryError("settings", problem, { details: { origin: file }, cause: error });
  }
}

/** The folder of the settings, or the one above it, where it keeps this user out; null where the file itself does. */
async function lockedFolder(path: string): Promise<string | null> {
  for (const folder of [dirname(dirname(path)), dirname(path)]) {
    // The dot is a name in the folder, so only a user who may enter it gets an answer.
    const found = await stat(`${folder}/.`).catch(() => null);
    if (found === null) return folder;
  }
  return null;
}

async function isSameFile({ project, user }: FilePaths): Promise<boolean> {
  const [one, other] = await Promise.all([realpath(project), realpath(user)]);
  return one === other;
}
