import { describeZmq } from "./describe-zmq.ts";

describeZmq("ipykernel6");
