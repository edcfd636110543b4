import type { HostAnswer, HostCall, HostTools } from "../../src/kernel/host-call.ts";

type Work = (call: HostCall) => HostAnswer | Promise<HostAnswer>;

/** Tools of a test's own, by name. */
export function toolsFor(works: Readonly<Record<string, Work>>): HostTools {
  return {
    list: () =>
      Object.keys(works).map((name) => ({
        name,
        description: `Does ${name}.\nAnd more.`,
        inputSchema: {
          type: "object",
          properties: { path: { type: "string", description: "Which file." }, times: { type: "integer" } },
          required: ["path"],
        },
      })),
    call: async (call) => (works[call.name] as Work)(call),
  };
}

/** The calls of Python, as text. */
export const echo: Work = ({ name, args }) => ({ text: `${name} ${JSON.stringify(args)}` });

/** Never answers; rejects when it is cancelled, and says so. */
export function waitFor(signal: AbortSignal, onAbort: () => void = () => {}): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => {
      onAbort();
      reject(new Error("called off"));
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
