import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";
import type { Interpreter } from "../interpreter.ts";
import { neverPassed, passedVariables } from "./passed-variables.ts";

export interface KernelEnvironmentOptions extends FilterOptions {
  /**
   * Whether the kernel has its own matplotlib backend, which sends figures as messages. Jupyter kernels have one, and use
   * it only if no other is named.
   */
  readonly showsFigures?: boolean | undefined;
  /** Whether shims of version managers are not there, as in a strict sandbox. */
  readonly hidesShims?: boolean | undefined;
}

/**
 * The environment of a new kernel on this interpreter. On Windows, `bin` will have to be `Scripts`.
 *
 * @example
 * const env = kernelEnvironment(process.env, await findInterpreter({ cwd, env: process.env }));
 */
export function kernelEnvironment(
  env: Environment,
  interpreter: Pick<Interpreter, "virtualEnvironment" | "condaEnvironment"> & Partial<Interpreter>,
  options: KernelEnvironmentOptions = {},
): Record<string, string> {
  const { virtualEnvironment, condaEnvironment } = interpreter;
  const result = filterEnvironment(env, options);
  // pip, uv and child processes trust VIRTUAL_ENV, so it must name our environment or none.
  delete result.VIRTUAL_ENV;
  if (virtualEnvironment !== null) {
    result.VIRTUAL_ENV = virtualEnvironment;
  } else if (condaEnvironment !== null) {
    // conda's name for the environment belongs to the removed prefix.
    if (result.CONDA_PREFIX !== condaEnvironment) delete result.CONDA_DEFAULT_ENV;
    result.CONDA_PREFIX = condaEnvironment;
  }
  const programs = firstPrograms(interpreter, result.PATH, options.hidesShims ?? false);
  if (programs !== null) result.PATH = withFirst(programs, result.PATH);
  if (options.allow?.includes("MPLBACKEND")) return result;
  if (options.showsFigures) delete result.MPLBACKEND;
  else result.MPLBACKEND = backendWithoutWindows(result.MPLBACKEND);
  return result;
}

export type KernelPython = Pick<Interpreter, "virtualEnvironment" | "condaEnvironment"> & Partial<Interpreter>;

/**
 * The folder to put first on PATH; null for none.
 * @param path as the user has it
 * @param hidesShims whether the shim on it that named this Python is not there, so that `python` would be another one
 */
export function firstPrograms(
  { virtualEnvironment, condaEnvironment, executable, source }: KernelPython,
  path: string | undefined,
  hidesShims: boolean,
): string | null {
  const environment = virtualEnvironment ?? condaEnvironment;
  if (environment !== null) return join(environment, "bin");
  if (!hidesShims || source !== "PATH" || executable === undefined) return null;
  const folder = dirname(executable);
  const isOnPath = path?.split(delimiter).some((entry) => resolve(entry) === folder) ?? false;
  return isOnPath ? null : folder;
}

function withFirst(programs: string, path = ""): string {
  const others = path.split(delimiter).filter((entry) => entry !== programs && entry !== "");
  return [programs, ...others].join(delimiter);
}

/** Kernels have no windows, and a notebook's backend, inherited from Jupyter, may not be installed here. */
function backendWithoutWindows(chosen = ""): string {
  return windowless.includes(chosen.toLowerCase()) ? chosen : "agg";
}

const windowless = ["agg", "cairo", "pdf", "pgf", "ps", "svg", "template"];

export interface FilterOptions {
  /** More variables to pass: exact names, or `PREFIX_*`. */
  readonly allow?: readonly string[] | undefined;
  /** False when the source of this list may not allow secrets: then an exact name passes no more than a prefix. */
  readonly evenSecrets?: boolean | undefined;
}

/**
 * The part of an environment that code in a kernel may see. Variables that look like secrets pass only by their
 * exact name: a cell can print all of `os.environ`, and a model reads the output.
 */
export function filterEnvironment(env: Environment, options: FilterOptions = {}): Record<string, string> {
  const passes = passesWith(options);
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => passes(entry)));
}

/** The names of what is withheld, sorted; never a value. */
export function withheldNames(env: Environment, options: FilterOptions = {}): readonly string[] {
  const passes = passesWith(options);
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  return given.flatMap((entry) => (passes(entry) ? [] : [entry[0]])).sort();
}

