import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGatewayBackend } from "../../../../src/kernel/gateway/gateway-backend.ts";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import { environment } from "../../../environment/pythons.ts";
import { interruptWhenReady, printed, run } from "../../collect.ts";
import { isRunning } from "../../processes.ts";
import { until } from "../../until.ts";
import { SecondHost, whyNoSecondHost } from "../second-host/second-host.ts";
import { EnterpriseGateway } from "./enterprise-gateway.ts";

const found = environment("enterprise");
const missing = "missing" in found ? found.missing : whyNoSecondHost();

describe.skipIf(missing !== null)(
  `Enterprise Gateway with kernels on another host, by SSH (${missing ?? "here"})`,
  () => {
    const python = "python" in found ? found.python : "python3";
    let host: SecondHost;
    let gateway: EnterpriseGateway;
    beforeAll(async () => {
      host = await SecondHost.start(python);
      gateway = await EnterpriseGateway.start(python, host.variables);
    });
    afterAll(async () => {
      await gateway?.close();
      await host?.close();
    });

    const start = (): Promise<Kernel> =>
      createGatewayBackend({
        home: "/nowhere",
        external: { url: gateway.url, token: gateway.token },
        kernel: "second_host",
        kernelVariables: { KERNEL_USERNAME: "ada" },
      }).start({ interpreter: "", cwd: "/", env: {} });

    test("cells run there, print and show, and variables stay", async () => {
      await using kernel = await start();
      const addresses =
        "import subprocess\nprint(subprocess.run(['ip', '-4', 'address'], capture_output=True, text=True).stdout)";
      expect(await printed(kernel, addresses)).toContain(host.address);
      await run(kernel, "x = 6 * 7");
      expect((await run(kernel, "x")).result).toEqual({ "text/plain": "42" });
      const text = await printed(kernel, "for _ in range(10_000): print('x' * 999)");
      expect(text.length).toBe(10_000_000);
    });

    test("a cell there can be interrupted, and its variables stay", async () => {
      await using kernel = await start();
      const { outcome } = await interruptWhenReady(kernel, "x = 1; print('ready', flush=True)\nwhile True: pass");
      expect(outcome).toBe("interrupted");
      expect(await printed(kernel, "print(x)")).toBe("1\n");
    });

    test("a kernel that is closed is ended there", async () => {
      const kernel = await start();
      const pid = Number(await printed(kernel, "import os; print(os.getpid())"));
      expect(isRunning(pid)).toBe(true);
      await kernel.close();
      await until("its process has ended", () => !isRunning(pid));
    });
  },
);
