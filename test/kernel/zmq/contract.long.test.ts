import { describeZmq } from "./describe-zmq.ts";

for (const name of ["main", "ipykernel6"] as const) describeZmq(name);
