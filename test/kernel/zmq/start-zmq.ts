import { tmpdir } from "node:os";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { createZmqBackend } from "../../../src/kernel/zmq/zmq-backend.ts";
import { plainEnvironment } from "../runner/start-runner.ts";

/** A kernel of ipykernel's, in an environment that is the same for every test. */
export function startZmq(interpreter: string, options: Partial<StartOptions> = {}): Promise<Kernel> {
  return createZmqBackend().start({ interpreter, cwd: tmpdir(), env: plainEnvironment, ...options });
}
