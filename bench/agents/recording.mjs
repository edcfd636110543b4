/** @typedef {import("@modelcontextprotocol/client").Client} Client */
/** @typedef {(text: string) => number} TokenCounter */
/** @typedef {{ text: string, pictures: Buffer[], isError: boolean }} Answer the text is what a model reads */

/** The calls of one task, with what they cost a model: tokens it writes, tokens it reads, and seconds. */
export class Recording {
  calls = 0;
  tokensIn = 0;
  tokensOut = 0;
  seconds = 0;
  /** @type {Answer[]} */
  answers = [];
  #countTokens;

  /** @param {TokenCounter} countTokens */
  constructor(countTokens) {
    this.#countTokens = countTokens;
  }

  /**
   * @param {Client} client
   * @param {string} name
   * @param {Record<string, unknown>} args
   */
  async call(client, name, args) {
    const start = performance.now();
    const result = await client.callTool({ name, arguments: args }, { timeout: 300_000 });
    this.seconds += (performance.now() - start) / 1000;

    const content = /** @type {import("@modelcontextprotocol/client").ContentBlock[]} */ (result.content ?? []);
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    const pictures = content.flatMap((block) => (block.type === "image" ? [Buffer.from(block.data, "base64")] : []));
    this.calls += 1;
    this.tokensIn += this.#countTokens(name) + this.#countTokens(JSON.stringify(args));
    this.tokensOut += this.#countTokens([text, ...content.flatMap(linkText)].join("\n"));
    const answer = { text, pictures, isError: result.isError === true };
    this.answers.push(answer);
    return answer;
  }
}

/**
 * A client passes links on in some form; the address and the name are the least of it.
 * @param {import("@modelcontextprotocol/client").ContentBlock} block
 */
function linkText(block) {
  return block.type === "resource_link" ? [`${block.name}: ${block.uri}`] : [];
}

/**
 * The price of a server before its first call: name, description and input schema of every tool.
 * @param {Client} client
 * @param {TokenCounter} countTokens
 */
export async function priceOfTools(client, countTokens) {
  const { tools } = await client.listTools();
  return countTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}
