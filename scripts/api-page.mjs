import { entryPoints, publicNames } from "./public-api.mjs";

/** `docs/api.md`, from the built declaration files. */
export function apiPage() {
  const sections = Object.entries(entryPoints).map(([name, entry]) => section(name, publicNames(entry)));
  return `${head}\n${sections.join("\n")}`;
}

const head = `# API reference

Every public name, as the types declare it. A test keeps this page up to date: \`UPDATE_DOCS=1 npx vitest run test/api-page.test.ts\`.
Guides with examples: [sessions](sessions.md), [notebooks](notebooks.md), [tools](tools.md), [the bridge](bridge.md), [errors](errors.md), [MCP](mcp.md).

\`\`\`typescript
import { createRuntime } from "granary";
import { createToolbox } from "granary/tools";
import { findInterpreter } from "granary/python";
import { serveStdio } from "granary/mcp";
\`\`\`
`;

/**
 * @param {string} name
 * @param {import("./public-api.mjs").Declaration[]} declarations
 */
function section(name, declarations) {
  const values = declarations.filter(({ kind }) => isValue(kind));
  const types = declarations.filter(({ kind }) => !isValue(kind));
  const listed = types.map(
    (type) => `\n<details><summary><code>${type.name}</code></summary>\n\n${body(type)}\n</details>\n`,
  );
  return [`\n## ${name}\n`, ...values.map((value) => `\n### ${value.name}\n\n${body(value)}`), ...listed].join("");
}

/** @param {string} kind */
function isValue(kind) {
  return kind === "function" || kind === "class" || kind === "const";
}

/** @param {import("./public-api.mjs").Declaration} declaration */
function body({ doc, text }) {
  const [sentences = "", example] = doc.split(/^@example\n/m);
  const shown = text.replace(/^export (?:declare )?/gm, "").replace(/^ {4}#private;\n/m, "");
  const parts = [sentences.trim(), example === undefined ? "" : fence(example.trim()), fence(shown)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Not `ts`: declarations are no programs. @param {string} code */
function fence(code) {
  return `\`\`\`typescript\n${code}\n\`\`\``;
}
