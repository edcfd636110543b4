import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSettings } from "../../src/settings/load-settings.ts";
import { Places } from "./places.ts";

let places: Places;
beforeAll(async () => {
  places = await Places.create();
});
afterAll(() => places[Symbol.asyncDispose]());

test("keys may be nested, dotted, or both", async () => {
  const { values } = await places.load({ user: { python: { maxSessions: 2 }, "python.idleMinutes": 0, output: {} } });
  expect(values.python).toMatchObject({ maxSessions: 2, idleMinutes: 0 });
});

test("a byte order mark and CRLF do no harm", async () => {
  const { values } = await places.load({ user: '\uFEFF{\r\n  "python.maxSessions": 2\r\n}\r\n' });
  expect(values.python.maxSessions).toBe(2);
});

describe("a mistake is reported with file, line, column and remedy", () => {
  test.each<[mistake: string, text: string, answer: string]>([
    [
      "a typing mistake",
      '{\n  "python": { "maxSesions": 2 }\n}',
      "2:15: There is no setting python.maxSesions. Did you mean python.maxSessions?",
    ],
    [
      "another spelling",
      '{"python.max_sessions": 2}',
      "1:2: There is no setting python.max_sessions. Did you mean python.maxSessions?",
    ],
    [
      "half of a name",
      '{"python": {"timeout": 2}}',
      "1:13: There is no setting python.timeout. Did you mean python.timeoutSeconds?",
    ],
    [
      "a forgotten group",
      '{"maxSessions": 2}',
      "1:2: There is no setting maxSessions. Did you mean python.maxSessions?",
    ],
    [
      "a wrong group",
      '{"output": {"keepDays": 2}}',
      "1:13: There is no setting output.keepDays. Did you mean artifacts.keepDays?",
    ],
    [
      "an unknown name in a group",
      '{"artifacts.colour": 2}',
      "1:2: There is no setting artifacts.colour. There are: artifacts.maxMegabytes, artifacts.keepDays.",
    ],
    [
      "an unknown group",
      '{"editor": {"tabs": 2}}',
      "1:2: There is no setting editor. Names of settings begin with python. tools. output. artifacts. notebook. console. hub. debug.",
    ],
    [
      "a name of JavaScript's Object",
      '{"__proto__": {"python.maxSessions": 2}}',
      "1:2: There is no setting __proto__. Names of settings begin with python. tools. output. artifacts. notebook. console. hub. debug.",
    ],
    ["a group without its settings", '{"python": 3}', "1:2: python is a group of settings, and takes an object."],
    [
      "a wrong type",
      '{"python.maxSessions": "two"}',
      '1:2: python.maxSessions is "two", but takes a whole number from 1 to 1000.',
    ],
    [
      "a fraction of a session",
      '{"python.maxSessions": 1.5}',
      "1:2: python.maxSessions is 1.5, but takes a whole number from 1 to 1000.",
    ],
    [
      "a number out of range",
      '{"python.timeoutSeconds": 601}',
      "1:2: python.timeoutSeconds is 601, but takes a number from 1 to 600.",
    ],
    [
      "an infinite number",
      '{"python.timeoutSeconds": 1e999}',
      "1:2: python.timeoutSeconds is Infinity, but takes a number from 1 to 600.",
    ],
    [
      "a zero where it has no meaning",
      '{"python.sweepSeconds": 0}',
      "1:2: python.sweepSeconds is 0, but takes a number from 0.1 to 3600.",
    ],
    [
      "a negative number",
      '{"python.idleMinutes": -1}',
      "1:2: python.idleMinutes is -1, but takes a number from 0.01 to 10080, or 0: never.",
    ],
    [
      "null where it is not allowed",
      '{"python.backend": null}',
      '1:2: python.backend is null, but takes "auto", "runner", "gateway" or "zmq".',
    ],
    [
      "an unknown choice",
      '{"python.backend": "jupyter"}',
      '1:2: python.backend is "jupyter", but takes "auto", "runner", "gateway" or "zmq".',
    ],
    ["a text for a switch", '{"debug.startup": "yes"}', '1:2: debug.startup is "yes", but takes true or false.'],
    [
      "a switch in quotes",
      '{"python.ipcTrace": "on"}',
      '1:2: python.ipcTrace is "on", but takes true for stderr, false for none, or the path of a file.',
    ],
    [
      "a bad name in a list",
      '{"python.allowEnv": ["FINE", "NOT*", 3, [], {}]}',
      '1:2: python.allowEnv is a list ("FINE", "NOT*", 3, a list, an object), but takes a list of variable names and PREFIX_*, such as ["PGHOST", "SLURM_*"].',
    ],
    [
      "a text for a list",
      '{"python.allowEnv": "*"}',
      '1:2: python.allowEnv is "*", but takes a list of variable names and PREFIX_*, such as ["PGHOST", "SLURM_*"].',
    ],
    [
      "an empty text",
      '{"python.interpreter": " "}',
      '1:2: python.interpreter is " ", but takes a text of one line, or null for none.',
    ],
    [
      "an object for a value",
      '{"python.interpreter": {"path": "x"}}',
      "1:2: python.interpreter is an object, but takes a text of one line, or null for none.",
    ],
    [
      "a secret of the wrong type",
      '{"python.gatewayToken": 12345}',
      "1:2: python.gatewayToken is (not shown), but takes a text of one line, or null for none.",
    ],
    [
      "a secret of two lines",
      '{"python.gatewayToken": "12\\n345"}',
      "1:2: python.gatewayToken is (not shown), but takes a text of one line, or null for none.",
    ],
    [
      "the same key twice",
      '{\n"python.maxSessions": 2,\n"python.maxSessions": 2}',
      "3:1: python.maxSessions is given twice. Keep one of them.",
    ],
    ["the same group twice", '{"python": {},\n "python": {}}', "2:2: python is given twice. Keep one of them."],
    [
      "the same key nested and dotted",
      '{"python": {"maxSessions": 2}, "python.maxSessions": 2}',
      "1:32: python.maxSessions is given twice. Keep one of them.",
    ],
    ["a list of settings", "[]", '1:1: Settings are a JSON object, such as {"python.maxSessions": 2}.'],
    ["an empty file", "", "1:1: The JSON ends too early. A value is missing here."],
    [
      "a truncated file",
      '{"python": {\n  "maxSessions": 2,\n',
      "3:1: The JSON ends too early. A key in double quotes is missing here.",
    ],
    ["a comma too many", '{\n  "python.maxSessions": 2,\n}', "2:26: There is a comma too many, before }."],
    ["a missing comma", '{"python.maxSessions": 2 "python.idleMinutes": 3}', "1:26: A comma or } is missing here."],
    ["a comment", '{\n  // at most two\n  "python.maxSessions": 2}', "2:3: JSON has no comments."],
    ["single quotes", "{'python.maxSessions': 2}", "1:2: A key in double quotes is missing here."],
    ["a text without quotes", '{"python.backend": runner}', "1:20: This is no JSON value. Texts need double quotes."],
    ["a text that is not closed", '{"python.backend": "runner}', "1:20: This text is not closed."],
    [
      "a text with a line break",
      '{"python.backend": "run\nner"}',
      "1:20: JSON does not allow what is in this text: a line break, or an unknown escape.",
    ],
    ["a missing value", '{"python.backend": }', "1:20: A value is missing here."],
    ["a number that only Python knows", '{"a": NaN}', "1:7: This is no JSON value. JSON has no such numbers."],
    ["a number that breaks off", '{"a": 1.}', "1:9: A digit is missing here."],
    ["a comma too many in a list", '{"a": [1, ]}', "1:9: There is a comma too many, before ]."],
    ["a comment behind letters of two bytes", '{"ä": "ö" /* no */}', "1:11: JSON has no comments."],
    ["a missing colon", '{"python.backend" "auto"}', "1:19: A colon is missing here."],
    ["something after the end", "{}\n{}", "2:1: The JSON has ended before this."],
    ["too many brackets", '{"python.allowEnv": '.concat("[".repeat(100_000)), "1:220: This is nested too deeply."],
  ])("%s", async (_mistake, text, answer) => {
    expect(await places.complaint({ user: text })).toBe(`HOME/settings.json:${answer}`);
  });

  test("even where a stronger source overrides it", async () => {
    const given = { user: { "python.maxSessions": 0 }, env: { GRANARY_PYTHON_MAX_SESSIONS: "2" } };
    expect(await places.complaint(given)).toMatch("python.maxSessions is 0");
  });
});

