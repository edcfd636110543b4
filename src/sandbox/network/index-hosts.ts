import { join } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { readSmallFileSync } from "../../support/files/foreign/regular-file.ts";
import { leadsInto } from "../leads-into.ts";
import type { IndexHost } from "./host-gate.ts";

const variables = [
  "PIP_INDEX_URL",
  "PIP_EXTRA_INDEX_URL",
  "UV_DEFAULT_INDEX",
  "UV_INDEX",
  "UV_INDEX_URL",
  "UV_EXTRA_INDEX_URL",
];
const pypi = ["https://pypi.org/simple", "https://files.pythonhosted.org"];

/**
 * The servers of the package index, from the user's variables and pip's configuration. Files of a project do not count: they
 * could name any server.
 * @param writable folders, without links, in which code in a sandbox may have written: configuration there, or behind a link there,
 * is the project's
 */
export function indexHosts(env: Environment, userHome: string, writable: readonly string[] = []): readonly IndexHost[] {
  const files = [
    "/etc/pip.conf",
    join(userHome, ".pip/pip.conf"),
    join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "pip/pip.conf"),
  ];
  const config = files.filter((path) => !leadsInto(writable, path)).flatMap(urlsIn);
  const chosen = [...variables.flatMap((name) => words(env[name] ?? "")), ...config.map(({ url }) => url)];
  const replacesPypi =
    ["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"].some((name) => env[name]) ||
    config.some(({ name }) => name === "index-url");
  return [...(replacesPypi ? [] : pypi), ...chosen].flatMap(hostOf);
}

function urlsIn(path: string): { name: string; url: string }[] {
  try {
    const found = readSmallFileSync(path).matchAll(/^\s*((?:extra-)?index-url)\s*[=:]((?:.*)(?:\n[ \t]+\S.*)*)/gm);
    return [...found].flatMap(([, name = "", urls = ""]) => words(urls).map((url) => ({ name, url })));
  } catch {
    return [];
  }
}

/** Several are separated by spaces; uv puts a name in front. */
function words(text: string): string[] {
  return text.split(/\s+/).map((word) => word.replace(/^[\w-]+=/, ""));
}

function hostOf(text: string): IndexHost[] {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return [];
  const { hostname, port, protocol } = new URL(text);
  const usual = protocol === "https:" ? 443 : 80;
  return [{ host: hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase(), port: Number(port) || usual }];
}
