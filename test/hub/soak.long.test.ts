import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openHubToolbox } from "../../src/hub/client/hub-toolbox.ts";
import { ownVersion } from "../../src/support/files/own-version.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { until } from "../kernel/until.ts";
import { TestHub } from "./test-hub.ts";

const rounds = 600;
/** Growth until here is warm-up: code that is compiled, buffers, remembered executions. */
const warmUp = 300;
const mostGrowthMegabytes = 24;

/** A day of a hub in a few minutes: agents come and go, cells print, fail, crash and run in the background, clients are killed. */
test("after hundreds of clients and sessions, the hub's memory is flat, and no descriptor or process is left", async () => {
  await using hub = new TestHub();
  await hub.run("kept", "total = 0");
  const { pid } = hub.record;
  const env = { ...baseEnvironment(), ...hub.env };
  const version = await ownVersion();
  const settled = async (): Promise<Measured> => {
    await until("only the kept session is there", async () => (await hub.status())?.sessions.length === 1);
    return measure(pid);
  };
  let before = measure(pid);
  const seen: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = `round-${round}`;
    const wish = { key: name, session: name, label: "soak", client: null, cwd: hub.folder, env, resultBytes: 100_000 };
    await using toolbox = await openHubToolbox(wish, { home: hub.home, env, version });
    const python = (code: string, rest = {}) => toolbox.find("python")?.run({ cells: [{ code }], ...rest });
    await python("x = 1");
    await python("for n in range(2000): print(n, 'x' * 500)");
    await python("1 / 0");
    await python(picture);
    await python("import time; time.sleep(0.01); print('late')", { background: true });
    if (round % 10 === 0) await python("import os; os._exit(1)");
    if (round % 25 === 0) {
      const client = hub.start(["run", "--session", "kept", "-c", "for n in range(3000): print(n, 'x' * 999)"]);
      client.process.stdout?.once("data", () => client.process.kill("SIGKILL"));
      await client.finished;
    }
    await hub.run("kept", "total += 1");
    await hub.granary(["sessions", "stop", name, "--force"]);
    if (round === warmUp) before = await settled();
    if (round % 50 === 0) seen.push(measure(pid).megabytes);
  }
  const after = await settled();
  console.log(`soak: ${JSON.stringify({ before, after, seen })}`);
  expect(await hub.run("kept", "total")).toBe(String(rounds));
  expect(after.megabytes - before.megabytes).toBeLessThan(mostGrowthMegabytes);
  await until("no descriptor more is open", () => measure(pid).descriptors <= before.descriptors);
  await until("no child more runs", () => measure(pid).children <= before.children);
}, 1_800_000);

const picture =
  "display({'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg=='}, raw=True)";

interface Measured {
  readonly megabytes: number;
  readonly descriptors: number;
  readonly children: number;
}

function measure(pid: number): Measured {
  const kilobytes = Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
  return {
    megabytes: Math.round(kilobytes / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").length,
  };
}
