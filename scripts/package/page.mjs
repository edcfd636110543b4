import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../repository.mjs";

const client = inRepository("src/hosts/page/client");

/**
 * Bundles the page for browsers, with its libraries: the first file has what every visit needs, and the others load when
 * they are first used.
 * @param {string} folder the folder of the bundle
 * @returns {Promise<string[]>} the modules in it
 */
export async function buildPage(folder) {
  const { rolldown } = await import("rolldown");
  const files = await rolldown({ input: { main: join(client, "main.ts") }, platform: "browser", logLevel: "warn" });
  const { output } = await files.write({
    dir: folder,
    format: "esm",
    minify: true,
    chunkFileNames: "[name]-[hash].js",
  });
  await files.close();
  mkdirSync(folder, { recursive: true });
  for (const file of ["index.html", "icon.svg"]) copyFileSync(join(client, file), join(folder, file));
  writeFileSync(join(folder, "style.css"), styles());
  return output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []));
}

/** All style sheets in the order of their names, without comments and blanks at the beginning of lines. */
function styles() {
  const folder = join(client, "style");
  const sheets = readdirSync(folder).sort();
  const css = sheets.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/\n\s*/g, "\n");
}
