import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGatewayBackend } from "../../../../src/kernel/gateway/gateway-backend.ts";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import { environment } from "../../../environment/pythons.ts";
import { printed } from "../../collect.ts";
import { describeIpykernel } from "../../jupyter/describe-ipykernel.ts";
import type { StartChoices } from "../../kernel-contract.ts";
import { serverGaps } from "../server-gaps.ts";
import { EnterpriseGateway } from "./enterprise-gateway.ts";

const found = environment("enterprise");

// Kernels run through its local process proxy: on its own machine, as it would start them on a cluster's.
describe.skipIf("missing" in found)(`Enterprise Gateway${"missing" in found ? ` (${found.missing})` : ""}`, () => {
  const python = "missing" in found ? "python3" : found.python;
  let gateway: EnterpriseGateway;
  beforeAll(async () => {
    gateway = await EnterpriseGateway.start(python);
  });
  afterAll(() => gateway.close());

  const ada = { KERNEL_USERNAME: "ada" };
  const start = (choices?: StartChoices, variables: Record<string, string> = ada): Promise<Kernel> =>
    createGatewayBackend({
      home: "/nowhere",
      external: { url: gateway.url, token: gateway.token },
      kernelVariables: variables,
    }).start({ interpreter: "", cwd: "/", env: {}, ...choices });

  test("reports refused clients, and why", async () => {
    // By default, it starts no kernels for the superuser.
    await expect(start(undefined, { KERNEL_USERNAME: "root" })).rejects.toThrow(
      /answered 403: User 'root' is not authorized/,
    );
  });

  test("passes KERNEL_* variables to the gateway, and no others", async () => {
    await using kernel = await start(undefined, {
      KERNEL_USERNAME: "ada",
      KERNEL_NAMESPACE: "grain",
      SECRET: "no",
    });
    const ask = "import os; print(*(os.environ.get(n) for n in ('KERNEL_USERNAME', 'KERNEL_NAMESPACE', 'SECRET')))";
    expect(await printed(kernel, ask)).toBe("ada grain None\n");
  });

  test("10 MB printed arrive whole", async () => {
    await using kernel = await start();
    const text = await printed(kernel, "for _ in range(10_000): print('x' * 999)");
    expect(text.length).toBe(10_000_000);
  });

  describeIpykernel("its local process proxy", {
    python,
    start,
    known: serverGaps,
    // Its jupyter_client is too old to ask for colours.
    closed: ["reading sys.stdin or descriptor 0 finds the end of file, and so do children"],
    parts: ["life cycle", "output", "results", "errors", "display", "interrupts", "input", "death", "completion"],
  });
});
