import { isatty } from "node:tty";
import type { KernelError } from "../../kernel/errors.ts";
import type { BackendName, Kernel, KernelBackend, StartOptions } from "../../kernel/kernel.ts";
import type { Trace } from "../../kernel/trace.ts";
import { isAroundPython } from "../../python/find/examine-candidate.ts";
import { type FindInterpreterOptions, findInterpreter } from "../../python/find/find-interpreter.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { type FoundModules, findModules } from "../../session/bootstrap/extension-modules.ts";
import type { KernelListener } from "../../session/kernel-life/succession.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import type { Environment } from "../../support/environment.ts";
import { chooseBackend, type KernelSite } from "../backend/load-backend.ts";
import type { WhyFailed } from "../limits/watch-limits.ts";
import type { SessionSandboxes } from "../sandbox/session-sandboxes.ts";
import type { BridgeOffer } from "../tool-bridge.ts";
import { allowedVariables, type HostVariables, hostVariables, startEnvironment } from "./start-environment.ts";

export interface LaunchOptions {
  readonly cwd: string;
  /** A folder around it that the user works in: environments up to there count. */
  readonly top?: string | undefined;
  /** The folder of the runtime, in which `cwd` usually is. */
  readonly base?: string | undefined;
  /** Whether the runtime has a sandbox itself: its code chooses the folders of further kernels, and gets no other ones writable. */
  readonly isConfined?: boolean | undefined;
  /** Whether a kernel in another folder gets a sandbox for that folder: where only the program that made the runtime can name one. */
  readonly mayLeave?: boolean | undefined;
  /** Whether the kernel has to be in `cwd` also on another machine, which may not have the folder. */
  readonly requireCwd?: boolean | undefined;
  /** The backend; that of the settings by default. */
  readonly backend?: BackendName | undefined;
  /** `here` by default; otherwise no Python is searched for on this machine. */
  readonly site?: KernelSite | undefined;
  /** The environment for the search; a kernel sees only a filtered part. */
  readonly env: Environment;
  /** Granary's own folder. */
  readonly home: string;
  readonly settings: LoadedSettings;
  /** The sandboxes of the runtime, which removes their files at its end. */
  readonly sandboxes?: (() => Promise<SessionSandboxes>) | undefined;
  /** Whether modules of the folder run; by default as the user has told `granary trust`. */
  readonly trust?: boolean | undefined;
  /** The Python, if already known. */
  readonly interpreter?: Interpreter | undefined;
  readonly loadBackend: () => Promise<KernelBackend>;
  /** The host's variables for code in the kernel. */
  readonly host?: HostVariables | undefined;
  /** More variables for the kernel, unfiltered. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  readonly inheritsStdin?: boolean | undefined;
  readonly listener?: KernelListener | undefined;
  /** The address of the host's tools, where the kernel's own wire does not carry calls. */
  readonly bridge?: BridgeOffer;
  /** Whether `bash()` has the aliases and functions of the user's shell. */
  readonly withShellSnapshot?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly trace?: Trace | undefined;
  readonly onImports?: StartOptions["onImports"];
  readonly onStage?: ((stage: string) => void) | undefined;
  /** Called with the chosen Python, before it is started. */
  readonly onInterpreter?: ((interpreter: Interpreter) => void) | undefined;
}

