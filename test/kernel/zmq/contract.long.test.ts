import type { Part } from "../kernel-contract.ts";
import { describeZmq } from "./describe-zmq.ts";

// All but "forks": a child that forks off ipykernel is a second kernel on the same sockets.
const parts: readonly Part[] = [
  "life cycle",
  "output",
  "results",
  "errors",
  "warnings",
  "await",
  "display",
  "figures and tables",
  "interrupts",
  "stubborn cells",
  "input",
  "death",
  "children",
  "main module",
  "hostile cells",
  "hostile sources",
  "completion",
];

for (const name of ["main", "ipykernel6"] as const) describeZmq(name, parts);
