import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { isWithin } from "./is-within.ts";
import { asInMountinfo, mountPlaces } from "./mount-places.ts";
import { replacedFolders } from "./private-tmp.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";
import { systemPaths } from "./system-paths.ts";

/**
 * The command that puts bubblewrap in front of a program. The shell opens the filter of system calls on descriptor 9, so that
 * callers need not pass a descriptor, and becomes bubblewrap.
 */
export function bwrapLauncher(plan: SandboxPlan, bwrap: string, filter: string): readonly string[] {
  const opening = 'filter="$1"; shift; exec "$@" 9<"$filter"';
  return [
    "/bin/sh",
    "-c",
    opening,
    "sh",
    filter,
    bwrap,
    "--seccomp",
    "9",
    ...bwrapArguments(plan),
    "--",
    ...check(plan),
  ];
}

/**
 * A program in another sandbox of the folder, or of one around it, could turn a path into a link after the plan, and its mount would
 * open what the link leads to. So this looks, inside and before the program starts, whether each mount of the folder, in it, and of
 * what is shown beside it comes from its own place.
 */
const checking = `
newline='
'
if [ -x /usr/bin/cut ]; then
  # A shell reads one byte at a time, and a machine with containers has hundreds of lines.
  places="$newline$(/usr/bin/cut -d ' ' -f 3-5 /proc/self/mountinfo)$newline"
else
  places=$newline
  while read -r _ _ device root point _; do places="$places$device $root $point$newline"; done < /proc/self/mountinfo
fi
check() {
  found="\${places%" $1$newline"*}"
  [ "$found" = "$places" ] && found=
  found="\${found##*"$newline"}"
  [ "\${found%/}" = "$2" ] && return
  echo "granary: the sandbox could not be set up: $1 was replaced." >&2
  exit 1
}
while [ "$1" != -- ]; do check "$1" "$2"; shift 2; done
shift
exec "$@"`;

function check(plan: SandboxPlan): readonly string[] {
  const { write, anchors, readOnly } = plan;
  const place = mountPlaces();
  const all = [...new Set([...write, ...anchors, ...readOnly, ...mountedShown(plan)])];
  const inside = all.flatMap((path) => [asInMountinfo(path), place(path)]);
  return ["/bin/sh", "-c", checking, "sh", ...inside, "--"];
}

function bwrapArguments(plan: SandboxPlan): readonly string[] {
  const { cwd, write, anchors, readOnly, tmp, cacheFolder } = plan;
  return [
    // Without --new-session: the caller has made a session, and Python makes one.
    ...["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(plan.network === "on" ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL"],
    ...(plan.mode === "strict" ? system() : ["--ro-bind", "/", "/"]),
    // Root writes settings of the kernel without any capability.
    ...["--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
    ...replacedFolders.flatMap((folder) => ["--bind", tmp, folder]),
    ...plan.covers.flatMap(({ at, from }) => ["--ro-bind", from, at]),
    ...(plan.mode === "strict" ? plan.show.flatMap(readable) : []),
    ...(plan.mode === "workspace" ? plan.hide : plan.hide.filter((path) => isShown(path, plan))).flatMap((path) =>
      hidden(path, plan),
    ),
    // Files that the programs need may be in a hidden folder.
    ...shownInHidden(plan).flatMap(readable),
    ...plan.links.filter(({ at }) => isEmptyAt(at, plan)).flatMap(({ at, to }) => ["--symlink", to, at]),
    ...[...write, ...anchors].flatMap((path) => ["--bind", path, path]),
    ...readOnly.flatMap((path) => ["--ro-bind", path, path]),
    // Secrets inside of a writable folder.
    ...plan.hide
      .filter((path) => write.some((folder) => isWithin(folder, path)))
      .flatMap((path) => covered(path, plan)),
    // Granary's own folder may be one of them.
    ...["--bind", cacheFolder, cacheFolder],
    ...plan.hide.flatMap((path) => sealed(path, plan)),
    ...(plan.mode === "strict" ? ["--remount-ro", "/"] : []),
    ...["--chdir", cwd],
  ];
}

function readable(path: string): readonly string[] {
  return ["--ro-bind", path, path];
}

/** Elsewhere, the link is there; in the private `/tmp`, it has been made. */
function isEmptyAt(path: string, { mode, hide }: SandboxPlan): boolean {
  if (replacedFolders.some((folder) => isWithin(folder, path))) return false;
  return mode === "strict" ? !isOfSystem(path) : hide.some((folder) => isWithin(folder, path));
}

function mountedShown(plan: SandboxPlan): readonly string[] {
  return plan.mode === "strict" ? plan.show : shownInHidden(plan);
}

function shownInHidden({ show, hide }: SandboxPlan): readonly string[] {
  return show.filter((path) => hide.some((folder) => isWithin(folder, path)));
}

/** In a strict sandbox. */
function isShown(path: string, { show }: SandboxPlan): boolean {
  return isOfSystem(path) || show.some((folder) => isWithin(folder, path));
}

function isOfSystem(path: string): boolean {
  return systemPaths.some((folder) => isWithin(folder, path));
}

function isReplaced(path: string): boolean {
  return replacedFolders.includes(path);
}

function hidden(path: string, plan: SandboxPlan): readonly string[] {
  return isReplaced(path) || plan.write.some((folder) => isWithin(folder, path)) ? [] : covered(path, plan);
}

/** Nothing for a path that has become a link: bubblewrap would follow it, and make a file at its other end. */
function covered(path: string, plan: SandboxPlan): readonly string[] {
  const found = look(path);
  if (found?.isSymbolicLink()) return [];
  if (!found?.isDirectory()) return ["--ro-bind", "/dev/null", path];
  return holdsMounts(path, plan) ? ["--tmpfs", path] : ["--ro-bind", plan.empty, path];
}

/** A write into a hidden folder fails, instead of getting lost. */
function sealed(path: string, plan: SandboxPlan): readonly string[] {
  const isCovered =
    plan.mode === "workspace" || isShown(path, plan) || plan.write.some((folder) => isWithin(folder, path));
  return isCovered && isFolder(path) && !isReplaced(path) && holdsMounts(path, plan) ? ["--remount-ro", path] : [];
}

/** Then bubblewrap makes places for them, which it cannot do in the empty folder. */
function holdsMounts(path: string, { show, links, hide, write, cacheFolder }: SandboxPlan): boolean {
  const made = [...show, ...links.map(({ at }) => at), ...hide, ...write, cacheFolder];
  return made.some((other) => other !== path && isWithin(path, other));
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() ?? false;
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** As on this machine: `/bin` is a folder, or a link to `usr/bin`. */
function system(): readonly string[] {
  return systemPaths.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isSymbolicLink() && !path.startsWith("/etc/")
      ? ["--symlink", readlinkSync(path), path]
      : ["--ro-bind-try", path, path];
  });
}