/** From a folder to a kernel that is ready for its first cell. A failure leaves no process. */
export async function launchKernel(options: LaunchOptions): Promise<Kernel> {
  const { cwd, home, settings, signal, trace, onStage, site = "here" } = options;
  const { interruptGraceSeconds, projectModules } = settings.values.python;
  const [interpreter, backend, { modules, ...notRun }] = await Promise.all([
    site === "here" ? (options.interpreter ?? findInterpreter(interpreterSearch(options))) : null,
    options.loadBackend(),
    findModules({
      ...{ home, cwd, projectModules, trustsFolder: () => trustsFolder(options) },
      within: settings.values.python.sandbox === "off" ? undefined : () => folderWithoutSecrets(options),
    }),
  ]);
  if (interpreter !== null) {
    onStage?.(`found ${interpreter.executable} (${interpreter.source})`);
    options.onInterpreter?.(interpreter);
  }
  const limits = await limitsOf(options, interpreter, backend.name);
  const usual = interpreter === null ? {} : startEnvironment(interpreter, { ...options, backend: backend.name });
  const wished: Readonly<Record<string, string>> = { ...usual, ...limits.env, ...memoryLimit(settings) };
  const later = (await isBehindProgram(settings, interpreter))
    ? await loadLaterPath(wished.PATH, options, interpreter)
    : null;
  const all = later === null ? wished : { ...wished, PATH: later.before };
  const { launcher: inside, env } = limits.insideOnly?.([], all) ?? { launcher: [], env: all };
  const watched: Watched = new Map();
  const start = () =>
    backend.start({
      interpreter: interpreter?.executable ?? "",
      cwd,
      env,
      launcher: limits.launcher && [...limits.launcher(), ...inside],
      sandbox: limits.sandbox,
      whyNoCopies: limits.launcher && "Python runs in a sandbox or behind a launcher",
      onRestored: (kernel) => void watch(kernel, options, watched),
      whyFailed: (pid, lastStderr) => watched.get(pid)?.(lastStderr) ?? null,
      inheritsStdin: options.inheritsStdin && !limits.hidesTerminal,
      interruptGraceMs: interruptGraceSeconds * 1000,
      signal,
      trace,
      onStage,
      onHostCall: options.listener?.onHostCall,
      onImports: options.onImports,
    });
  const starting = limits.startIn?.(start) ?? start();
  // While Python starts, there is time to load the next modules.
  const [kernel, { bootstrapKernel, resumeKernel }, snapshot] = await Promise.all([
    starting,
    loadBootstrap(backend.name),
    snapshotFor(env, options),
  ]).catch(async (error) => {
    await starting.then((kernel) => kernel.close()).catch(() => undefined);
    if (later?.hint) throw await withHint(error, later.hint);
    throw interpreter?.source === "PATH" ? await withSetup(error) : error;
  });
  onStage?.("streams connected");
  await watch(kernel, options, watched);
  await tellLeftOut(notRun, options);
  tellSkipped(interpreter, options);
  if (later?.hint) options.listener?.onNotice?.(later.hint);
  if (!isOursToPrepare(kernel, site)) return kernel;
  const bridge = options.host?.bridge ?? options.bridge;
  try {
    const given = {
      ...(site === "here" ? {} : { ...variablesFromInside(options.host, options.env), ...options.extraEnv }),
      ...(snapshot === null ? {} : { PI_SHELL_SNAPSHOT: snapshot.path }),
    };
    if (!kernel.info.resumed) await later?.give(kernel);
    const asked = Object.fromEntries(Object.entries(options.extraEnv ?? {}).filter(([name]) => name in env));
    const folder = site === "here" || options.requireCwd ? cwd : whereItIs;
    const tools = kernel.info.resumed
      ? await resumeKernel(kernel, { env: asked, bridge, signal })
      : await bootstrapKernel(kernel, { cwd: folder, env: given, modules, bridge, signal });
    options.listener?.onPythonTools(tools);
  } catch (error) {
    await kernel.close();
    throw error;
  }
  if (kernel.info.resumed) return kernel;
  onStage?.(modules.length === 0 ? "prelude loaded" : `prelude and ${modules.length} modules loaded`);
  snapshot?.captureBeside(kernel);
  onStage?.("ready");
  return kernel;
}

const whereItIs = ".";

/** Granary's own environment stands in for a Python of PATH without ipykernel, which often refuses `pip install`. */
async function withSetup(error: unknown): Promise<unknown> {
  const { missing } = (error as Partial<KernelError>).details ?? {};
  if (!Array.isArray(missing)) return error;
  const { code, message, details } = error as KernelError;
  const remedy = "or let Granary make an environment for Jupyter kernels: granary setup";
  const { KernelError } = await import("../../kernel/errors.ts");
  return new KernelError(code, `${message}, ${remedy}`, { details, cause: error });
}

async function withHint(error: unknown, hint: string): Promise<unknown> {
  const { KernelError } = await import("../../kernel/errors.ts");
  if (!(error instanceof KernelError)) return error;
  const { code, message, details } = error;
  return new KernelError(code, `${message.replace(/\.$/, "")}. ${hint}`, { details, cause: error });
}

function memoryLimit({ values }: LoadedSettings): Readonly<Record<string, string>> {
  const { memoryLimitMb } = values.python;
  return memoryLimitMb === 0 ? {} : { GRANARY_MEMORY_LIMIT_MB: String(memoryLimitMb) };
}

/** The limits of kernels, by the number of the process. */
type Watched = Map<number | null, WhyFailed>;

async function watch(kernel: Kernel, { settings }: LaunchOptions, watched: Watched): Promise<void> {
  const { memoryLimitMb, cpuSeconds, maxProcesses, checkpoints, checkpointMemoryMb, sandbox, launcher } =
    settings.values.python;
  if (memoryLimitMb + cpuSeconds + maxProcesses === 0) return;
  const { watchLimits } = await import("../limits/watch-limits.ts");
  const forCopiesMb = checkpoints === "off" || sandbox !== "off" ? 0 : checkpointMemoryMb;
  const isBehindPrograms = sandbox !== "off" || launcher.length > 0;
  const limits = { memoryLimitMb, cpuSeconds, maxProcesses };
  watched.set(kernel.info.pid, watchLimits(kernel, limits, { forCopiesMb, isBehindPrograms }));
}

