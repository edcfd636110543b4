import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { helpPages } from "../../../../src/hosts/cli/first-steps/help-pages.ts";

const pages = await helpPages();
const files = readdirSync(inRepository("docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !file.includes("decisions/"))
  .map((file) => `docs/${file}`);

/** Options and commands that a person would look for in vain; help is the list of those that exist. */
function unknownIn(line: string): readonly string[] {
  return [...line.matchAll(/(?<![\w/.-])granary ([a-z]+)(?![\w.])(?: ([a-z]+))?((?: [^`|\n]*)?)/g)].flatMap(
    ([typed, command = "", inner = "", rest = ""]) => {
      const page =
        pages.find(({ words }) => words.join(" ") === `${command} ${inner}`) ??
        pages.find(({ words }) => words.join(" ") === (command === "ps" ? "sessions" : command));
      if (page === undefined) return [`no command: ${typed}`];
      const known = new Set(["--help", ...page.options.map(({ name }) => name)]);
      // Behind `;`, `&&` or `#` is no more of it, and behind a script are the script's own arguments.
      const [own = ""] = `${inner} ${rest}`.replaceAll(/'[^']*'|"[^"]*"/g, "").split(/[;&#]| granary |\S+\.py\b| -m /);
      return [...own.matchAll(/(?<=\s)--[a-z][a-z-]+/g)]
        .filter(([name]) => !known.has(name))
        .map(([name]) => `${typed}: ${name}`);
    },
  );
}

test("every command and option of granary in the pages exists", () => {
  const texts = ["README.md", ...files].map((file) => ({ file, text: readFileSync(inRepository(file), "utf8") }));
  const spans = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/`(granary [^`\n]+)`|^(?:\$ | {4})?(granary .+)$/gm)].map(([, span, line]) => ({
      file,
      typed: span ?? line ?? "",
    })),
  );
  expect(spans.length).toBeGreaterThan(150);
  const isCommand = ({ typed }: { typed: string }): boolean => !/^granary (is|has|and|or|on|in|with|the)\b/.test(typed);
  expect(
    spans.filter(isCommand).flatMap(({ file, typed }) => unknownIn(typed).map((problem) => `${file}: ${problem}`)),
  ).toEqual([]);
});

test("the rule finds commands and options that do not exist", () => {
  expect(unknownIn("granary dance")).toEqual(["no command: granary dance"]);
  expect(unknownIn("granary notebook run a.ipynb --kernel ir")).toEqual([expect.stringContaining("--kernel")]);
  expect(unknownIn("granary run -c '--x' --json")).toEqual([]);
});
