import type { Kind } from "../../src/settings/kinds.ts";
import { groupOf, type SettingName, settingCalled, settingGroups, settingNames } from "../../src/settings/settings.ts";

const beginning =
  "<!-- made from src/settings/table.ts: UPDATE_DOCS=1 npx vitest run test/settings/settings-page.test.ts -->";
const end = "<!-- end of what is made from the table -->";

/** The page with the tables between the two comments generated again. */
export function withTables(page: string): string {
  const from = page.indexOf(beginning);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/settings.md has lost its comments:\n${beginning}\n${end}`);
  return `${page.slice(0, from)}${beginning}\n\n${settingGroups.map(table).join("\n")}\n${page.slice(to)}`;
}

function table(group: string): string {
  const names = settingNames.filter((name) => groupOf(name) === group);
  return ["| setting | default | what it does |", "|---|---|---|", ...names.map(row), ""].join("\n");
}

function row(name: SettingName): string {
  const { kind, default: value, purpose, variable, notForProjects } = settingCalled(name);
  const sentences = [
    purpose,
    // Otherwise Markdown would read the text between two of them as emphasis.
    `Takes ${kind.takes.replaceAll("*", "\\*")}.`,
    ...(variable ? [`Also \`${variable.name}\`${wordsOf(variable.kind)}.`] : []),
    ...(notForProjects ? ["Not in a project's file."] : []),
  ];
  const cells = [`\`${name}\``, value === null ? "none" : `\`${JSON.stringify(value)}\``, sentences.join(" ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function wordsOf(kind: Kind<unknown> | undefined): string {
  return kind === undefined ? "" : `: ${kind.takes}`;
}