/** The sandbox and the user's own program in front of Python. */
async function limitsOf(
  options: LaunchOptions,
  interpreter: Interpreter | null,
  backend: BackendName,
): Promise<Limits> {
  const { sandbox: mode, launcher } = options.settings.values.python;
  if (mode === "off" && launcher.length === 0) return {};
  const { refuseUnlimited, SessionSandboxes } = await import("../sandbox/session-sandboxes.ts");
  refuseUnlimited(options.settings.values, backend, options.site ?? "here");
  const front = launcher.length === 0 ? null : await loadProgramsInFront(options);
  const own = front?.launcher(launcher) ?? [];
  const sandboxes = (await options.sandboxes?.()) ?? new SessionSandboxes();
  const sandbox = await sandboxes.for(options, interpreter ?? {});
  if (sandbox === null) return { launcher: () => own, insideOnly: front?.insideOnly };
  const [{ nameSandbox, saySandbox }, { sayForeign }, { deniedOutput }, { insideOnly }, { startTwice }] =
    await Promise.all([
      import("../sandbox/say-sandbox.ts"),
      import("../sandbox/denied/foreign-folder.ts"),
      import("../sandbox/denied-command.ts"),
      import("../sandbox/inside-only.ts"),
      import("../sandbox/not-set-up.ts"),
    ]);
  const foreign = sandbox.plan.write.map(sayForeign).filter((sentence) => sentence !== null);
  options.listener?.onNotice?.([saySandbox({ ...sandbox.plan, engine: sandbox.engine }), ...foreign].join(" "));
  options.listener?.onExplainer?.((output) => deniedOutput(sandbox.plan, output));
  const hidesTerminal = options.inheritsStdin === true && isatty(0);
  // So that input() asks the host: see granary_runner/program.py.
  const env = { ...sandbox.env, ...(hidesTerminal ? { GRANARY_HIDDEN_TERMINAL: "1" } : {}) };
  const startIn: Limits["startIn"] = (start) => startTwice(start, sandbox.plan.mode);
  const around = { env, insideOnly: front?.insideOnly ?? insideOnly, hidesTerminal, startIn };
  const name = nameSandbox(sandbox.plan.mode, sandbox.engine);
  return { launcher: () => [...own, ...sandbox.launcher], sandbox: name, ...around };
}

async function loadProgramsInFront(options: SearchContext) {
  const { ProgramsInFront } = await import("../sandbox/programs-in-front.ts");
  return new ProgramsInFront(options);
}

/** Whether a program of the user is in front of Python, outside of a sandbox. */
export async function isBehindProgram({ values }: LoadedSettings, interpreter: Interpreter | null): Promise<boolean> {
  const { launcher, sandbox } = values.python;
  return launcher.length > 0 || (sandbox === "off" && interpreter !== null && isAroundPython(interpreter));
}

async function loadLaterPath(path: string | undefined, options: LaunchOptions, interpreter: Interpreter | null) {
  const { pathForKernel } = await import("./later-path.ts");
  return pathForKernel(path, options, interpreter);
}

interface Limits {
  /** For one start: it has a plan of that moment. */
  readonly launcher?: () => readonly string[];
  /** Its name, for people. */
  readonly sandbox?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the user's terminal is no standard input: a process that stays behind could read what the user types next. */
  readonly hidesTerminal?: boolean;
  readonly insideOnly?: typeof import("../sandbox/inside-only.ts").insideOnly | undefined;
  /** Starts Python behind the launcher. */
  readonly startIn?: <T>(start: () => Promise<T>) => Promise<T>;
}

async function trustsFolder({ cwd, home, trust }: LaunchOptions): Promise<boolean> {
  if (trust !== undefined) return trust;
  const { isTrusted } = await import("../../settings/trust/trusted-folders.ts");
  return isTrusted(cwd, home);
}

/** Code in a sandbox could make a module that is a link to a secret in the folder. */
async function folderWithoutSecrets({ cwd, env }: LaunchOptions): Promise<readonly string[]> {
  const { withoutSecrets } = await import("../sandbox/sandbox-roots.ts");
  return withoutSecrets(cwd, env);
}

/** A Python that would be the one of the folder, if it did not belong to another user. Some hosts say so themselves. */
function tellSkipped(interpreter: Interpreter | null, { listener, onInterpreter }: LaunchOptions): void {
  if (interpreter === null || onInterpreter !== undefined) return;
  for (const { path, problem, stranger } of interpreter.skipped) {
    if (stranger !== undefined) listener?.onNotice?.(`${path} ${problem}. Python is ${interpreter.executable}.`);
  }
}

