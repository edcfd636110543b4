import { statSync } from "node:fs";
import { join } from "node:path";
import type { ShellKind } from "./shell-kind.ts";

/**
 * A fingerprint of the files that an interactive shell reads at its start: it changes when one of them is
 * edited, created or deleted. Files that those files source are unknown; the usual ones are listed.
 */
export function rcFileStamps(kind: ShellKind, userHome: string, env: Readonly<Record<string, string | undefined>>) {
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
