import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";

/** The built package once more, in a folder of its own and with another version, as a second installation has it. */
export class InstalledCopy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "granary-installed-"));
  readonly command = [process.execPath, join(this.folder, "bin/granary")] as const;
  readonly version: string;

  constructor(version: string) {
    this.version = version;
    for (const part of ["bin", "dist/bundle", "dist/run", "dist/run-in-hub", "protocol", "python", "package.json"]) {
      cpSync(inRepository(part), join(this.folder, part), { recursive: true });
    }
    symlinkSync(inRepository("node_modules"), join(this.folder, "node_modules"));
    const built = (JSON.parse(readFileSync(inRepository("package.json"), "utf8")) as { version: string }).version;
    this.#replace("package.json", `"version": "${built}"`, `"version": "${version}"`);
    // The build writes the version into the file that every client loads: `versionInside` in scripts/build.mjs.
    this.#replace("dist/run-in-hub/client.js", `return\`${built}\``, `return\`${version}\``);
  }

  #replace(file: string, text: string, by: string): void {
    const path = join(this.folder, file);
    const parts = readFileSync(path, "utf8").split(text);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${text}.`);
    writeFileSync(path, parts.join(by));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
