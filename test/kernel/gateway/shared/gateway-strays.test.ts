import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { sharedGateways } from "../../../../src/kernel/gateway/shared/shared-gateway.ts";
import { printed } from "../../collect.ts";
import { expectNothingLeft, leavers, numbersIn, watchersOf } from "../../leavers.ts";
import { isRunning } from "../../processes.ts";
import { plainEnvironment } from "../../runner/start-runner.ts";
import { until } from "../../until.ts";
import { describeWithJupyter } from "../jupyter-python.ts";
import { GatewayHome } from "../start-gateway-kernel.ts";

const isLinux = process.platform === "linux";

/** Other systems do not show the environments of processes. */
describeWithJupyter("processes that left the group of a kernel behind the shared gateway", (python) => {
  const home = new GatewayHome();
  afterAll(() => home.close());

  test.skipIf(!isLinux)("end when the kernel is closed", async () => {
    await expectNothingLeft(await home.start(python));
  });

  test.skipIf(!isLinux)("end when the kernel ends itself", async () => {
    const kernel = await home.start(python);
    const pids = numbersIn(await printed(kernel, leavers));
    expect(pids.every(isRunning)).toBe(true);
    await printed(kernel, "os._exit(3)").catch(() => undefined);
    await kernel.exited;
    await until("they have ended", () => !pids.some(isRunning));
  });

  test.skipIf(!isLinux)("end when the host is killed, and the kernel with them", async () => {
    const backend = inRepository("dist/kernel/gateway/gateway-backend.js");
    const host = spawn(
      process.execPath,
      ["--input-type=module", "-e", hostProgram, backend, home.path, python, leavers],
      { env: plainEnvironment, stdio: ["ignore", "pipe", "inherit"] },
    );
    const pids = numbersIn(String((await once(host.stdout, "data"))[0]));
    expect(pids).toHaveLength(4);
    expect(pids.every(isRunning)).toBe(true);
    // A host is watched from its second second on.
    await until("the host is watched", () => watchersOf(host) > 0);
    host.kill("SIGKILL");
    await until("they have ended", () => !pids.some(isRunning));
  });

  test.skipIf(!isLinux)("of a kernel that stays under a name stay with it, and end with it", async () => {
    const keepAs = { name: "kept", anew: false };
    const kernel = await home.start(python, {}, { keepAs });
    const pids = [kernel.info.pid as number, ...numbersIn(await printed(kernel, leavers))];
    await kernel.close();
    expect(pids.every(isRunning)).toBe(true);
    const anew = await home.start(python, {}, { keepAs: { ...keepAs, anew: true } });
    expect(pids.filter(isRunning)).toEqual([]);
    await anew.close();
  });

  test.skipIf(!isLinux)("end when the kernel is closed while the gateway is stopped (SIGSTOP)", async () => {
    const kernel = await home.start(python);
    const pids = numbersIn(await printed(kernel, leavers));
    const [gateway] = await sharedGateways(home.path);
    process.kill(gateway?.pid as number, "SIGSTOP");
    try {
      await kernel.close();
      expect(pids.filter(isRunning)).toEqual([]);
    } finally {
      process.kill(gateway?.pid as number, "SIGCONT");
    }
  });

  test.skipIf(!isLinux)("end when the gateway is killed and the kernel is closed", async () => {
    const kernel = await home.start(python);
    const pids = numbersIn(await printed(kernel, leavers));
    const [gateway] = await sharedGateways(home.path);
    process.kill(gateway?.pid as number, "SIGKILL");
    await kernel.close();
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

const hostProgram = `
const [backendModule, home, interpreter, code] = process.argv.slice(1);
const { createGatewayBackend } = await import(backendModule);
const kernel = await createGatewayBackend({ home }).start({ interpreter, cwd: "/", env: process.env });
let text = "";
for await (const event of kernel.execute(code)) if (event.type === "stream" && event.name === "stdout") text += event.text;
console.log(kernel.info.pid, text.trim());
setInterval(() => {}, 1000);
`;
