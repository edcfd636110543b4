import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { inRepository } from "../scripts/repository.mjs";

const run = promisify(execFile);

/** A small program out of an example or a page of the documentation. */
export interface Snippet {
  readonly name: string;
  readonly source: string;
}

/**
 * Checks programs in a folder inside the repository, where `import … from "granary"` means this checkout, and strips their
 * types. What is left is what somebody would write in JavaScript: nothing is translated for an older Node.
 * @returns what the compiler has to say about them; empty when there is nothing
 */
export async function compileSnippets(folder: string, snippets: readonly Snippet[]): Promise<string> {
  if (snippets.length === 0) return "";
  const settings = {
    extends: inRepository("tsconfig.json"),
    compilerOptions: {
      target: "ESNext",
      noEmit: false,
      noEmitOnError: true,
      rootDir: ".",
      outDir: ".",
      noUnusedLocals: false,
    },
    include: [],
    files: snippets.map(({ name }) => `${name}.ts`),
  };
  const path = pathOf(folder);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  await writeFile(`${path}/tsconfig.json`, JSON.stringify(settings));
  await Promise.all(snippets.map(({ name, source }) => writeFile(`${path}/${name}.ts`, source)));
  const { stdout } = await run(process.execPath, [inRepository("node_modules/typescript/bin/tsc")], {
    cwd: path,
  }).catch((failed: { stdout: string }) => failed);
  return stdout;
}

/** Rejects when the compiled program fails; what it prints does not matter. */
export async function runSnippet(folder: string, name: string): Promise<void> {
  await run(process.execPath, [`${name}.js`], { cwd: pathOf(folder) });
}

/** The lines of a program that are a syntax error on Node 20. */
export function tooNewForNode20({ source }: Snippet): readonly string[] {
  return source.split("\n").filter((line) => /^\s*(?:for \(\s*(?:const )?)?(?:await )?using \w+ (?:=|of)/.test(line));
}

function pathOf(folder: string): string {
  return inRepository(`.snippets/${folder}`);
}
