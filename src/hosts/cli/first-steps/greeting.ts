import { visibleStrings } from "../../../output/text/visible-text.ts";
import { wrapWords } from "../../../view/text/wrap.ts";
import type { CommandContext } from "../command/command-context.ts";
import { write } from "../command/write.ts";
import { type Diagnosis, diagnose } from "../doctor/diagnosis.ts";
import { canvasOf } from "../terminal/canvas.ts";
import { mcpClients } from "./clients/clients.ts";

/** On the first run: the Python and the agents of this machine, and the next step. False where Python cells cannot run. */
export async function greet(context: CommandContext): Promise<boolean> {
  const diagnosis = visibleStrings(await diagnose(context, { signal: new AbortController().signal, runs: false }));
  const { theme } = canvasOf(context);
  const found = (context.env.HOME ?? "") === "" ? [] : mcpClients(context.env).filter(({ isFound }) => isFound);
  const agents = found.length === 0 ? "none found" : found.map(({ title }) => title).join(", ");
  const next = diagnosis.ok ? nextSteps(found.length > 0) : remedies(diagnosis);
  const lines = [
    theme.title("Welcome to Granary."),
    `  Python  ${pythonText(diagnosis)}`,
    `  agents  ${agents}`,
    ...next.map((line, index) => `  ${index === 0 ? "next  " : "      "}  ${line}`),
  ];
  await write(context.stdout, `${lines.join("\n")}\n\n`);
  return diagnosis.ok;
}

function pythonText({ python: { chosen } }: Diagnosis): string {
  return chosen === null ? "none that works" : `${chosen.executable} (${chosen.source})`;
}

function nextSteps(hasAgents: boolean): readonly string[] {
  const forAgents = hasAgents ? "granary init gives these agents Python" : "granary skill is for agents with a shell";
  return ["type Python below, or /help", forAgents, "granary --help lists all commands"];
}

function remedies({ problems }: Diagnosis): readonly string[] {
  const lines = problems
    .filter(({ severity }) => severity === "error")
    .flatMap(({ problem, remedy, command }) => [problem, remedy, command ?? ""]);
  const said = lines.filter((line) => line !== "").flatMap((line) => wrapWords(line, 70, { keepsWords: true }));
  return [...said, "granary doctor says more"];
}
