import type { JsonValue } from "../../../../support/json/value.ts";
import { type TomlStatement, tomlStatements } from "./toml-statements.ts";

const servers = "mcp_servers";

/**
 * Whether `[mcp_servers.NAME]` is in the text, in any of the forms that TOML has for it.
 * @throws {TomlSyntaxError}
 */
export function hasServerInToml(text: string, name: string): boolean {
  return pathsIn(tomlStatements(text)).some(([first, second]) => first === servers && second === name);
}

/**
 * The text with a table at its end, where TOML allows new tables; null where the servers are an inline table, which is closed.
 * @throws {TomlSyntaxError}
 */
export function addServerToToml(text: string, name: string, entry: Readonly<Record<string, JsonValue>>): string | null {
  const statements = tomlStatements(text);
  const isClosed = statements.some(({ type, path }, index) => {
    const isOutside = statements.slice(0, index).every((before) => before.type === "pair");
    return path.length === 1 && path[0] === servers && (type === "list" || (type === "pair" && isOutside));
  });
  if (isClosed) return null;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  // For texts, numbers and lists of texts, TOML reads what JSON writes.
  const lines = Object.entries(entry).map(
    ([key, value]) => `${key} = ${JSON.stringify(value).replaceAll('","', '", "')}`,
  );
  return `${text}${gap}${[`[${servers}.${name}]`, ...lines, ""].join(newline)}`;
}

/** Every key with the keys of its table in front. */
function pathsIn(statements: readonly TomlStatement[]): readonly (readonly string[])[] {
  let table: readonly string[] = [];
  return statements.map(({ type, path }) => {
    if (type === "pair") return [...table, ...path];
    table = path;
    return path;
  });
}
