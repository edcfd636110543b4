import { dirname, join, relative, resolve } from "node:path";
import type { Environment } from "../support/environment.ts";
import { foldersAround, projectFolders } from "../support/files/foreign/project-folders.ts";
import { strangerBelow } from "../support/files/foreign/strangers.ts";
import { mayBePresent, readSmallFile, realpath, stat } from "../support/files/look.ts";
import { systemReason } from "../support/files/system-reason.ts";
import { GranaryError, isGranaryError } from "../support/granary-error.ts";
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
  /** A folder around it that the user works in: its limits count as well. */
  readonly top?: string | undefined;
  readonly env: Environment;
  /** Granary's own folder (see `granaryHome`): its `settings.json` is read. */
  readonly home: string;
  /** Call options, which win over everything else. */
  readonly overrides?: SettingsOverrides | undefined;
  /** A host's own defaults, which take the place of those in the table. */
  readonly defaults?: SettingDefaults | undefined;
  /** The settings of a runtime whose code may have chosen the folder: each limit is at least as tight as there. */
  readonly atLeast?: Pick<LoadedSettings, "values" | "origins"> | undefined;
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
  /** The project's file where it is ignored, because another user put it into a folder that all users may write. */
  readonly ofStrangers: readonly string[];
}

/**
 * Every setting, from the strongest source that has it: call options, environment, the project's file, the user's file,
 * and its default. Every command waits for this, and most users have set nothing: modules that only the others need are
 * loaded on demand.
 * @throws {GranaryError} `settings`, for any invalid value, also where a stronger source has decided
 */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const { cwd, env, home, overrides, defaults, atLeast, withoutProject } = sources;
  const user = join(home, "settings.json");
  const isOfStranger = !withoutProject && (await isProjectOfStranger(resolve(cwd)));
  const project = withoutProject || isOfStranger ? nowhere : settingsFileIn(resolve(cwd));
  const [files, environment, limits] = await Promise.all([
    readSettingsFiles({ project, user }),
    fromVariables(env),
    withoutProject ? [] : limitsAbove(sources, user),
  ]);
  const { trusted, leftOut } = await trustedPart({ ...files, environment }, sources);
  const limited = [...limits, trusted].reduce(
    (weaker, layer) => over(weaker, tightened(layer, weaker, defaults)),
    files.user,
  );
  const weaker = over(limited, environment);
  const asked = over(weaker, await fromCall(settled(overrides, weaker, defaults)));
  const given = atLeast === undefined ? asked : over(asked, tightened(limitsOf(atLeast), asked, defaults));
  const loaded = {
    leftOut,
    ofStrangers: isOfStranger ? [settingsFile.join("/")] : [],
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

/** Most folders have no settings. */
async function isProjectOfStranger(folder: string): Promise<boolean> {
  return (await mayBePresent(join(folder, ".granary"))) && (await strangerBelow(folder, ...settingsFile)) !== null;
}

function over(weaker: Layer, stronger: Layer): Layer {
  return new Map([...weaker, ...stronger]);
}

const settingsFile = [".granary", "settings.json"];

function settingsFileIn(folder: string): string {
  return join(folder, ...settingsFile);
}

/** The limits of the folders above: code of a project has them in each of its folders, also where a link leads to one. */
async function limitsAbove({ cwd, top, env, home }: SettingsSources, user: string): Promise<readonly Layer[]> {
  const limits: Layer[] = [];
  const typed = resolve(cwd);
  const shell = env.PWD || typed;
  const paths = [typed, top ?? typed, shell].map((path) => realpath(path).catch(() => path));
  const [real = typed, realTop, entered = shell] = await Promise.all(paths);
  // The shell knows the name by which the user entered a folder, which may be a link of the code.
  const asInShell = [typed, real].map((path) => resolve(shell, relative(entered, path)));
  const names = new Set([typed, real, ...asInShell]);
  // Code in a sandbox may have removed the mark of its repository, where that is a link.
  const ends = [top, realTop, ...(await placesOfSandboxes(home))];
  const around = await Promise.all([...names].map((name) => foldersAround(name, ends)));
  for (const folder of new Set(around.flat())) {
    const file = { from: "project-file", path: settingsFileIn(folder) } as const;
    const isAbove = folder !== typed && folder !== real;
    // Anyone may have put settings into `/tmp`, for everything below it.
    const counts = isAbove && (await strangerBelow(folder, ...settingsFile)) === null;
    const text = counts ? await textOfProject(file, user) : null;
    if (text !== null) limits.push((await import("./sources/from-file.ts")).limitsFromFile(text, file));
  }
  return limits;
}

/** Most users have never had a sandbox. */
async function placesOfSandboxes(home: string): Promise<readonly string[]> {
  if (!(await mayBePresent(join(home, "sandbox")))) return [];
  return (await import("../support/files/foreign/known-places.ts")).knownPlaces(home);
}

/** A project can ask for more protection than the user or the host has, and never for less. */
function tightened(project: Layer, user: Layer, defaults: SettingDefaults | undefined): Layer {
  const merged = [...project].map(([name, chosen]): [SettingName, Chosen] => {
    const { tighten, default: usual } = settingCalled(name);
    if (tighten === undefined) return [name, chosen];
    const value = tighten(chosen.value, user.get(name)?.value ?? defaults?.[name] ?? usual);
    return [name, value === chosen.value ? chosen : { value, origin: user.get(name)?.origin ?? { from: "default" } }];
  });
  return new Map(merged);
}

function limitsOf({ values, origins }: Pick<LoadedSettings, "values" | "origins">): Layer {
  const groups = values as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const names = settingNames.filter((name) => settingCalled(name).tighten !== undefined);
  return new Map(names.map((name) => [name, { value: groups[groupOf(name)]?.[keyOf(name)], origin: origins[name] }]));
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
  const [project, user] = await Promise.all([textOfProject(ofProject, paths.user), textOf(ofUser, readSmallFile)]);
  if (project === null && user === null) return { project: nothing, user: nothing };
  const { fromFile } = await import("./sources/from-file.ts");
  return {
    project: project === null ? nothing : fromFile(project, ofProject, paths.user),
    user: user === null ? nothing : fromFile(user, ofUser, paths.user),
  };
}

const nothing: Layer = new Map();

/** Null also in the home folder, where the file is the user's own. */
function textOfProject(file: FileOrigin, user: string): Promise<string | null> {
  return textOf(file, async (path) => ((await isSameFile(path, user)) ? null : readInProject(path)));
}

/**
 * A link that a folder brings, or that code made, could lead to a secret, and a message about a setting quotes the file. Folders of a
 * repository may share their settings, so a link may lead to the settings of another one, and to nothing else.
 */
async function readInProject(path: string): Promise<string> {
  const { holdFile } = await import("../support/files/held-file.ts");
  let root = await realpath(dirname(dirname(path)));
  for await (const folder of projectFolders(root)) root = folder;
  await using held = await holdFile(path, [root]);
  if (held.real !== settingsFileIn(dirname(dirname(held.real)))) throw otherFile({ from: "project-file", path });
  return await readSmallFile(held.at, { mayBeLink: false });
}

function otherFile(file: FileOrigin, cause?: Error): GranaryError {
  const problem = `${file.path} leads to a file other than the settings of a folder in its project. Put a copy of that file in its place, or remove it.`;
  return new GranaryError("settings", problem, { details: { origin: file }, cause });
}

async function textOf(file: FileOrigin, read: (path: string) => Promise<string | null>): Promise<string | null> {
  try {
    // Most users have neither file.
    await stat(file.path);
    return await read(file.path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (isGranaryError(error)) throw otherFile(file, error);
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

async function isSameFile(path: string, user: string): Promise<boolean> {
  const [one, other] = await Promise.all([realpath(path), realpath(user).catch(() => null)]);
  return one === other;
}
