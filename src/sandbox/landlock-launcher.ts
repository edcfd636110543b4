import { packageFile } from "../support/files/package-file.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";
import { devices } from "./system-paths.ts";

/**
 * Arguments of a Python that sets limits: it must not come from the folder that is not trusted, because it runs before they do. Code
 * on the command line starts faster than a script, which Python would try as an archive first. Paths are UTF-8
 * in every locale.
 */
export const settingLimits: readonly string[] = [
  ...["-X", "utf8", "-I", "-S", "-c"],
  "import gc, sys; gc.disable(); sys.path.insert(0, sys.argv.pop(1)); from granary_limits import main; main()",
  packageFile("python"),
];

/** Filters of system calls; which one depends on what the system allows. */
export interface Filters {
  readonly usual: Buffer;
  /** In a network namespace, sockets of the internet reach only this sandbox. */
  readonly inOwnNetwork: Buffer;
}

/** The command that sets Landlock and seccomp, and becomes the program. */
export function landlockLauncher(
  plan: SandboxPlan,
  { python, withoutMounts = false }: { readonly python: string; readonly withoutMounts?: boolean },
  filter: Filters,
): readonly string[] {
  const { cwd, home, write, show, hide, readOnly, anchors, tmp, empty, cacheFolder } = plan;
  const lines = Object.entries({
    cwd: [cwd],
    home: [home],
    mounts: [withoutMounts ? "never" : "if possible"],
    network: [typeof plan.network === "string" ? { off: "own", on: "shared" }[plan.network] : "own or none"],
    seccomp: [filter.usual.toString("hex")],
    seccompOwnNetwork: [filter.inOwnNetwork.toString("hex")],
    tmp: [tmp],
    empty: [empty],
    write: [...write, tmp, cacheFolder],
    ...{ show, hide, secretPlaces: plan.secretPlaces(), readOnly, anchors, devices },
    coverAt: plan.covers.map(({ at }) => at),
    coverFrom: plan.covers.map(({ from }) => from),
    linkAt: plan.links.map(({ at }) => at),
    linkTo: plan.links.map(({ to }) => to),
  }).flatMap(([name, values]) => values.map((value) => policyLine(name, value)));
  return [python, ...settingLimits, lines.join("\n")];
}

function policyLine(name: string, value: string): string {
  if (value.includes("\n")) {
    throw new GranaryError("sandbox", `${JSON.stringify(value)} has a line break in its name. Rename it.`);
  }
  return `${name} ${value}`;
}
