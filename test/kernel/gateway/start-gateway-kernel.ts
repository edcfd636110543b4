import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGatewayBackend, type GatewayBackendOptions } from "../../../src/kernel/gateway/gateway-backend.ts";
import { stopSharedGateways } from "../../../src/kernel/gateway/shared/shared-gateway.ts";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { plainEnvironment } from "../runner/start-runner.ts";

/** A home for separate gateways, which end with the tests. */
export class GatewayHome {
  readonly path = mkdtempSync(join(tmpdir(), "granary-gateway-"));

  start(
    interpreter: string,
    options: Partial<StartOptions> = {},
    choices: Partial<GatewayBackendOptions> = {},
  ): Promise<Kernel> {
    const backend = createGatewayBackend({ home: this.path, ...choices });
    return backend.start({ interpreter, cwd: tmpdir(), env: plainEnvironment, ...options });
  }

  async close(): Promise<void> {
    await stopSharedGateways(this.path);
    rmSync(this.path, { recursive: true, force: true });
  }
}
