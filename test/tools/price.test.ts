import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listedTool } from "../../src/hosts/mcp/listed-tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { nodeEnvironment } from "../environment/nodes.ts";
import { runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";

const tokens = nodeEnvironment("tokens");
const folder = temporaryFolder();

/** Every agent pays for the list in every conversation. */
test.skipIf("missing" in tokens)(
  "a model pays at most 1,700 tokens for the tools, and a client 2,400 for the whole list",
  async () => {
    const load = createRequire(join((tokens as { folder: string }).folder, "package.json"));
    const { countTokens } = load("gpt-tokenizer/encoding/o200k_base") as { countTokens(text: string): number };
    await using granary = await runtimeIn(folder);
    const { tools } = await createToolbox({ runtime: granary });
    const listed = tools.map(listedTool);
    const seen = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const each = Object.fromEntries(seen.map((tool) => [tool.name, countTokens(JSON.stringify(tool))]));
    expect(countTokens(JSON.stringify(seen)), JSON.stringify(each)).toBeLessThanOrEqual(1_700);
    expect(countTokens(JSON.stringify({ tools: listed })), JSON.stringify(each)).toBeLessThanOrEqual(2_400);
  },
);
