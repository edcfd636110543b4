import type { JsonValue } from "../../../../support/json/value.ts";

/** Whether `[mcp_servers.NAME]` is in the text, in any of the forms that TOML has for it. */
export function hasServerInToml(text: string, name: string): boolean {
  const key = `(?:${name}|"${name}"|'${name}')`;
  const table = new RegExp(String.raw`^\s*\[\s*mcp_servers\s*\.\s*${key}\s*[\].]`, "m");
  const dotted = new RegExp(String.raw`^\s*mcp_servers\s*\.\s*${key}\s*[.=]`, "m");
  const [, inside = ""] = /^\s*\[\s*mcp_servers\s*\]([^[]*)/m.exec(text) ?? [];
  return table.test(text) || dotted.test(text) || new RegExp(String.raw`^\s*${key}\s*[.=]`, "m").test(inside);
}

/** The text with a table at its end, where TOML allows new tables; null where the servers are an inline table, which is closed. */
export function addServerToToml(text: string, name: string, entry: Readonly<Record<string, JsonValue>>): string | null {
  if (/^\s*mcp_servers\s*=/m.test(text)) return null;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  // For texts, numbers and lists of texts, TOML reads what JSON writes.
  const lines = Object.entries(entry).map(
    ([key, value]) => `${key} = ${JSON.stringify(value).replaceAll('","', '", "')}`,
  );
  return `${text}${gap}${[`[mcp_servers.${name}]`, ...lines, ""].join(newline)}`;
}
