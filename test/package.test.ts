import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { isLong } from "./environment/variants.ts";

const run = promisify(execFile);

/** Its dependencies, with the optional one. */
const needed = ["zod", "@resvg/resvg-wasm"];

/**
 * What people get from npm: the packed tarball, and a folder in which nothing but that is installed. npm itself takes five
 * seconds of processor time to install it, so `npm test` unpacks the tarballs, as npm would.
 */
describe("the package, installed in an empty folder", () => {
  let folder: string;
  let tarball: string;
  let files: string[];
  let bytes: number;
  let said = "";
  const installed = () => join(folder, "node_modules/granary");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "granary-package-"));
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    await run("npm", pack, { cwd: inRepository(".") });
    tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "");
    const dependencies = await Promise.all(needed.map((name) => packed(name, folder)));
    if (isLong) said = await installedByNpm(folder, [tarball, ...dependencies]);
    else {
      await unpack(tarball, installed());
      for (const [at, name] of needed.entries())
        await unpack(dependencies[at] as string, join(folder, "node_modules", name));
    }
    // Before Python adds its compiled modules.
    files = await filesIn(installed());
    const modules = join(folder, "node_modules");
    bytes = (await filesIn(modules)).reduce((sum, name) => sum + statSync(join(modules, name)).size, 0);
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("runs Python from the command line", async () => {
    const { bin } = await manifest(installed());
    const program = isLong ? join(folder, "node_modules/.bin/granary") : join(installed(), bin.granary);
    const { stdout } = await run(program, ["run", "-c", "print(6*7)"], { cwd: folder });
    expect(stdout).toBe("42\n");
  });

  test("has at most 20 MB of files, with its dependencies", () => expect(bytes / 1e6).toBeLessThan(20));

  test("needs those packages and no others, and has no script for its installation", async () => {
    const wanted: string[] = [];
    for (const name of ["granary", ...needed]) {
      const { dependencies, optionalDependencies, scripts } = await manifest(join(folder, "node_modules", name));
      wanted.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
      expect(Object.keys(scripts ?? {}).filter((script) => /^(pre|post)?install$/.test(script))).toEqual([]);
    }
    expect(wanted.sort()).toEqual([...needed].sort());
  });

  test.runIf(isLong)("installs without a network, and runs no script for it", async () => {
    const { packages } = JSON.parse(await readFile(join(folder, "node_modules/.package-lock.json"), "utf8"));
    expect(Object.keys(packages).sort()).toEqual([
      "node_modules/@resvg/resvg-wasm",
      "node_modules/granary",
      "node_modules/zod",
    ]);
    expect(Object.values(packages)).not.toContainEqual(expect.objectContaining({ hasInstallScript: true }));
    expect(said).not.toContain("script");
  });

  test("has a man page where npm finds it", async () => {
    const { man } = JSON.parse(await readFile(join(installed(), "package.json"), "utf8"));
    // npm links only a list of pages, and only on a global installation.
    expect(man).toEqual(["./dist/man/granary.1"]);
    expect(await readFile(join(installed(), man[0]), "utf8")).toMatch(/^\.TH GRANARY 1 /);
  });

  test("has the license of every package that its bundles contain", async () => {
    const licenses = await readFile(join(installed(), "dist/third-party-licenses.txt"), "utf8");
    for (const name of ["@modelcontextprotocol/server", "@earendil-works/pi-tui", "ws", "yaml", "marked", "hono"]) {
      expect(licenses).toMatch(new RegExp(`^${name} [0-9.]+ \\(`, "m"));
    }
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
    expect(shipped).toEqual(sources.filter((name) => /^python\/granary_[^/]*(\/.*)?\.py$/.test(name)));
  });

  test("contains no tests, no sources of the compiled files, no traces of the machine it was built on", async () => {
    const folders = new Set(files.map((name) => name.replace(/\/.*/, "/")));
    const expected = ["bin/", "dist/", "protocol/", "python/", "CHANGELOG.md", "LICENSE", "README.md", "package.json"];
    expect([...folders].sort()).toEqual(expected.sort());
    expect((await readdir(join(installed(), "dist"))).sort()).toEqual(
      ["bundle", "library", "man", "page", "run", "run-in-hub", "third-party-licenses.txt", "types"].sort(),
    );
  });

  test("has nothing that publint finds wrong", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed(), pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test.runIf(isLong)("has types that resolve for every importer that can import it", async () => {
    const attw = inRepository("node_modules/.bin/attw");
    const options = ["--profile", "esm-only", "--format", "ascii", "--no-color", "--no-definitely-typed"];
    const problems = await run(attw, [tarball, ...options]).then(
      () => "",
      (error) => error.stdout,
    );
    expect(problems).toBe("");
  });
});

async function manifest(folder: string) {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

async function unpack(tarball: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", into, "--strip-components=1"]);
}

/** @returns what npm said */
async function installedByNpm(folder: string, tarballs: readonly string[]): Promise<string> {
  await writeFile(join(folder, "package.json"), "{}");
  // A cache of its own, and so an empty one: nothing comes from elsewhere.
  const args = ["install", "--offline", "--no-audit", "--no-fund", ...tarballs, "--cache", join(folder, "cache")];
  return (await run("npm", args, { cwd: folder })).stderr;
}

/** A package of this checkout as a tarball. */
async function packed(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name.replace("/", "-")}.tgz`);
  await run("tar", ["-czf", file, "-C", inRepository(`node_modules/${name}/..`), basename(name)]);
  return file;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
