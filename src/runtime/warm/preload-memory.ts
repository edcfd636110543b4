import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Refusal } from "../../kernel/runner/warm/template.ts";
import { makeFolderSync } from "../../support/files/make-folder.ts";

/** A project's modules: which its cells used, and which of these are not imported ahead, since when and why. */
interface Remembered {
  readonly folder: string;
  readonly used: Readonly<Record<string, string>>;
  readonly dropped: Readonly<Record<string, { readonly since: string; readonly why: string }>>;
}

const rememberedDays = 30;
const dayMs = 24 * 3_600_000;
const mostModules = 20;

/** The memory behind `python.preload: auto`, in Granary's own folder: one small file for each project. */
export class PreloadMemory {
  readonly #files: string;
  readonly #path: string;
  readonly #folder: string;
  readonly #now: () => Date;

  constructor(home: string, folder: string, now = () => new Date()) {
    const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
    this.#files = join(home, "preload");
    this.#path = join(this.#files, `${name}.json`);
    this.#folder = folder;
    this.#now = now;
  }

  /** The modules to import ahead, those that were used first in the project first. */
  wanted(mayImport: (module: string) => boolean = () => true): readonly string[] {
    return this.allowed(this.#used()).filter(mayImport).slice(0, mostModules);
  }

  /** Used modules that are not imported ahead, although nothing is known against them. */
  unwanted(mayImport: (module: string) => boolean): readonly string[] {
    return this.allowed(this.#used()).filter((name) => !mayImport(name));
  }

  /** Of these modules, those that may be imported ahead. */
  allowed(names: readonly string[]): readonly string[] {
    const { dropped } = this.#read();
    return names.filter((name) => !this.#isFresh(dropped[name]?.since));
  }

  /** Modules that are not imported ahead, with the reason. */
  dropped(): ReadonlyMap<string, string> {
    const { dropped } = this.#read();
    return new Map(Object.entries(dropped).map(([name, { why }]) => [name, why]));
  }

  /** Cells have used these. */
  learn(modules: readonly string[]): void {
    const { used, ...rest } = this.#read();
    if (modules.every((name) => used[name] === this.#today)) return;
    const seen = Object.fromEntries(modules.map((name) => [name, this.#today]));
    const kept = Object.entries(used).filter(([, date]) => this.#isFresh(date));
    this.#write({ ...rest, used: { ...Object.fromEntries(kept), ...seen } });
  }

  drop({ module, why }: Refusal): void {
    const { dropped, ...rest } = this.#read();
    this.#write({ ...rest, dropped: { ...dropped, [module]: { since: this.#today, why } } });
  }

  #used(): readonly string[] {
    const { used } = this.#read();
    return Object.keys(used).filter((name) => this.#isFresh(used[name]));
  }

  get #today(): string {
    return this.#now().toISOString().slice(0, 10);
  }

  #isFresh(date: string | undefined): boolean {
    if (date === undefined) return false;
    return Date.parse(this.#today) - Date.parse(date) <= rememberedDays * dayMs;
  }

  /** A file that cannot be read, or was damaged, is as good as none: it is only about speed. */
  #read(): Remembered {
    const nothing = { folder: this.#folder, used: {}, dropped: {} };
    try {
      const found = JSON.parse(readFileSync(this.#path, "utf8")) as unknown;
      return isRemembered(found) && found.folder === this.#folder ? found : nothing;
    } catch {
      return nothing;
    }
  }

  #write(remembered: Remembered): void {
    try {
      makeFolderSync(this.#files);
      if (!existsSync(this.#path)) this.#forgetOldFolders();
      const draft = `${this.#path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(remembered)}\n`);
      renameSync(draft, this.#path);
    } catch {
      // A read-only home, a full disk: then nothing is remembered.
    }
  }

  /** Programs that work in temporary folders would leave a file for each of them. */
  #forgetOldFolders(): void {
    const oldest = this.#now().getTime() - rememberedDays * dayMs;
    for (const name of readdirSync(this.#files)) {
      const path = join(this.#files, name);
      if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
    }
  }
}

function isRemembered(value: unknown): value is Remembered {
  if (!isRecord(value) || !isRecord(value.used) || !isRecord(value.dropped)) return false;
  const isDated = Object.values(value.used).every((date) => typeof date === "string");
  return isDated && Object.values(value.dropped).every(isReason);
}

function isReason(value: unknown): boolean {
  return isRecord(value) && typeof value.since === "string" && typeof value.why === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
