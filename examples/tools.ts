// The tools of an agent in your own host: names and schemas for the model, and its calls.
import assert from "node:assert/strict";
import { createRuntime } from "granary";
import { createToolbox, jsonSchema } from "granary/tools";

const runtime = await createRuntime();
try {
  const toolbox = await createToolbox({ runtime, session: "agent-1" });
  try {
    // Describe the tools to a model, in the form that most APIs take.
    const offered = toolbox.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: jsonSchema(inputSchema, "input"),
    }));
    assert(offered.some(({ name }) => name === "python"));

    // Run the model's calls. A call never rejects: the text reports failures.
    const python = toolbox.find("python");
    assert(python);
    await python.run({ cells: [{ code: "prices = [3, 4, 5]" }] });
    const { content, isError } = await python.run({ cells: [{ code: "sum(prices)" }, { code: "prices[7]" }] });

    assert.equal(isError, true);
    const [first] = content;
    assert(first?.type === "text");
    console.log(first.text);
    assert.match(first.text, /^Error: Cell 2 of 2 failed: IndexError/);
    assert.match(first.text, /\n12\n/);
  } finally {
    await toolbox.close();
  }
} finally {
  await runtime.close();
}
