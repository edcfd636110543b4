import { isLong } from "../../environment/variants.ts";
import { allParts, type Part } from "../kernel-contract.ts";
import { describeZmq } from "./describe-zmq.ts";

/** Each story needs a kernel of its own, and ipykernel alone decides how it ends: mostly as a known gap. */
const ofIpykernel: readonly Part[] = ["hostile cells", "loop libraries"];

describeZmq("main", isLong ? undefined : allParts.filter((part) => !ofIpykernel.includes(part)));
