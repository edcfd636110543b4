import { writeSync } from "node:fs";
import { expect, test } from "vitest";
import { childrenOf, descriptorsOf, residentMemoryOf } from "../environment/memory-meter.ts";
import { InspectedHub } from "../hub/inspected-hub.ts";
import { notFlat, type Sample, trendOf } from "./flat.ts";
import { agentOfHub, embeddedHost, mcpServer, type Place } from "./places.ts";
import { countOfRounds, keptKernel, round } from "./rounds.ts";
import { Visitors } from "./visitors.ts";

/** `npm run soak -- --minutes 60` sets another. */
const minutes = Number(process.env.GRANARY_SOAK_MINUTES ?? "2");
const isShort = minutes < 30;
/** A share of the time: code is compiled, and what Granary remembers of the past reaches its bound. */
const warmUp = isShort ? 0.4 : 0.25;
/** The first minutes are all warm-up: then only descriptors, processes and leaks of megabytes in each round are found. */
const mostGrowth = isShort ? 0.4 : 0.05;

/** `In` and tracebacks keep the source of every cell, as in IPython: half a kilobyte for each of a round's seven cells. */
const historyMegabytes = 7 * 0.0005;

test.skipIf(process.platform !== "linux")(
  `mixed work for ${minutes} minutes: memory, descriptors and processes of hosts, hub and kernels are flat`,
  { timeout: (minutes + 20) * 60_000 },
  async () => {
    await using hub = new InspectedHub();
    await hub.begin();
    await using embedded = await embeddedHost();
    await using mcp = await mcpServer();
    await using agent = await agentOfHub(hub);
    const visitors = await Visitors.of(hub);
    const until = Date.now() + minutes * 60_000;
    const seen = new Map<string, Sample[]>();
    const counts = await Promise.all([
      work(embedded, until, seen),
      work(mcp, until, seen),
      work(agent, until, seen, () => visitors.comeAndGo()),
    ]);
    const trends = [...seen].map(([name, samples]) => {
      const isKernel = name.startsWith("kernel");
      return { name, ...trendOf(samples, { warmUp, historyMegabytes: isKernel ? historyMegabytes : 0 }) };
    });
    say(`rounds: ${counts.join(", ")}`);
    for (const trend of trends) say(JSON.stringify(trend));
    expect(trends.flatMap((trend) => notFlat(trend.name, trend, mostGrowth))).toEqual([]);
  },
);

/** Rounds until the time is over; a sample of the process and of its kernel after each. */
async function work(
  place: Place,
  until: number,
  seen: Map<string, Sample[]>,
  also: () => Promise<void> = async () => {},
): Promise<number> {
  const note = (name: string, pid: number, used = 0): Sample => {
    const sample = {
      megabytes: Math.round(residentMemoryOf(pid) / 100_000) / 10,
      usedMegabytes: Math.round(used / 100_000) / 10,
      descriptors: descriptorsOf(pid),
      children: childrenOf(pid),
    };
    seen.set(name, [...(seen.get(name) ?? []), sample]);
    return sample;
  };
  let rounds = 0;
  while (Date.now() < until) {
    await round(place.call, rounds);
    await also();
    rounds += 1;
    const sample = note(place.name, place.pid, await place.collect());
    const kernel = note(`kernel of the ${place.name}`, await keptKernel(place.call));
    if (rounds % 10 === 1) say(`${place.name}, round ${rounds}: ${JSON.stringify({ ...sample, kernel })}`);
  }
  expect(await countOfRounds(place.call)).toBe(rounds);
  return rounds;
}

/** Not console.log, which the reporter shows only at the end. */
function say(text: string): void {
  if (process.env.GRANARY_SOAK_MINUTES !== undefined) writeSync(2, `soak: ${text}\n`);
}
