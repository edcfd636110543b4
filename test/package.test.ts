import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";

const run = promisify(execFile);

/** What people get from npm: the packed tarball, and a folder in which nothing but that is installed. */
describe("the package, installed in an empty folder", () => {
  let folder: string;
  let tarball: string;
  let files: string[];
  const installed = () => join(folder, "node_modules/granary");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "granary-package-"));
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    await run("npm", pack, { cwd: inRepository(".") });
    tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "");
    await writeFile(join(folder, "package.json"), "{}");
    // npm has seen every dependency while it installed the checkout, so this works without a network, too.
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
    files = await filesIn(installed()); // before Python adds its compiled modules
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("runs Python from the command line", async () => {
    const { stdout } = await run("npx", ["--no-install", "granary", "run", "-c", "print(6*7)"], { cwd: folder });
    expect(stdout).toBe("42\n");
  });

  test("can be imported", async () => {
    const program = 'import("granary").then(({ KernelError }) => console.log(KernelError.name))';
    const { stdout } = await run(process.execPath, ["-e", program], { cwd: folder });
    expect(stdout).toBe("KernelError\n");
  });

  test.each([
    ["granary/tools", "createToolbox"],
    ["granary/mcp", "serveStdio"],
    ["granary/pi", "default"],
  ])("%s can be imported", async (name, member) => {
    const program = `import("${name}").then((module) => console.log(typeof module["${member}"]))`;
    const { stdout } = await run(process.execPath, ["-e", program], { cwd: folder });
    expect(stdout).toBe("function\n");
  });

  test("contains the whole Python side and nothing that is only for developing it", async () => {
    const shipped = files.filter((name) => name.startsWith("python/"));
    const sources = (await filesIn(inRepository("python"))).map((name) => `python/${name}`);
    expect(shipped).toEqual(
      sources.filter((name) =>
        /^python\/(granary_(probe|gateway_config)\.py|granary_(prelude|runner)\/.*\.py)$/.test(name),
      ),
    );
  });

  test("contains no tests, no sources of the compiled files, no traces of the machine it was built on", async () => {
    const folders = new Set(files.map((name) => name.replace(/\/.*/, "/")));
    const expected = ["bin/", "dist/", "protocol/", "python/", "CHANGELOG.md", "LICENSE", "README.md", "package.json"];
    expect([...folders].sort()).toEqual(expected.sort());
    expect(await filesIn(join(installed(), "dist"))).not.toContain(".built-from");
  });

  test("has nothing that publint finds wrong", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed(), strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("has types that resolve for every importer that can import it", async () => {
    const attw = inRepository("node_modules/.bin/attw");
    const options = ["--profile", "esm-only", "--format", "ascii", "--no-color", "--no-definitely-typed"];
    const problems = await run(attw, [tarball, ...options]).then(
      () => "",
      (error) => error.stdout,
    );
    expect(problems).toBe("");
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
