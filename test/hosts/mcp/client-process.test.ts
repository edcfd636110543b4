import { expect, test } from "vitest";
import { scriptName } from "../../../src/hosts/mcp/client-process.ts";

test.each([
  ["gemini", ["node", "/usr/local/bin/gemini", "--debug"]],
  ["gemini", ["/usr/bin/node", "--no-warnings", "/x/gemini.js"]],
  ["gemini-cli", ["node", "/x/node_modules/@google/gemini-cli/dist/index.js"]],
  ["agent", ["python3", "src/agent.py"]],
  ["worker", ["node", "--require", "/x/warnings.cjs", "--conditions", "a", "/x/worker.js"]],
  [null, ["node", "-"]],
  [null, ["node", "index.js"]],
  [null, []],
])("a session of a client is named %s where its process is %j", (name, command) => {
  expect(scriptName(command)).toBe(name);
});
