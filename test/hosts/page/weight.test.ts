import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";

const folder = inRepository("dist/page");
const read = (name: string): string => readFileSync(`${folder}/${name}`, "utf8");

/** The files that a browser loads before the first view: the page, and the modules that these import at once. */
function firstLoad(): ReadonlySet<string> {
  const loaded = new Set(["index.html", "style.css", "icon.svg"]);
  const add = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const [, file = ""] of read(name).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) add(file);
  };
  add("main.js");
  return loaded;
}

test("the first load is at most 60 kB, compressed", () => {
  const bytes = [...firstLoad()].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(60_000);
});

test("no file of the page loads anything from another host", () => {
  for (const name of readdirSync(folder).filter((file) => /\.(?:html|css)$/.test(file))) {
    expect(read(name)).not.toMatch(/(?:src|href)="(?!\/page\/assets\/)|url\(|@import/);
  }
});

test("the licenses of its libraries are in the package", () => {
  const licenses = readFileSync(inRepository("dist/third-party-licenses.txt"), "utf8");
  for (const name of ["preact", "@preact/signals", "htm"]) expect(licenses).toContain(`${name} `);
});
