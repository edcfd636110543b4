import { startPython } from "../bare-python.mjs";
import { runCell, withKernel } from "../granary.mjs";
import { interleave } from "../measure.mjs";
import { onOneCore } from "../one-core.mjs";
import { timesTheFloor } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */
/** @typedef {import("../measure.mjs").Subject} Subject */

/**
 * The target is about work, so everything runs on one core if possible: across cores, the wake-up time of a
 * core dominates, and the system decides whether the echo or the kernel pays for it.
 * @param {Setting} setting
 */
export async function trivialCell(setting) {
  const onOne = await onOneCore(() => withKernel(setting, (kernel) => besideEcho(setting, cell(kernel, "1+1"))));
  const bare = await onOneCore(() => measureBareLoop(setting));
  return withKernel(setting, async (kernel) => {
    const anywhere = async (/** @type {string} */ code) => ({
      ...(await besideEcho(setting, cell(kernel, code))),
      peer: await measurePeer(setting, code),
    });
    const onAny = await anywhere("1+1");
    return [
      timesTheFloor({ what: "warm trivial cell, `1+1`", ...(onOne ?? onAny), peer: onAny.peer, atMost: 3 }),
      ...(bare ? [timesTheFloor({ what: "in its place: a bare loop of compile and eval", ...bare })] : []),
      timesTheFloor({ what: "`1+1`, on any cores", ...onAny }),
      timesTheFloor({ what: "`pass`, likewise", ...(await anywhere("pass")) }),
      timesTheFloor({ what: "`print(1)`, likewise", ...(await anywhere("print(1)")) }),
    ];
  });
}

/**
 * @param {import("../granary.mjs").Kernel} kernel
 * @param {string} code
 * @returns {Subject}
 */
const cell = (kernel, code) => async () => void (await runCell(kernel, code));

/**
 * The minimum work of any Python kernel.
 * @param {Setting} setting
 */
async function measureBareLoop(setting) {
  const loop = startConversation(setting, compileAndEvaluate, '{"code":"1+1"}\n');
  const samples = await besideEcho(setting, loop.roundTrip);
  await loop.end();
  return samples;
}

/**
 * Alternates single round trips: in a long run of one kind, a process stays awake and in the caches between its turns,
 * unlike in programs that do other work between two cells.
 * @param {Setting} setting
 * @param {Subject} subject
 */
async function besideEcho(setting, subject) {
  const floor = startConversation(setting, echo, line);
  const rounds = setting.quick ? 1000 : 5000;
  const samples = await interleave({ floor: floor.roundTrip, ours: subject }, { rounds, warmUp: 200 });
  await floor.end();
  return samples;
}

/**
 * @param {Setting} setting
 * @param {string} code
 */
async function measurePeer({ jupyter, quick }, code) {
  if (jupyter === undefined) return undefined;
  const { peer } = await interleave({ peer: () => jupyter.run(code) }, { rounds: quick ? 20 : 100 });
  return peer;
}

/**
 * @param {Setting} setting
 * @param {string} program that answers each line with one write
 * @param {string} request
 */
function startConversation(setting, program, request) {
  const python = startPython(setting, program);
  let answered = () => {};
  python.stdout.on("data", () => answered());
  return {
    end: python.end,
    /** @returns {Promise<void>} */
    roundTrip: () =>
      new Promise((resolve) => {
        answered = resolve;
        python.stdin.write(request);
      }),
  };
}

const echo = `
import os
while data := os.read(0, 65536):
    os.write(1, data)
`;

const compileAndEvaluate = `
import json, os
while data := os.read(0, 65536):
    code = compile(json.loads(data)["code"], "<cell>", "eval")
    os.write(1, json.dumps({"result": repr(eval(code))}).encode())
`;

// About the length of a request and its answer.
const line = `${"x".repeat(80)}\n`;
