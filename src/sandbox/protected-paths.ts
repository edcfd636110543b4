import { existsSync, lstatSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";

/** Files of a working folder that other programs run later, outside of the sandbox. */
export function readOnlyNames(folder: string): readonly string[] {
  // In a worktree and in a submodule, a file says where the repository is.
  const isLinked = lstatSync(`${folder}/.git`, { throwIfNoEntry: false })?.isFile() ?? false;
  const isRepository = existsSync(`${folder}/HEAD`) && existsSync(`${folder}/objects`);
  const git = isLinked ? [".git"] : inGit.map((name) => `.git/${name}`);
  return [...git, ...(isRepository ? inGit : []), ...hooksElsewhere(folder), ...inFolder];
}

const inGit = ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees"];

/** Husky and others keep the hooks in the working tree. */
function hooksElsewhere(folder: string): readonly string[] {
  try {
    const configuration = readFileSync(`${folder}/.git/config`, "utf8");
    const [, path] = /^\s*hookspath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(configuration) ?? [];
    const name = path === undefined ? "" : relative(folder, resolve(folder, path));
    return name === "" ? [] : [name];
  } catch {
    return [];
  }
}

const inFolder = [
  ".granary",
  ".envrc",
  ".vscode",
  ".idea",
  ".mcp.json",
  ".claude",
  ".codex",
  ".cursor",
  ".gemini",
  ".pi",
  ".husky",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".config/fish/config.fish",
  ...[".venv", "venv"].flatMap((name) =>
    ["activate", "activate.csh", "activate.fish", "Activate.ps1", "activate.nu", "activate_this.py"].map(
      (file) => `${name}/bin/${file}`,
    ),
  ),
];

/** Files of the system that programs in a strict sandbox see, besides the interpreter's. */
export const systemPaths = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/nix/store",
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/fonts",
  "/etc/group",
  "/etc/hosts",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/magic",
  "/etc/mime.types",
  "/etc/nsswitch.conf",
  "/etc/os-release",
  "/etc/passwd",
  "/etc/pki",
  "/etc/protocols",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl",
  "/etc/timezone",
];

/** Devices that every program may use. */
export const devices = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
  "/dev/tty",
  "/dev/ptmx",
  "/dev/pts",
  "/dev/fd",
];
