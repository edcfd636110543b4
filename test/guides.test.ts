import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { inRepository } from "../scripts/repository.mjs";
import { createToolbox } from "../src/tools/toolbox.ts";
import { filesBelow } from "./architecture/source-files.ts";
import { runtimeIn, temporaryFolder } from "./runtime/runtimes.ts";

const page = (path: string): string => readFileSync(inRepository(path), "utf8");
const folder = temporaryFolder();

describe("docs/troubleshooting.md", () => {
  const messages = [...page("docs/troubleshooting.md").matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = ""]) => text);
  // A sentence may continue on the next line of the source: `"one " +\n "two"`.
  const sources = ["src", "python"].flatMap((root) =>
    filesBelow(root)
      .filter((file) => /\.(ts|py)$/.test(file))
      .map((file) => readFileSync(inRepository(posix.join(root, file)), "utf8").replaceAll(/["`] \+\s+["`]/g, "")),
  );

  test("has the thirty most common messages", () => expect(messages.length).toBeGreaterThanOrEqual(30));

  test.each(messages)("quotes a message that exists: %s", (message) => {
    const parts = message.split("…").map((part) => part.trim());
    const fixed = parts.filter((part) => part.length > 3);
    expect(fixed.length).toBeGreaterThan(0);
    expect(sources.some((source) => fixed.every((part) => source.includes(part)))).toBe(true);
  });
});

test("every page begins with its purpose and an example", () => {
  const pages = filesBelow("docs").filter((file) => file.endsWith(".md") && !file.includes("decisions/"));
  expect(pages.length).toBeGreaterThan(30);
  const without = pages.filter((file) => {
    const [beginning = ""] = page(`docs/${file}`).split(/^## /m);
    const [, purpose = "", ...rest] = beginning.split(/\n\n+/);
    return !/^[A-Z`[][^|]{40,}/.test(purpose) || !/^(```| {4})/m.test(rest.join("\n\n"));
  });
  expect(without).toEqual([]);
});

test.each(["ci", "release"])("the workflow %s runs the two commands of CONTRIBUTING.md", (name) => {
  const { jobs } = parse(page(`.github/workflows/${name}.yml`)) as {
    jobs: Record<string, { steps: readonly { run?: string }[] }>;
  };
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(commands).toEqual(expect.arrayContaining(["npm run check", "npm test"]));
  if (name === "release") expect(commands.at(-1)).toContain("npm publish --provenance");
  for (const command of ["npm run check", "npm test"]) expect(page("CONTRIBUTING.md")).toContain(command);
});

test("the calls in the guides are calls that the tools accept", async () => {
  const texts = ["docs/agents.md", "docs/from/jupyter-mcp-server.md"].map(page).join("\n");
  const calls = [...texts.matchAll(/`(\w+) (\{.*?\})`/g)].map(([, tool = "", input = ""]) => ({ tool, input }));
  const ofReadme = [...page("README.md").matchAll(/^\{"tool": "(\w+)", "input": (\{.*\})\}$/gm)];
  calls.push(...ofReadme.map(([, tool = "", input = ""]) => ({ tool, input })));
  expect(ofReadme.length).toBe(3);
  expect(calls.length).toBeGreaterThanOrEqual(18);
  await using runtime = await runtimeIn(folder);
  const { tools } = await createToolbox({ runtime });
  for (const { tool, input } of calls) {
    const found = tools.find(({ name }) => name === tool);
    expect(found, tool).toBeDefined();
    expect(found?.inputSchema.safeParse(JSON.parse(input)).error, `${tool} ${input}`).toBeUndefined();
  }
});