describe("an address with a secret in it is refused, and the secret is not repeated", () => {
  test.each([
    ["http://ada:s3cret@127.0.0.1:8888", '"…@127.0.0.1:8888"'],
    ["http://127.0.0.1:8888/?token=s3cret", '"http://127.0.0.1:8888/?…"'],
    ["http://127.0.0.1:8888/#s3cret", '"http://127.0.0.1:8888/?…"'],
    ["http://ada:s3/s3cret@127.0.0.1:8888", '"…@127.0.0.1:8888"'],
    ["http://s3cret@127.0.0.1:8888", '"…@127.0.0.1:8888"'],
    ["localhost:8888", '"localhost:8888"'],
    ["ftp://localhost", '"ftp://localhost"'],
    ["http://", '"http://"'],
    ["http://exa mple", '"http://exa mple"'],
    ["http://127.0.0.1:99999", '"http://127.0.0.1:99999"'],
  ])("%s", async (address, shown) => {
    const complaint = await places.complaint({ user: { "python.gatewayUrl": address } });
    expect(complaint).toContain(`python.gatewayUrl is ${shown}, but takes an address such as "http://127.0.0.1:8888"`);
    expect(complaint).toContain("python.gatewayToken");
    expect(complaint).not.toContain("s3cret");
  });
});

test("an address may have a path, even one with a mail address in it", async () => {
  const address = "https://hub.example/user/ada@example.org/";
  expect((await places.load({ user: { "python.gatewayUrl": address } })).values.python.gatewayUrl).toBe(address);
});

test.each<[string, (path: string) => void, string]>([
  [
    "a link to a device",
    (path) => symlinkSync("/dev/zero", path),
    "leads to a file other than the settings of a folder in its project",
  ],
  ["a pipe", (path) => execFileSync("mkfifo", [path]), "cannot be read: it is a pipe, a socket or a device"],
])("a project whose settings are %s neither blocks nor fills the memory", async (_, make, problem) => {
  mkdirSync(dirname(places.projectFile), { recursive: true });
  rmSync(places.projectFile, { force: true });
  make(places.projectFile);
  try {
    const loading = loadSettings({ cwd: places.cwd, env: {}, home: places.home });
    await expect(loading).rejects.toThrow(`${places.projectFile} ${problem}.`);
  } finally {
    rmSync(places.projectFile, { force: true });
  }
});
