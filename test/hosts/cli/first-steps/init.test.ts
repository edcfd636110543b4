import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonWithComments } from "../../../../src/hosts/cli/first-steps/clients/json-with-comments.ts";
import { addServerToToml, hasServerInToml } from "../../../../src/hosts/cli/first-steps/clients/toml-server.ts";
import { commandHere } from "../command-here.ts";
import { granary, testFolder } from "../granary.ts";

/** A home folder with these files in it. */
function home(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(testFolder, "home-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const init = (HOME: string, ...args: readonly string[]) =>
  granary(["init", ...args], { env: { HOME, XDG_CONFIG_HOME: "", CODEX_HOME: "" } });
const text = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");

describe("granary init", () => {
  test("adds Granary to the clients that it finds, and to no other", async () => {
    const folder = home({ ".cursor/mcp.json": "{}\n", ".codex/config.toml": 'model = "x"\n' });
    const { stdout, exitCode } = await init(folder, "--yes");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Cursor: ${folder}/.cursor/mcp.json`);
    expect(stdout).not.toContain("Windsurf");
    const { mcpServers } = JSON.parse(text(folder, ".cursor/mcp.json"));
    expect(mcpServers.granary.args.at(-1)).toBe("mcp");
    expect(text(folder, ".codex/config.toml")).toMatch(
      /^model = "x"\n\n\[mcp_servers\.granary\]\ncommand = ".+"\nargs = \[.*"mcp"\]\ntool_timeout_sec = 660\n$/,
    );
  });

  test("without a terminal, the command that it names writes to the clients of this call only", async () => {
    const folder = home({ ".codex/config.toml": "" });
    const { stderr, exitCode } = await init(folder, "cursor");
    expect([stderr, exitCode]).toEqual([
      "granary: There is no terminal to ask on. To write these changes: granary init cursor --yes\n",
      2,
    ]);
    expect((await init(folder)).stderr).toContain("To write these changes: granary init --yes\n");
  });

  test.each([
    ["Codex", "Did you mean codex?"],
    ["claude", "Did you mean claude-code or claude-desktop?"],
    ["emacs", "Known are: claude-code, "],
  ])("granary init %s names a client that exists", async (typed, answer) => {
    expect((await init(home(), typed)).stderr).toContain(`There is no client ${typed}. ${answer}`);
  });

  test("has an entry for each of the ten clients in its own form", async () => {
    const folder = home();
    const clients = [
      ...["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini"],
      ...["opencode", "copilot", "amp", "windsurf"],
    ];
    const { stdout, exitCode } = await init(folder, ...clients, "--yes", "--json");
    expect(exitCode).toBe(0);
    const written: { client: string; file: string; state: string }[] = JSON.parse(stdout).clients;
    expect(written.map(({ client, state }) => [client, state])).toEqual(clients.map((client) => [client, "written"]));
    const file = (id: string) =>
      JSON.parse(readFileSync(written.find(({ client }) => client === id)?.file ?? "", "utf8"));
    expect(file("claude-code").mcpServers.granary).toMatchObject({ type: "stdio" });
    expect(file("claude-desktop").mcpServers.granary.args).toContain("--cwd");
    expect(file("vscode").servers.granary).toMatchObject({ type: "stdio" });
    expect(file("gemini").mcpServers.granary).toMatchObject({ timeout: 660_000 });
    expect(file("opencode").mcp.granary).toMatchObject({ type: "local", enabled: true, timeout: 660_000 });
    expect(file("copilot").mcpServers.granary).toMatchObject({ type: "local", tools: ["*"] });
    expect(Object.keys(file("amp")["amp.mcpServers"])).toEqual(["granary"]);
    // New files may get keys of other servers later.
    for (const { file } of written) expect(statSync(file).mode & 0o077).toBe(0);
  });

  test("leaves comments, order and layout as they are, and keeps the file's permissions and links", async () => {
    const before =
      '{\n\t// my servers\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // needs a key\n\t},\n\t"z": 1,\n}\n';
    const folder = home({ "dotfiles/mcp.json": before, ".cursor/rules": "" });
    chmodSync(join(folder, "dotfiles/mcp.json"), 0o640);
    symlinkSync(join(folder, "dotfiles/mcp.json"), join(folder, ".cursor/mcp.json"));
    const { stdout } = await init(folder, "--yes");
    const after = text(folder, ".cursor/mcp.json");
    expect(after.replace(/\n\t\t"granary": \{[^}]*\}/, "")).toBe(before);
    expect(after).toMatch(/\/\/ needs a key\n\t\t"granary": \{\n\t\t\t"command": /);
    expect(lstatSync(join(folder, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(statSync(join(folder, "dotfiles/mcp.json")).mode & 0o777).toBe(0o640);
    // Lines that stay are not shown: they may have keys.
    expect(stdout).toContain('  + \t\t"granary": {');
    expect(stdout).not.toContain("needs a key");
  });

  test("changes nothing the second time, whatever the entry has become", async () => {
    const folder = home({ ".gemini/settings.json": '{"mcpServers":{"granary":{"command":"mine"}}}' });
    const { stdout, exitCode } = await init(folder, "--yes");
    expect(stdout).toContain("has a server granary already, with another command: mine\n");
    expect(exitCode).toBe(0);
    expect(text(folder, ".gemini/settings.json")).toBe('{"mcpServers":{"granary":{"command":"mine"}}}');
  });

  test("shows only what is new in a file of one long line, which may have keys", async () => {
    const folder = home({ ".cursor/mcp.json": `{"token": "secret${"x".repeat(200)}", "theme": "dark"}` });
    const { stdout } = await init(folder, "--dry-run");
    expect(stdout).toMatch(/\n {2}\+ … , "mcpServers": \{"granary": \{.*\}\} …\n/);
    expect(stdout).not.toContain("secret");
  });

  test("--dry-run writes nothing, and says so", async () => {
    const folder = home({ ".cursor/mcp.json": "{}" });
    const { stdout, exitCode } = await init(folder, "--dry-run");
    expect(stdout).toMatch(/\+ .*granary[\s\S]*Nothing was changed\.\n$/);
    expect(exitCode).toBe(0);
    expect(text(folder, ".cursor/mcp.json")).toBe("{}");
  });

  test.each([
    ["broken JSON", '{"mcpServers": {', "it cannot be read as a JSON object: "],
    ["a list", "[]", "it cannot be read as a JSON object: "],
    ["a list", '{"mcpServers": []}', 'its "mcpServers" is no object'],
    ["not UTF-8", Uint8Array.of(0xff, 0xfe), "it is not UTF-8 text"],
  ])("refuses %s with the reason, and leaves the file", async (_, content, reason) => {
    const folder = home({ ".cursor/mcp.json": content });
    const { stdout, exitCode } = await init(folder, "--yes");
    expect(stdout).toContain(`${folder}/.cursor/mcp.json stays as it is: ${reason}`);
    expect(stdout).toMatch(/To add Granary by hand:\n {2}\{\n {4}"mcpServers": \{\n {6}"granary": \{/);
    expect(readFileSync(join(folder, ".cursor/mcp.json"))).toEqual(Buffer.from(content));
    expect(exitCode).toBe(3);
  });

  test.each([
    ["an open string", 'model = "x\n', "line 1"],
    ["an open text of several lines", 'a = 1\nnotes = """\n[mcp_servers.granary]\n', "line 2"],
    ["an open list", "a = [1,\n", "line 1"],
    ["a merge conflict", "a = 1\n<<<<<<< HEAD\n", "line 2"],
  ])("refuses TOML with %s, and leaves the file", async (_, content, line) => {
    const folder = home({ ".codex/config.toml": content });
    const { stdout, exitCode } = await init(folder, "--yes");
    expect(stdout).toContain(`config.toml stays as it is: it cannot be read as TOML: ${line} cannot be read`);
    expect(text(folder, ".codex/config.toml")).toBe(content);
    expect(exitCode).toBe(3);
  });

  test("leaves a read-only file alone, and writes the others", async () => {
    const folder = home({ ".cursor/mcp.json": "{}\n", ".codex/config.toml": "# mine\n" });
    chmodSync(join(folder, ".cursor/mcp.json"), 0o444);
    const { stdout, exitCode } = await init(folder, "--yes", "--json");
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).clients).toMatchObject([
      { client: "cursor", state: "refused", reason: "it is read-only" },
      { client: "codex", state: "written", reason: null },
    ]);
    expect(text(folder, ".cursor/mcp.json")).toBe("{}\n");
  });

  test("reports a folder in which it cannot write, and writes the others", async () => {
    const folder = home({ "cursor-is-a-file": "", ".codex/config.toml": "" });
    // A link to nowhere: reading finds no file, and writing no folder.
    symlinkSync(join(folder, "gone/cursor"), join(folder, ".cursor"));
    const { stdout, exitCode } = await init(folder, "cursor", "codex", "--yes");
    expect(stdout).toMatch(
      /Cursor: .*\/mcp\.json was not written: [a-z ]+; check its folder\.\nWritten for Codex\. Restart it,/,
    );
    expect(exitCode).toBe(3);
    expect(text(folder, ".codex/config.toml")).toContain("[mcp_servers.granary]");
  });

  test("uses the folder that the client's own variable names", async () => {
    const folder = home({ "claude/x": "", "copilot/x": "" });
    const env = { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, "claude"), COPILOT_HOME: join(folder, "copilot") };
    const { exitCode } = await granary(["init", "--yes"], { env });
    expect(exitCode).toBe(0);
    expect(text(folder, "claude/.claude.json")).toContain("granary");
    expect(text(folder, "copilot/mcp-config.json")).toContain("granary");
  });

  test.each([
    ["y\n", 0, "Written for Cursor. Restart it,"],
    ["\n", 130, "Nothing was changed."],
  ])("asks on a terminal, and takes %j for an answer", async (typed, code, said) => {
    const folder = home({ ".cursor/mcp.json": "{}" });
    const { stdout, exitCode } = await commandHere(["init"], {
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH },
      stdin: Readable.from([Buffer.from(typed)]),
      isTerminal: (stream) => stream === "stdin",
    });
    expect(stdout).toContain(said);
    expect(exitCode).toBe(code);
  });

  test("names what would work: without a terminal, without a client, with a wrong name", async () => {
    const folder = home({ ".cursor/mcp.json": "{}" });
    expect(await init(folder)).toMatchObject({ stderr: expect.stringContaining("granary init --yes"), exitCode: 2 });
    expect(await init(folder, "emacs")).toMatchObject({
      stderr: expect.stringContaining("Known are: claude-code"),
      exitCode: 2,
    });
    expect(await init(home())).toMatchObject({ stdout: expect.stringContaining("granary skill"), exitCode: 0 });
  });
});

test("a server added to any JSON is the only difference, with comments and without", () => {
  const key = fc.string().filter((name) => name !== "granary" && name !== "mcpServers" && name !== "__proto__");
  const servers = fc.dictionary(key, fc.jsonValue({ depthSize: "small" }), { noNullPrototype: true });
  const layout = fc.constantFrom(undefined, 1, 2, 4, "\t");
  fc.assert(
    fc.property(
      servers,
      servers,
      fc.boolean(),
      layout,
      fc.boolean(),
      (other, inside, hasServers, indent, hasComment) => {
        const value = hasServers ? { ...other, mcpServers: inside, last: 1 } : other;
        const written = JSON.stringify(value, null, indent);
        const { mcpServers = {}, ...rest } = JSON.parse(written);
        const before = hasComment ? `// "mcpServers": {\n${written.slice(0, -1)}/* , } */}\n` : written;
        const after = new JsonWithComments(before).withMember(["mcpServers"], "granary", { command: "granary" });
        const plain = hasComment ? after.replace('// "mcpServers": {\n', "").replace("/* , } */", "") : after;
        expect(JSON.parse(plain)).toEqual({ ...rest, mcpServers: { ...mcpServers, granary: { command: "granary" } } });
        expect(after.length).toBeGreaterThan(before.length);
      },
    ),
  );
});

test.each([
  [
    "line ends of Windows",
    '{\r\n  "mcpServers": {\r\n  }\r\n}\r\n',
    '{\r\n  "mcpServers": {\r\n    "granary": 1\r\n  }\r\n}\r\n',
  ],
  ["a byte order mark", '\uFEFF{"x":1}', '\uFEFF{"x":1, "mcpServers":{"granary":1}}'],
  ["only a comment", "{\n  // none\n}\n", '{\n  // none\n  "mcpServers": {\n    "granary": 1\n  }\n}\n'],
  ["an empty object", '{ "mcpServers": {} }', '{ "mcpServers": {"granary": 1} }'],
  ["servers on one line", '{\n "mcpServers": {"a": 2}\n}', '{\n "mcpServers": {"a": 2, "granary": 1}\n}'],
])("a server is added to a file with %s in its own style", (_, before, after) => {
  expect(new JsonWithComments(before).withMember(["mcpServers"], "granary", 1)).toBe(after);
});

test.each([
  ["[mcp_servers.granary]\n", true],
  ['[ mcp_servers . "granary" ]\n', true],
  ["[mcp_servers.granary.env]\n", true],
  ["mcp_servers.granary.command = 'x'\n", true],
  ["[mcp_servers]\ngranary = { command = 'x' }\n", true],
  ["[mcp_servers.other]\n# [mcp_servers.granary]\n", false],
  ["[mcp_servers.granary2]\n", false],
  ['notes = """\n[mcp_servers.granary]\n"""\n', false],
  ["args = [\n  '[mcp_servers.granary]', # [\n  { a = 1 },\n]\n[[x.y]]\nd = 1979-05-27T07:32:00Z\n", false],
])("TOML %j has a server granary: %s", (toml, isThere) => {
  expect(hasServerInToml(toml, "granary")).toBe(isThere);
});

test("TOML with an inline table of servers is left alone, since it cannot be extended", () => {
  expect(addServerToToml("mcp_servers = { a = { command = 'x' } }\n", "granary", {})).toBeNull();
});