type Variable = readonly [name: string, value: string | undefined];

function passesWith({ allow = [], evenSecrets = true }: FilterOptions): (variable: Variable) => boolean {
  const allowed = parseNames(allow);
  return ([name, value]) => {
    if (value === undefined || never.has(name)) return false;
    if ((evenSecrets && allowed.exact.has(name)) || mayHoldLogin.has(name)) return true;
    if (holdsLogin(value)) return false;
    return ours.exact.has(name) || (!looksSecret(name) && (startsWithAny(name, ours) || isAmong(name, allowed)));
  };
}

interface Names {
  readonly exact: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

function parseNames(names: readonly string[]): Names {
  const prefixes = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return { exact: new Set(names.filter((name) => !name.endsWith("*"))), prefixes };
}

function isAmong(name: string, names: Names): boolean {
  return names.exact.has(name) || startsWithAny(name, names);
}

function startsWithAny(name: string, { prefixes }: Names): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

const never: ReadonlySet<string> = new Set(neverPassed.map(({ name }) => name));
const ours = parseNames(passedVariables.flatMap(({ names }) => names));
const mayHoldLogin: ReadonlySet<string> = new Set(
  passedVariables.filter(({ withLogin }) => withLogin).flatMap(({ names }) => names),
);

export interface PackageContext {
  readonly cwd: string;
  readonly env: Environment;
  /** Which more variables a kernel is given. */
  readonly allowEnv?: FilterOptions | undefined;
}

/** All around a Python that has a say in where it finds packages, as text: the same text, the same packages. */
export function packageContext({ cwd, env, allowEnv }: PackageContext): string {
  const given = filterEnvironment(env, allowEnv);
  const relevant = Object.entries(given).filter(([name]) => name.startsWith("PYTHON") || name === "HOME");
  const dependsOnFolder = given.PYTHONPATH?.split(delimiter).some((entry) => !isAbsolute(entry));
  return JSON.stringify([...relevant.sort(), ...(dependsOnFolder ? [["cwd", cwd]] : [])]);
}

/**
 * Whether a variable's name says that its value is a secret. It is judged word by word, so that
 * `XDG_SESSION_TYPE` and `TOKENIZERS_PARALLELISM` are not, but `PI_ACCESSTOKEN` and `DB_PASSWORD_2` are. A wrong
 * guess withholds something harmless, which its exact name in `python.allowEnv` gives back.
 */
export function looksSecret(name: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z]+/);
  return words.some((word) => secretPart.test(word) || secretEnding.test(word) || secretWords.has(word));
}

const secretPart = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE/;
const secretEnding = /(TOKEN|KEY|PASS|AUTH|COOKIE)S?$/;
const secretWords = new Set([
  "PWD",
  "PW",
  "CRED",
  "CREDS",
  "PAT",
  "JWT",
  "BEARER",
  "AUTHORIZATION",
  "DSN",
  "OTP",
  "SALT",
]);

/** Whether a value contains an address with a login: that of a private package index, or of a Jupyter server. */
export function holdsLogin(value: string): boolean {
  const addresses = value.match(/:\/\/\S+/g) ?? [];
  return addresses.some(
    (address) => userPart.test(address) || condaToken.test(address) || parametersOf(address).some(isSecretParameter),
  );
}

const userPart = /:\/\/[^/?#@]+@/;
// As in https://conda.example/t/TOKEN/channel. A number after it is that of a topic in a forum.
const condaToken = /:\/\/[^/?#]+\/(?:[^?#]*\/)?t\/(?![^/?#]+\/\d+(?:[/?#]|$))[^/?#]/;

/** The names in `?name=value&name=value`, in what follows a `#`, and between the `;` of a database's address. */
function parametersOf(address: string): readonly string[] {
  return [...address.matchAll(/[?&#;]([^?&#;=]+)=/g)].map(([, name = ""]) => name);
}

/** A signed address opens what it names for everybody who has it: `?sig=`, `?X-Amz-Signature=`. */
function isSecretParameter(name: string): boolean {
  return looksSecret(name) || /(^|[^a-z])sig$|signature$/i.test(name);
}
