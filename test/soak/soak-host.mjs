// A host with the tools of an agent, which lives for long. It takes calls as lines of JSON, and answers with lines.
import { createInterface } from "node:readline";
import { inRepository } from "../../scripts/repository.mjs";

const { createRuntime } = await import(inRepository("dist/library/index.js"));
const { createToolbox } = await import(inRepository("dist/library/tools.js"));

const runtime = await createRuntime({ cwd: process.cwd(), trust: true });
const toolbox = await createToolbox({ runtime });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, tool, input } = JSON.parse(line);
  const { content } = await toolbox.find(tool).run(input);
  const text = content.map((/** @type {any} */ part) => part.text ?? "").join("\n");
  process.stdout.write(`${JSON.stringify({ id, text })}\n`);
}
await toolbox.close();
await runtime.close();
