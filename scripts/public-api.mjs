import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { inRepository } from "./repository.mjs";

/**
 * The declaration of one public name, from a declaration file.
 * @typedef {{ name: string; kind: string; doc: string; text: string; reaches: string[] }} Declaration
 */

/** The entry points of the package, by the name that programs import. */
export const entryPoints = {
  granary: "index",
  "granary/tools": "tools",
  "granary/python": "python",
  "granary/mcp": "hosts/mcp/index",
};

/**
 * The public names of an entry point, sorted, from the built declaration files.
 * @param {string} entry
 * @returns {Declaration[]}
 */
export function publicNames(entry) {
  const file = `${entry}.d.ts`;
  const exported = [...read(file).matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm)];
  const names = exported.flatMap(([, list = "", from = ""]) => {
    const target = posix.join(posix.dirname(file), from).replace(/\.[jt]s$/, ".d.ts");
    const text = read(target);
    return list.split(",").flatMap((item) => {
      const name = item.trim().replace(/^type /, "");
      return name === "" ? [] : [declarationOf(name, text, target)];
    });
  });
  return names.sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} file
 * @returns {Declaration}
 */
function declarationOf(name, text, file) {
  const start = new RegExp(
    String.raw`^export (?:declare )?(?:abstract )?(?:async )?(function|class|interface|type|const) ${name}\b`,
    "gm",
  );
  const found = [...text.matchAll(start)];
  if (found.length === 0) throw new Error(`${file} does not declare ${name}.`);
  const [first] = found;
  const code = found.map(({ index }) => text.slice(index, endOf(text, index))).join("\n");
  const doc = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, first?.index))?.[1] ?? "";
  return { name, kind: first?.[1] ?? "", doc: plain(doc), text: code, reaches: namesFromElsewhere(code, text) };
}

/**
 * The end of a declaration: after the brace or the semicolon that closes it.
 * @param {string} text
 * @param {number} from
 */
function endOf(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "(") depth++;
    if (character === "}" || character === ")") depth--;
    const isBody = character === "}" && depth === 0 && /^(?:\s*$|\r?\n)/m.test(text.slice(at + 1, at + 2) || "\n");
    if (isBody || (character === ";" && depth === 0)) return at + 1;
  }
  return text.length;
}

/**
 * The types that a declaration uses: those of other files, and those of its own file.
 * @param {string} code
 * @param {string} text
 */
function namesFromElsewhere(code, text) {
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "\.[^"]*";/gm)].flatMap(([, list = ""]) =>
    list.split(",").map((item) => item.trim().replace(/^type /, "")),
  );
  const own = [...text.matchAll(/^(?:export )?(?:declare )?(?:interface|type|class) (\w+)/gm)].map(
    ([, name]) => name ?? "",
  );
  const bare = code.replace(/\/\*\*[\s\S]*?\*\//g, "");
  return [...new Set([...imported, ...own])].filter((name) => new RegExp(String.raw`\b${name}\b`).test(bare));
}

/** @param {string} comment */
function plain(comment) {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}

/** @param {string} file */
function read(file) {
  return readFileSync(inRepository(`dist/${file}`), "utf8");
}
