import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type LoadedSettings, loadSettings, type SettingDefaults } from "../../src/settings/load-settings.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { isGranaryError } from "../../src/support/granary-error.ts";

/** A project's folder and a user's, in which settings can be given in every way. */
export class Places implements AsyncDisposable {
  readonly root: string;

  static async create(): Promise<Places> {
    return new Places(await mkdtemp(join(tmpdir(), "granary-settings-")));
  }

  private constructor(root: string) {
    this.root = root;
  }

  get cwd(): string {
    return join(this.root, "project");
  }

  get home(): string {
    return join(this.root, "home", ".granary");
  }

  get projectFile(): string {
    return join(this.cwd, ".granary", "settings.json");
  }

  get userFile(): string {
    return join(this.home, "settings.json");
  }

  /** A string is written unchanged; undefined: no file. */
  async load({ project, user, env = {}, overrides, defaults, trust = true }: Given): Promise<LoadedSettings> {
    await Promise.all([put(this.projectFile, project), put(this.userFile, user)]);
    return loadSettings({ cwd: this.cwd, env, home: this.home, overrides, defaults, trust: trust ?? undefined });
  }

  /** The message about invalid settings, without the folders that differ from run to run. */
  async complaint(given: Given): Promise<string> {
    const error = await this.load(given).then(
      () => new Error("no complaint"),
      (error: unknown) => error,
    );
    if (!isGranaryError(error, "settings")) throw error;
    return error.message.replaceAll(this.cwd, "PROJECT").replaceAll(this.home, "HOME");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

interface Given {
  readonly defaults?: SettingDefaults;
  /** Whether the user trusts the project's folder, as by default; null to ask what the user has told. */
  readonly trust?: boolean | undefined | null;
  readonly project?: object | string;
  readonly user?: object | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: SettingsOverrides;
}

async function put(path: string, content: object | string | undefined): Promise<void> {
  if (content === undefined) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
}
