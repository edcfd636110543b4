import { tmpdir } from "node:os";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { createZmqBackend } from "../../../src/kernel/zmq/zmq-backend.ts";
import { plainEnvironment } from "../runner/start-runner.ts";

/** An ipykernel, in the same environment for every test. */
export function startZmq(interpreter: string, options: Partial<StartOptions> = {}): Promise<Kernel> {
  return createZmqBackend().start({ interpreter, cwd: tmpdir(), env: plainEnvironment, ...options });
}
