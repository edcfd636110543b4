import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { offeredKernels } from "../../../src/kernel/gateway/rest/offered-kernels.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

/** A gateway with a fixed answer to requests for its kernelspecs. */
async function gatewayThatAnswers(status: number, body: unknown): Promise<{ readonly url: string }> {
  server = createServer((request, response) => {
    response.writeHead(request.url === "/api/kernelspecs" ? status : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("the kernels that a gateway offers", () => {
  test("are listed with their languages", async () => {
    const address = await gatewayThatAnswers(200, {
      default: "python3",
      kernelspecs: { python3: { spec: { language: "python" } }, ir: { spec: { language: "R" } }, odd: {} },
    });
    expect(await offeredKernels(address)).toEqual([
      { name: "python3", language: "python" },
      { name: "ir", language: "R" },
      { name: "odd", language: "" },
    ]);
  });

  test.each([null, {}, { kernelspecs: 1 }])("are none in an answer that has none: %j", async (body) => {
    expect(await offeredKernels(await gatewayThatAnswers(200, body))).toEqual([]);
  });

  test("are not listed without the right token, and the error names the remedy", async () => {
    const address = await gatewayThatAnswers(403, {});
    await expect(offeredKernels(address)).rejects.toThrow(/PI_PYTHON_GATEWAY_TOKEN/);
  });
});
