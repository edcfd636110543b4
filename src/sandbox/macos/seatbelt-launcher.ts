import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFile } from "../../support/files/package-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { isWithin } from "../is-within.ts";
import type { SandboxPlan } from "../sandbox-plan.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

/** Things to try the limits on, in the private folder of the sandbox. */
interface Decoys {
  /** Writable, and holds the others but the last. */
  readonly folder: string;
  readonly hidden: string;
  readonly anchor: string;
  readonly readOnly: string;
  readonly outside: string;
}

export function makeDecoys(privateFolder: string): Decoys {
  const folder = join(realpathSync(privateFolder), "decoys");
  const outside = join(realpathSync(privateFolder), "outside");
  const decoys = { folder, hidden: `${folder}/hidden`, anchor: `${folder}/anchor`, outside };
  for (const path of [folder, decoys.hidden, decoys.anchor, outside]) mkdirSync(path, { mode: 0o700 });
  for (const name of ["hidden/file", "anchor/file"]) writeFileSync(`${folder}/${name}`, "decoy", { mode: 0o600 });
  writeFileSync(`${outside}/file`, "decoy", { mode: 0o600 });
  return { ...decoys, readOnly: `${decoys.anchor}/file` };
}

/**
 * The command that sets the limits, tries to break each of them from inside, and becomes the program. Granary's authors have no
 * Mac: a system that does not keep a limit gets no program to run.
 */
export function seatbeltLauncher(
  plan: SandboxPlan,
  { program, python }: { readonly program: string; readonly python: string },
  decoys: Decoys,
): readonly string[] {
  if (typeof plan.network !== "string") {
    const why = "A list of hosts in python.sandboxNetwork needs a network namespace, which macOS does not have.";
    throw new GranaryError("sandbox", `${why} Use off or on.`);
  }
  const write = [...plan.write, plan.tmp, plan.cacheFolder].map((path) => realpathSync(path));
  const limits = {
    network: plan.network,
    write: [...write, decoys.folder],
    show: plan.show,
    hide: [...plan.hide, decoys.hidden],
    readOnly: [...plan.readOnly, decoys.readOnly],
    anchors: [...plan.anchors, decoys.anchor],
  };
  const { text, parameters } = seatbeltProfile(limits);
  const given = Object.entries(parameters).flatMap(([name, path]) => ["-D", `${name}=${path}`]);
  const home = write.some((folder) => isWithin(folder, plan.home)) ? [] : [plan.home];
  const promises = Object.entries({
    hide: limits.hide,
    readOnly: limits.readOnly,
    outside: [...home, decoys.outside],
    decoys: [decoys.folder],
    network: [plan.network],
  }).flatMap(([name, values]) => values.flatMap((value) => [name, value]));
  return [program, "-p", text, ...given, "--", python, ...tryingLimits, ...promises, "--"];
}

const tryingLimits = [
  ...["-X", "utf8", "-I", "-S", "-c"],
  "import sys; sys.path.insert(0, sys.argv.pop(1)); from granary_promises import main; main()",
  packageFile("python"),
];
