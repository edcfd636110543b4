import { describeZmq } from "./describe-zmq.ts";

describeZmq("main");
