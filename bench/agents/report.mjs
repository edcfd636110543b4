/** @param {import("./run.mjs").Outcome[]} outcomes */
export function table(outcomes) {
  const rows = outcomes.map(({ task, system, recording, verdict }) => [
    task,
    system,
    String(recording.calls),
    String(recording.tokensIn),
    String(recording.tokensOut),
    recording.seconds.toFixed(1),
    verdict.done ? "yes" : "no",
    verdict.isTrue ? "yes" : "no",
    verdict.why ?? "",
  ]);
  const head = ["task", "system", "calls", "tokens written", "tokens read", "seconds", "done", "true", "remark"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
