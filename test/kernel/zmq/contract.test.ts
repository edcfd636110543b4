import { describeZmq } from "./describe-zmq.ts";

// What tells most about a backend; all of it is in `npm run test:long`, since ipykernel needs most of a second to start.
describeZmq("main", ["life cycle", "results", "input"]);