/** The first result reports it. */
async function tellLeftOut(modules: Omit<FoundModules, "modules">, options: LaunchOptions): Promise<void> {
  const { cwd, settings, listener } = options;
  const ofStrangers = [...settings.ofStrangers, ...modules.ofStrangers];
  if (modules.leftOut.length + settings.leftOut.length + ofStrangers.length === 0) return;
  const { whatIsLeftOut } = await import("../say-left-out.ts");
  const leftOut = { modules: modules.leftOut, settings: settings.leftOut, ofStrangers };
  for (const sentence of whatIsLeftOut(cwd, leftOut)) listener?.onNotice?.(sentence);
}

/** An external gateway does not pass on our variables. A snapshot of a local shell is useless there. */
function variablesFromInside(
  { sessionFile, artifactsFolder }: HostVariables = {},
  { PI_SESSION_FILE: inherited }: Environment,
): Record<string, string> {
  return hostVariables({ sessionFile: sessionFile ?? inherited, artifactsFolder });
}

/** A kernel of another language cannot run the bootstrap, and an attached kernel stays as it is. */
function isOursToPrepare({ info }: Kernel, site: KernelSite): boolean {
  return info.language === "python" && site !== "attached";
}

/** Where to look for Python, by the settings. */
export function interpreterSearch(options: SearchContext): FindInterpreterOptions {
  const { cwd, top, env, home, settings, signal, backend = chooseBackend(settings.values, { env }) } = options;
  const { interpreter, skipCheck } = settings.values.python;
  const explicit = interpreter ?? undefined;
  const forJupyter = backend !== "runner";
  // In a sandbox, a Python of the folder must not run outside of it, not even to report its version.
  const looksOnly = settings.values.python.sandbox !== "off";
  const confine = looksOnly ? confineTo(options) : undefined;
  const allowEnv = allowedVariables(settings);
  const { from } = settings.origins["python.interpreter"];
  const named = { explicit, isForAnyFolder: from === "user-file" || from === "variable" };
  const inFront = (wrapper?: string) => pathInFront(options, wrapper);
  return { cwd, top, env, home, ...named, skipCheck, forJupyter, looksOnly, confine, inFront, allowEnv, signal };
}

/** A wrapper is asked for its version with the PATH that it is started with. */
async function pathInFront(context: SearchContext, wrapper: string | undefined) {
  const front = await loadProgramsInFront(context);
  return wrapper !== undefined && front.isOfProject(wrapper)
    ? { path: front.pathOf(wrapper), leftOut: [] }
    : { path: front.path, leftOut: front.leftOut };
}

type SearchContext = Pick<
  LaunchOptions,
  | "cwd"
  | "top"
  | "base"
  | "isConfined"
  | "mayLeave"
  | "env"
  | "extraEnv"
  | "home"
  | "settings"
  | "signal"
  | "backend"
  | "sandboxes"
>;

/** Asks a Python in the sandbox in which its cells would run. */
function confineTo(context: SearchContext): FindInterpreterOptions["confine"] {
  return async (executable, env) => {
    const [{ SessionSandboxes }, { insideOnly }] = await Promise.all([
      import("../sandbox/session-sandboxes.ts"),
      import("../sandbox/inside-only.ts"),
    ]);
    const sandboxes = (await context.sandboxes?.()) ?? new SessionSandboxes();
    const sandbox = await sandboxes.for(context, { executable });
    return insideOnly(sandbox?.launcher ?? [], { ...env, ...sandbox?.env });
  };
}

async function loadBootstrap(backend: BackendName) {
  const [{ bootstrapKernel, preludeSources }, { resumeKernel }] = await Promise.all([
    import("../../session/bootstrap/bootstrap.ts"),
    import("../../session/kernel-life/resume-kernel.ts"),
  ]);
  if (backend !== "runner") preludeSources();
  return { bootstrapKernel, resumeKernel };
}

/** Null where none is wanted, and where the host already has one. */
async function snapshotFor(given: Readonly<Record<string, string>>, options: LaunchOptions) {
  const { withShellSnapshot = false, settings, site = "here" } = options;
  // A sandbox hides it.
  if (settings.values.python.sandbox !== "off") return null;
  if (!withShellSnapshot || site !== "here" || settings.values.python.skipCheck || given.PI_SHELL_SNAPSHOT) return null;
  try {
    const { pendingSnapshot } = await import("../shell/pending-snapshot.ts");
    return pendingSnapshot(options);
  } catch {
    // Commands then run without the snapshot; Python still works.
    return null;
  }
}
