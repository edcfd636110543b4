import { isLong } from "../../environment/variants.ts";
import { allParts, type Part } from "../kernel-contract.ts";
import { describeZmq } from "./describe-zmq.ts";

/** ipykernel alone decides how these stories end: some as a known gap, some after seconds of processor time. */
const ofIpykernel: readonly Part[] = [
  "await",
  "figures and tables",
  "hostile cells",
  "hostile sources",
  "loop libraries",
  "main module",
  "warnings",
];

describeZmq("main", isLong ? undefined : allParts.filter((part) => !ofIpykernel.includes(part)));
