// A subset of the contract as Bun's own test runner runs it; bun.long.test.ts starts it.
import { bunParts } from "../jupyter/bun-parts.ts";
import { describeZmq } from "./describe-zmq.ts";

describeZmq("main", bunParts);
