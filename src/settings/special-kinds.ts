import { isHostPattern, patternCovers } from "../support/host-pattern.ts";
import { isLine, type Kind, noneIfEmpty, sayValue, switchWords } from "./kinds.ts";

/** A password or a token in the address would be shown with the address, so it has a setting of its own. */
export const webAddressOrNone: Kind<string | null> = {
  takes:
    'an address such as "http://127.0.0.1:8888", without a password or ?token= (that goes into python.gatewayToken), ' +
    "or null for none",
  takesAsText:
    "an address such as http://127.0.0.1:8888, without a password or ?token= (that goes into PI_PYTHON_GATEWAY_TOKEN), " +
    "or nothing for none",
  read: (json) => (json === null || (isLine(json) && isPlainWebAddress(json)) ? json : undefined),
  fromText: noneIfEmpty,
  shown: (json) => sayValue(typeof json === "string" ? withoutSecrets(json) : json),
};

function isPlainWebAddress(text: string): boolean {
  // `new URL` would forgive spaces and missing slashes. An @ in the path is fine: JupyterHub has users there.
  if (!/^https?:\/\/[^\s?#]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** For an error message: hides too much rather than too little, since the text may be malformed. */
function withoutSecrets(address: string): string {
  return address.replace(/^.*@/s, "…@").replace(/[?#].*/s, "?…");
}

/** Names of environment variables, and beginnings of names. */
export const variableNames: Kind<readonly string[]> = {
  takes: 'a list of variable names and PREFIX_*, such as ["PGHOST", "SLURM_*"]',
  takesAsText: "variable names and PREFIX_* with commas between them, such as PGHOST,SLURM_*",
  read: (json) => (Array.isArray(json) && json.every(isNameOrPrefix) ? json : undefined),
  fromText: namesIn,
  shown: sayValue,
};

function namesIn(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function isNameOrPrefix(json: unknown): json is string {
  return typeof json === "string" && /^[a-z_]\w*$|^[a-z]\w*_\*$/i.test(json);
}

/** A program and its arguments. */
export const commandWords: Kind<readonly string[]> = {
  takes: 'a list of texts, such as ["nice", "-n", "10"]',
  takesAsText: "texts with commas between them, such as nice,-n,10",
  read: (json) =>
    Array.isArray(json) && json.every((word) => typeof word === "string" && word !== "") ? json : undefined,
  fromText: namesIn,
  shown: sayValue,
};

/** Folders, as a list or as on PATH. */
export const folderNames: Kind<readonly string[]> = {
  takes: 'a list of folders, absolute, with ~ or relative to the working folder, such as ["~/data"]',
  takesAsText: "folders with commas between them, such as ~/data,/scratch",
  read: (json) => (Array.isArray(json) && json.every(isLine) ? json : undefined),
  fromText: namesIn,
  shown: sayValue,
};

/** No network, all of it, or the hosts that programs reach. */
export const networkOrHosts: Kind<"off" | "on" | readonly string[]> = {
  takes: '"off", "on", or a list of hosts, with *. for all below one, such as ["pypi.org", "*.example.com"]',
  takesAsText: "off, on, or hosts with commas between them, such as pypi.org,*.example.com",
  read(json) {
    if (json === "off" || json === "on") return json;
    const isList = Array.isArray(json) && json.every((host) => typeof host === "string" && isHostPattern(host));
    return isList ? (json.length === 0 ? "off" : json) : undefined;
  },
  fromText: (text) => (["off", "on", ""].includes(text) ? text || undefined : namesIn(text)),
  shown: sayValue,
};

/** Of two choices what both allow. */
export function bothNetworks(
  one: "off" | "on" | readonly string[],
  other: "off" | "on" | readonly string[],
): "off" | "on" | readonly string[] {
  if (one === "on" || other === "off") return other;
  if (other === "on" || one === "off") return one;
  const both = [
    ...one.filter((host) => other.some((pattern) => patternCovers(pattern, host))),
    ...other.filter((host) => one.some((pattern) => patternCovers(pattern, host))),
  ];
  return both.length === 0 ? "off" : [...new Set(both)];
}

/** Off, on, or where it is known to be right. */
export const switchOrAuto: Kind<boolean | "auto"> = {
  takes: 'true, false or "auto"',
  takesAsText: "1, 0 or auto",
  read: (json) => (typeof json === "boolean" || json === "auto" ? json : undefined),
  fromText: (text) => (text === "" ? undefined : (switchWords.get(text.toLowerCase()) ?? text)),
  shown: sayValue,
};

/** Names of Python modules, or the ones that are known to be used. */
export const moduleNamesOrAuto: Kind<readonly string[] | "auto"> = {
  takes: '"auto", or a list of module names, such as ["numpy", "matplotlib.pyplot"]',
  takesAsText: "auto, or module names with commas between them, such as numpy,matplotlib.pyplot",
  read: (json) => (json === "auto" || (Array.isArray(json) && json.every(isModuleName)) ? json : undefined),
  fromText: (text) => (text.trim() === "auto" ? "auto" : namesIn(text)),
  shown: sayValue,
};

function isModuleName(json: unknown): json is string {
  return typeof json === "string" && /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(json);
}

/** Off, on, or on and into a file. */
export const switchOrFile: Kind<boolean | string> = {
  takes: "true for stderr, false for none, or the path of a file",
  takesAsText: "1 for stderr, 0 for none, or the path of a file",
  read(json) {
    if (typeof json === "boolean") return json;
    // `"on"` is meant as a switch, not as a file of that name.
    return isLine(json) && !switchWords.has(json.toLowerCase()) ? json : undefined;
  },
  fromText: (text) => (text === "" ? false : (switchWords.get(text.toLowerCase()) ?? text)),
  shown: sayValue,
};
