// The tools of an agent, for a host of your own: names and schemas for the model, calls for what it asks for.
import assert from "node:assert/strict";
import { createRuntime } from "granary";
import { createToolbox, jsonSchema } from "granary/tools";

await using runtime = await createRuntime();
await using toolbox = await createToolbox({ runtime, session: "agent-1" });

// What a model is told, in the form that most of their interfaces take.
const offered = toolbox.tools.map(({ name, description, inputSchema }) => ({
  name,
  description,
  parameters: jsonSchema(inputSchema, "input"),
}));
assert(offered.some(({ name }) => name === "python"));

// What a model asks for, and what it is answered. A call never rejects: what went wrong is in the text.
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
