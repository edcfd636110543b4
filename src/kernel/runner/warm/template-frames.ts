import { KernelError } from "../../errors.ts";

/** The wire of a warm interpreter in types; "Warm interpreters" in `protocol/README.md` says what they mean. */

export type TemplateRequest =
  | {
      readonly op: "preload";
      readonly modules: readonly string[];
      readonly seconds: number;
      readonly megabytes: number;
      /** Whether the prelude is loaded, once for all kernels. */
      readonly prelude?: boolean | undefined;
    }
  | ForkRequest;

/** To every Python that forks kernels. */
export type ForkRequest =
  | { readonly op: "fork"; readonly fork: number; readonly path: string; readonly word: string }
  | { readonly op: "reap" }
  | { readonly op: "retire" };

export type TemplateFrame =
  /** It cannot fork kernels, and ends. */
  | { readonly t: "unfit"; readonly why: string }
  | { readonly t: "begun"; readonly path: readonly string[] }
  | { readonly t: "loading"; readonly module: string }
  | { readonly t: "skipped"; readonly module: string; readonly why: string }
  | { readonly t: "spoiled"; readonly module: string; readonly why: string }
  | Ready
  | ForkFrame;

/** From every Python that forks kernels. */
export type ForkFrame =
  | { readonly t: "forked"; readonly fork: number; readonly pid: number }
  | { readonly t: "unforked"; readonly fork: number; readonly why: string }
  | { readonly t: "ended"; readonly pid: number; readonly code: number | null; readonly signal: number | null };

export interface Ready {
  readonly t: "ready";
  /** The modules that were imported. */
  readonly loaded: readonly string[];
  /** All top packages that came with them: a project that has a module of such a name means its own. */
  readonly tops: readonly string[];
}

/** The first request to a forked child: become a kernel here; out of a copy, with the state that it has. */
export type BecomeKernelRequest = {
  readonly op: "become-kernel";
  /** By which the host finds what it starts; null where it cannot. */
  readonly mark: string | null;
} & (Place | Restored);

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Restored {
  /** Whether the kernel that it was copied from has ended. */
  readonly alone: boolean;
}

/** How a forked child is to begin. */
export type Beginning = Place | Restored;

/** With the names of all modules, far less than this. */
export const longestForkFrame = 4 * 1024 * 1024;

export function decodeTemplateFrame(line: string): TemplateFrame {
  try {
    return JSON.parse(line) as TemplateFrame;
  } catch (cause) {
    throw new KernelError("protocol", `A warm Python sent a line that is not JSON: ${line.slice(0, 200)}`, { cause });
  }
}
