import { dirname } from "node:path";
import { isWithin } from "../is-within.ts";
import type { SandboxPlan } from "../sandbox-plan.ts";

/** The places where programs may write, for a sentence: the repository of a worktree once, and not each part of it. */
export function sayPlaces({ write, shared }: Pick<SandboxPlan, "write" | "shared">): string {
  const named = write.filter((path) => !shared.includes(path));
  const ofGit = shared.length === 0 ? [] : [`what git needs of ${folderAround(shared)}`];
  return `${[...named, ...ofGit].join(", ")} and a private /tmp`;
}

function folderAround(paths: readonly string[]): string {
  let folder = dirname(paths[0] ?? "/");
  while (!paths.every((path) => isWithin(folder, path))) folder = dirname(folder);
  return folder;
}
