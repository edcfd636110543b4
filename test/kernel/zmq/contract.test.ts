import { quickParts } from "../jupyter/quick-parts.ts";
import { describeZmq } from "./describe-zmq.ts";

describeZmq("main", quickParts);
