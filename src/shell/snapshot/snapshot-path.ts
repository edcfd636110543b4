import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { rcFileStamps } from "./rc-files.ts";
import { shellKind } from "./shell-kind.ts";

/** Decides which of the variables that rc files export may be handed on. */
export interface VariableFilter {
  /** What it decides by, as text: another text, another snapshot. */
  readonly rules: string;
  passes(name: string, value: string): boolean;
}

/** All that decides which snapshot it is. */
export interface SnapshotPlace {
  /** Granary's own folder. */
  readonly home: string;
  /** What the user's shell is started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly filter: VariableFilter;
  /** The user's shell; otherwise the one that `SHELL` names, otherwise bash. */
  readonly shell?: string | undefined;
  /** Whether a terminal opens login shells here, as it does on macOS. */
  readonly login?: boolean;
}

/** Where the snapshot is, or will be: the same for every process that would come to the same one. */
export function snapshotPath(place: SnapshotPlace): string {
  const { shell, kind, login, userHome, env } = shellContext(place);
  const snapshotFormat = 2;
  const stamps = rcFileStamps(kind, userHome, env);
  const seen = [snapshotFormat, shell, login, env.PATH ?? null, stamps, place.filter.rules];
  const fingerprint = createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 16);
  return join(place.home, "shell", `snapshot-${fingerprint}.sh`);
}

export function shellContext({
  env,
  shell = env.SHELL || "bash",
  login = process.platform === "darwin",
}: Omit<SnapshotPlace, "filter">) {
  return { shell, kind: shellKind(shell), login, userHome: env.HOME || homedir(), env };
}
