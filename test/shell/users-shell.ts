import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { composeBash } from "../../src/shell/compose-bash.ts";
import { type ShellSnapshotOptions, shellSnapshot } from "../../src/shell/snapshot/shell-snapshot.ts";

const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** A user with a home folder of their own, and rc files in it. */
export class User {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-shell-")));
  readonly env: Record<string, string> = { HOME: this.folder, PATH: systemPath, SHELL: "bash" };
  readonly granaryHome = join(this.folder, ".granary");

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(join(this.folder, name, ".."), { recursive: true });
    writeFileSync(join(this.folder, name), content);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** With a long timeout by default: the machine may be busy. */
  snapshot(options: Partial<ShellSnapshotOptions> = {}) {
    const { signal } = new AbortController();
    const filter = filterOf((name) => !name.endsWith("_KEY"));
    return shellSnapshot({ home: this.granaryHome, env: this.env, filter, signal, withinMs: 30_000, ...options });
  }

  /** Makes a snapshot, and fails without one. */
  async captured(options: Partial<ShellSnapshotOptions> = {}): Promise<CapturedShell> {
    const { path, ready } = this.snapshot(options);
    const { problem } = await ready;
    if (problem !== null) throw new Error(problem);
    return new CapturedShell(this, path);
  }

  /** Runs a command in bash and returns its output. */
  run(command: string, { snapshot = null, venvBin = null, env = {} }: RunOptions = {}): string {
    return execFileSync("bash", composeBash(command, { snapshot, venvBin }), {
      cwd: this.folder,
      env: { ...this.env, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
}

interface RunOptions {
  readonly snapshot?: string | null;
  readonly venvBin?: string | null;
  readonly env?: Record<string, string>;
}

class CapturedShell {
  readonly #user: User;
  readonly path: string;

  constructor(user: User, path: string) {
    this.#user = user;
    this.path = path;
  }

  get text(): string {
    return readFileSync(this.path, "utf8");
  }

  run(command: string, env: Record<string, string> = {}): string {
    return this.#user.run(command, { snapshot: this.path, env });
  }
}

export function filterOf(passes: (name: string) => boolean): ShellSnapshotOptions["filter"] {
  return { rules: String(passes), passes };
}
