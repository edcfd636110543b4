/** A shell's description of itself. */
export interface Portrait {
  readonly path: string;
  /** Exported, by name. */
  readonly variables: ReadonlyMap<string, string>;
  readonly functions: readonly ShellFunction[];
  readonly aliases: ReadonlyMap<string, string>;
  /** Options of `shopt` and of `set -o`, and whether they are on. */
  readonly options: ReadonlyMap<string, boolean>;
}

export interface ShellFunction {
  readonly name: string;
  readonly definition: string;
  readonly exported: boolean;
}

/** Reads the records that `selfPortrait` made the shell write. */
export function readPortrait(said: Buffer): Portrait {
  const fields = said.toString("utf8").split("\0");
  const records: [kind: string, content: string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) records.push([fields[at] as string, fields[at + 1] as string]);
  const all = (kind: string) =>
    // Not UTF-8: it could not be passed on unchanged.
    records.filter((record) => record[0] === kind && !record[1].includes("\ufffd")).map((record) => record[1]);

  return {
    path: (all("path").at(0) ?? "").replace(/\n$/, ""),
    variables: new Map(all("variable").map(atEqualsSign)),
    functions: all("function").flatMap(readFunction),
    aliases: readAliases(all("aliases").join("")),
    options: readOptions(all("options").join("")),
  };
}

function atEqualsSign(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A line with the flags of `declare -F`, then the definition. */
function readFunction(content: string): ShellFunction[] {
  const [flags = "", ...lines] = content.split("\n");
  const definition = lines.join("\n").trimEnd();
  const name = /^(?:function )?(\S+) \(\)/.exec(definition)?.[1];
  return name === undefined ? [] : [{ name, definition, exported: flags.includes("x") }];
}

/** The output of `alias -p`: values in single quotes, possibly over several lines, a quote inside as `'\''`. */
function readAliases(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/^(?:alias )?(?:-- )?([^\s=']+)=(?:'((?:[^']|'\\'')*)'|\\')$/gm);
  // A value that is a single quote is printed without quotes around it.
  return new Map([...found].map(([, name = "", value = "'"]) => [name, value.replaceAll("'\\''", "'")]));
}

/** Lines `shopt -s extglob` and `set +o posix`. */
function readOptions(text: string): ReadonlyMap<string, boolean> {
  const found = text.matchAll(/^(shopt -s|shopt -u|set -o|set \+o) (\w+)$/gm);
  return new Map([...found].map(([, how, name = ""]) => [name, how === "shopt -s" || how === "set -o"]));
}
