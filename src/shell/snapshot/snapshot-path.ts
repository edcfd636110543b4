import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { homeOfAccount } from "../../support/environment.ts";

/** Decides which variables that rc files export are passed on. */
export interface VariableFilter {
  /** The filter as text: another text means another snapshot. */
  readonly rules: string;
  passes(name: string, value: string): boolean;
}

/** Everything that identifies a snapshot. */
export interface SnapshotContext {
  /** Granary's home folder. */
  readonly home: string;
  /** The environment that the user's shell starts with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly filter: VariableFilter;
  /** The user's shell; otherwise the one that `SHELL` names, otherwise bash. */
  readonly shell?: string | undefined;
  /** The sandbox of the commands: their code may have written what rc files read or run, so the shell starts inside. */
  readonly sandbox?: SnapshotSandbox | undefined;
  /** Whether terminals open login shells on this system, as on macOS. */
  readonly login?: boolean;
}

export interface SnapshotSandbox {
  /** The sandbox as text: commands of another one must not run what code in this one may have put into the snapshot. */
  readonly name: string;
  /** For one start. */
  readonly launcher: readonly string[];
}

/** The snapshot's path: equal for every process with the same inputs. */
export function snapshotPath(context: SnapshotContext): string {
  const { shell, kind, login, userHome, env } = shellContext(context);
  const snapshotFormat = 2;
  const stamps = rcFileStamps(kind, userHome, env);
  const inside = context.sandbox === undefined ? [] : [context.sandbox.name];
  const seen = [snapshotFormat, shell, login, env.PATH ?? null, stamps, context.filter.rules, ...inside];
  const fingerprint = createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 16);
  return join(context.home, "shell", `snapshot-${fingerprint}.sh`);
}

export function shellContext({
  env,
  shell = env.SHELL || "bash",
  login = process.platform === "darwin",
}: Omit<SnapshotContext, "filter" | "sandbox">) {
  return { shell, kind: shellKind(shell), login, userHome: env.HOME || homeOfAccount(), env };
}

/**
 * A stamp of the files that an interactive shell reads when it starts: it changes when one of them is
 * edited, comes or goes. Files that those files read in turn are not known; the usual ones are listed.
 */
function rcFileStamps(kind: ShellKind, userHome: string, env: Readonly<Record<string, string | undefined>>) {
  return rcFiles(kind, userHome, env).map((path) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return file === undefined ? [path] : [path, file.size, file.mtimeMs];
  });
}

function rcFiles(kind: ShellKind, userHome: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const inHome = (...names: string[]) => names.map((name) => join(userHome, name));
  switch (kind) {
    case "bash":
      return [
        ...["/etc/profile", "/etc/bash.bashrc", "/etc/bashrc"],
        ...inHome(".bashrc", ".bash_profile", ".bash_login", ".profile", ".bash_aliases", ".bash_functions"),
      ];
    case "zsh": {
      const names = [".zshenv", ".zprofile", ".zshrc", ".zlogin"];
      const system = ["zshenv", "zprofile", "zshrc", "zlogin"].flatMap((name) => [`/etc/${name}`, `/etc/zsh/${name}`]);
      const own = env.ZDOTDIR ? names.map((name) => join(env.ZDOTDIR as string, name)) : [];
      return [...system, ...own, ...inHome(...names)];
    }
    case "other": {
      const settings = env.XDG_CONFIG_HOME || join(userHome, ".config");
      return [
        ...inHome(".profile", ".kshrc", ".mkshrc"),
        ...["config.fish", "conf.d", "fish_variables"].map((name) => join(settings, "fish", name)),
      ];
    }
    default:
      return kind satisfies never;
  }
}

/**
 * How much of a shell bash can take over: of bash everything, of zsh PATH and exported variables, of any other (fish,
 * ksh, …) PATH.
 */
export type ShellKind = "bash" | "zsh" | "other";

function shellKind(shell: string): ShellKind {
  const name = basename(shell);
  return name === "bash" || name === "zsh" ? name : "other";
}
