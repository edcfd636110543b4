import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { startPython } from "../bare-python.mjs";
import { interleave, median } from "../measure.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */
/** @typedef {import("../../src/output/artifact.ts").OpenArtifact} OpenArtifact */

// Built, as users get it.
const { Sink } = /** @type {typeof import("../../src/output/sink.ts")} */ (await fromDist("output/sink.js"));
const { openArtifactStore } = /** @type {typeof import("../../src/output/artifacts/artifact-store.ts")} */ (
  await fromDist("output/artifacts/artifact-store.js")
);

const megabytes = 100;
const lines = (megabytes * 1_000_000) / 80;

const prints = `for _ in range(${lines}): print("x" * 79)`;
const blocks = `
import os
block = (b"x" * 79 + b"\\n") * 500
for _ in range(${lines / 500}):
    left = memoryview(block)
    while left: left = left[os.write(1, left):]`;

/**
 * @param {Setting} setting
 * @returns {Promise<import("../report.mjs").Row[]>}
 */
export async function sink(setting) {
  const folder = mkdtempSync(join(tmpdir(), "granary-bench-sink-"));
  const store = openArtifactStore({ root: folder, session: "bench", maxBytes: 4e9, keepDays: 1 });
  const rounds = setting.quick ? 3 : 9;
  try {
    const printed = await interleave(
      {
        floor: () => readPipe(setting, prints, () => undefined),
        ours: () => intoSink(setting, prints, withoutFile),
        inFile: () => intoSink(setting, prints, () => store.open()),
      },
      { rounds },
    );
    const flood = await interleave(
      {
        floor: () => readPipe(setting, blocks, () => undefined),
        ours: () => intoSink(setting, blocks, withoutFile),
      },
      { rounds },
    );
    return [
      row(`${megabytes} MB of prints through decoder and sink`, printed.floor, printed.ours, { atLeast: 0.5 }),
      row("the same, with the artifact in a file", printed.floor, printed.inFile),
      row("the same, without prints: a pipe that is always full", flood.floor, flood.ours),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} what
 * @param {readonly number[]} floor
 * @param {readonly number[]} ours
 * @param {{ atLeast?: number }} [target]
 * @returns {import("../report.mjs").Row}
 */
function row(what, floor, ours, { atLeast } = {}) {
  const ratio = median(floor) / median(ours);
  return {
    what,
    floor: speed(floor),
    ours: speed(ours),
    measured: `${ratio.toFixed(2)} ×`,
    target: atLeast === undefined ? "" : `≥ ${atLeast} ×`,
    met: atLeast === undefined || ratio >= atLeast,
    peer: "",
  };
}

/**
 * @param {Setting} setting
 * @param {string} code
 * @param {OpenArtifact} openArtifact
 */
async function intoSink(setting, code, openArtifact) {
  const sink = new Sink({ openArtifact });
  const decoder = new StringDecoder("utf8");
  const milliseconds = await readPipe(setting, code, (chunk) => sink.write(decoder.write(chunk), "stdout"));
  const begun = performance.now();
  const dump = await sink.dump();
  if (dump.totalLines !== lines) throw new Error(`${dump.totalLines} of ${lines} lines arrived`);
  return milliseconds + performance.now() - begun;
}

/**
 * Measures from the line that a started Python waits for to the last byte of its output.
 * @param {Setting} setting
 * @param {string} code
 * @param {(chunk: Buffer) => void | Promise<void>} onChunk
 */
async function readPipe(setting, code, onChunk) {
  const python = startPython(setting, `import sys; print("ready", flush=True); sys.stdin.readline()\n${code}`);
  await new Promise((resolve) => python.stdout.once("data", resolve));
  const begun = performance.now();
  await new Promise((resolve) => {
    let left = lines * 80;
    python.stdout.on("data", (chunk) => {
      const pressure = onChunk(chunk);
      if (pressure) {
        python.stdout.pause();
        void pressure.then(() => python.stdout.resume());
      }
      left -= chunk.length;
      if (left === 0) resolve(undefined);
    });
    python.stdin.write("\n");
  });
  const milliseconds = performance.now() - begun;
  await python.end();
  return milliseconds;
}

/** @type {OpenArtifact} */
function withoutFile() {
  return {
    id: "bench-1",
    write: async () => undefined,
    restart: async () => undefined,
    discard: async () => undefined,
    close: async () => ({ kept: true, id: "bench-1", bytes: 0 }),
  };
}

/** @param {readonly number[]} samples */
const speed = (samples) => `${((megabytes / median(samples)) * 1000).toFixed(0)} MB/s`;

/** @param {string} path */
function fromDist(path) {
  return import(new URL(`../../dist/${path}`, import.meta.url).href);
}
