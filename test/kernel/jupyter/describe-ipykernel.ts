import { execFileSync } from "node:child_process";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { afterAll } from "../harness.ts";
import { describeKernel, type KernelOptions, type Part, type StartChoices } from "../kernel-contract.ts";
import { ipykernelGaps, slowStories, unsteadyGaps } from "./ipykernel-gaps.ts";
import { KernelReserve } from "./kernel-reserve.ts";
import { LentKernels } from "./lent-kernels.ts";

/** IPython can reset the state that these parts use, or their stories end the kernel. The others break it, or leave something running. */
const sharing: readonly Part[] = [
  "life cycle",
  "output",
  "results",
  "errors",
  "warnings",
  "await",
  "display",
  "terms",
  "figures and tables",
  "interrupts",
  "input",
  "death",
  "children",
  "main module",
  "hostile sources",
  "completion",
];

export interface IpykernelChoices {
  /** The Python that runs the kernels. */
  readonly python: string;
  readonly packages?: KernelOptions["python"]["packages"];
  readonly start: (choices?: StartChoices) => Promise<Kernel>;
  /** Gaps besides those of ipykernel itself. */
  readonly known?: Readonly<Record<string, string>>;
  /** Gaps of ipykernel that do not apply here. */
  readonly closed?: readonly string[];
  readonly parts?: readonly Part[] | undefined;
  /** Besides those of ipykernel: tests that are for `npm run test:long` over this transport. */
  readonly slow?: KernelOptions["slow"];
  /** Called when no kernel is left. */
  readonly close?: () => Promise<void>;
}

/** The contract on ipykernel, over any transport. */
export function describeIpykernel(name: string, choices: IpykernelChoices): void {
  const { python, packages = [], start, known, closed = [], parts, slow, close } = choices;
  const reserve = new KernelReserve(start);
  const lent = new LentKernels(start);
  afterAll(async () => {
    await Promise.all([reserve.close(), lent.close()]);
    await close?.();
  });
  const gaps = Object.entries({ ...ipykernelGaps, ...known });
  const ask = "import platform; print(platform.python_version())";
  describeKernel(name, (wanted) => (wanted.interruptGraceMs === undefined ? reserve.take(wanted) : start(wanted)), {
    python: { version: execFileSync(python, ["-c", ask], { encoding: "utf8" }).trim(), packages },
    known: Object.fromEntries(gaps.filter(([title]) => !closed.includes(title))),
    trustsKnown: true,
    unsteady: unsteadyGaps,
    slow: { ...slowStories, ...slow },
    without: { forks: "a child that forks off ipykernel is a second kernel on the same sockets" },
    parts,
    sharing: { parts: sharing, kernels: lent },
  });
}
