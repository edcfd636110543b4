import { expect, test } from "vitest";
import { openHubToolbox } from "../../src/hub/client/hub-toolbox.ts";
import { ownVersion } from "../../src/support/files/own-version.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { until } from "../kernel/until.ts";
import { InspectedHub, type Measured } from "./inspected-hub.ts";

const rounds = 400;
/** Growth until here is warm-up: code that is compiled, executions that are remembered. */
const warmUp = 200;
const mostGrowthMegabytes = 6;

/** A day of a hub in a few minutes: agents come and go, cells print, fail, crash and run in the background, clients are killed. */
test("after hundreds of clients and sessions, the hub's memory is flat, and no descriptor or process is left", async () => {
  await using hub = new InspectedHub();
  await hub.begin();
  await hub.run("kept", "total = 0");
  const env = { ...baseEnvironment(), ...hub.env };
  const version = await ownVersion();
  const settled = async (): Promise<Measured> => {
    await until("only the kept session is there", async () => (await hub.status())?.sessions.length === 1);
    return hub.measure();
  };
  let before = await hub.measure();
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
    if (round % 20 === 0) seen.push(Math.round((await hub.measure()).megabytes));
  }
  const after = await settled();
  console.log(`soak: ${JSON.stringify({ before, after, seen })}`);
  expect(await hub.run("kept", "total")).toBe(String(rounds));
  expect(after.megabytes - before.megabytes).toBeLessThan(mostGrowthMegabytes);
  await until("no descriptor more is open", async () => (await hub.measure()).descriptors <= before.descriptors);
  await until("no child more runs", async () => (await hub.measure()).children <= before.children);
}, 1_800_000);

const picture =
  "display({'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg=='}, raw=True)";
