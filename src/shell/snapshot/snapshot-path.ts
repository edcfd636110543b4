import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { rcFileStamps } from "./rc-files.ts";
import { shellKind } from "./shell-kind.ts";

/** Decides which variables that rc files export are passed on. */
export interface VariableFilter {
  /** The filter as text: another text means another snapshot. */
  readonly rules: string;
  passes(name: string, value: string): boolean;
}

/** Everything that identifies a snapshot. */
export interface SnapshotPlace {
  /** Granary's home folder. */
  readonly home: string;
  /** The environment that the user's shell starts with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly filter: VariableFilter;
  /** The user's shell; otherwise the one that `SHELL` names, otherwise bash. */
  readonly shell?: string | undefined;
  /** Whether terminals open login shells on this system, as on macOS. */
  readonly login?: boolean;
}

/** The snapshot's path: equal for every process with the same inputs. */
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
