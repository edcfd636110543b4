import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settings } from "../../src/settings/settings.ts";
import { Places } from "./places.ts";

let places: Places;
beforeAll(async () => {
  places = await Places.create();
});
afterAll(() => places[Symbol.asyncDispose]());

const python = async (env: Record<string, string>): Promise<Settings["python"]> =>
  (await places.load({ env })).values.python;

describe("PI_PY", () => {
  test.each([
    ["0", "bash-only"],
    ["bash", "bash-only"],
    ["1", "ipy-only"],
    ["py", "ipy-only"],
    ["mix", "both"],
    ["both", "both"],
    ["", "both"],
  ])("%j means %s", async (text, mode) => {
    expect((await python({ PI_PY: text })).toolMode).toBe(mode);
  });

  test("any other value is an error that lists the accepted ones", async () => {
    expect(await places.complaint({ env: { PI_PY: "ipy-only" } })).toBe(
      'PI_PY is "ipy-only", but takes 0 or bash for bash-only, 1 or py for ipy-only, mix or both for both.',
    );
  });

  test("overrides GRANARY_PYTHON_TOOL_MODE, which must still be valid", async () => {
    expect((await python({ PI_PY: "0", GRANARY_PYTHON_TOOL_MODE: "ipy-only" })).toolMode).toBe("bash-only");
    expect((await python({ PI_PY: "", GRANARY_PYTHON_TOOL_MODE: "ipy-only" })).toolMode).toBe("ipy-only");
    expect(await places.complaint({ env: { PI_PY: "0", GRANARY_PYTHON_TOOL_MODE: "py" } })).toBe(
      'GRANARY_PYTHON_TOOL_MODE is "py", but takes both, ipy-only or bash-only.',
    );
  });
});

test("the other documented variables", async () => {
  const env = {
    PI_PYTHON_GATEWAY_URL: "http://127.0.0.1:8888/base",
    PI_PYTHON_GATEWAY_TOKEN: " s3cret ",
    PI_PYTHON_SKIP_CHECK: "1",
    PI_PYTHON_IPC_TRACE: "1",
    PI_DEBUG_STARTUP: "1",
  };
  const { values } = await places.load({ env });
  expect(values.python).toMatchObject({
    gatewayUrl: "http://127.0.0.1:8888/base",
    gatewayToken: " s3cret ",
    skipCheck: true,
    ipcTrace: true,
  });
  expect(values.debug.startup).toBe(true);
});

describe("PI_PYTHON_IPC_TRACE", () => {
  test.each([
    ["0", false],
    ["", false],
    ["off", false],
    ["1", true],
    ["true", true],
    ["/tmp/trace", "/tmp/trace"],
  ])("%j means %j, regardless of a file", async (text, meant) => {
    const { values } = await places.load({ env: { PI_PYTHON_IPC_TRACE: text }, user: { "python.ipcTrace": "/other" } });
    expect(values.python.ipcTrace).toBe(meant);
  });
});

describe("a value as text", () => {
  test.each(["1", "true", "yes", "on", "TRUE", "Yes"])("%s turns a switch on", async (text) => {
    expect((await python({ GRANARY_PYTHON_SKIP_CHECK: text })).skipCheck).toBe(true);
  });

  test.each(["0", "false", "no", "off", "No"])("%s turns a switch off", async (text) => {
    expect((await python({ GRANARY_PYTHON_PROJECT_MODULES: text })).projectModules).toBe(false);
  });

  test("a list has commas, and spaces do not matter", async () => {
    expect((await python({ GRANARY_PYTHON_ALLOW_ENV: "PGHOST, SLURM_*,," })).allowEnv).toEqual(["PGHOST", "SLURM_*"]);
    expect((await python({ GRANARY_PYTHON_ALLOW_ENV: "" })).allowEnv).toEqual([]);
  });

  test("an empty one means none where such a value exists, and otherwise counts as unset", async () => {
    const user = { python: { gatewayUrl: "http://127.0.0.1:8888", maxSessions: 2, skipCheck: true } };
    const env = { PI_PYTHON_GATEWAY_URL: "", GRANARY_PYTHON_MAX_SESSIONS: "", PI_PYTHON_SKIP_CHECK: "" };
    const { values } = await places.load({ user, env });
    expect(values.python).toMatchObject({ gatewayUrl: null, maxSessions: 2, skipCheck: true });
  });

  test.each([
    ["GRANARY_PYTHON_MAX_SESSIONS", "many", '"many", but takes a whole number from 1 to 1000.'],
    ["GRANARY_PYTHON_MAX_SESSIONS", "0x10", '"0x10", but takes a whole number from 1 to 1000.'],
    ["GRANARY_PYTHON_MAX_SESSIONS", " ", '" ", but takes a whole number from 1 to 1000.'],
    ["GRANARY_PYTHON_TIMEOUT_SECONDS", "0", '"0", but takes a number from 1 to 600.'],
    ["GRANARY_DEBUG_STARTUP", "maybe", '"maybe", but takes 1, true, yes, on or 0, false, no, off.'],
    [
      "GRANARY_PYTHON_ALLOW_ENV",
      "A B",
      '"A B", but takes variable names and PREFIX_* with commas between them, such as PGHOST,SLURM_*.',
    ],
    ["PI_PYTHON_GATEWAY_TOKEN", "s3\ncret", "(not shown), but takes a text of one line, or nothing for none."],
  ])("%s=%j is an error", async (variable, text, answer) => {
    expect(await places.complaint({ env: { [variable]: text } })).toBe(`${variable} is ${answer}`);
  });

  test("a secret in the gateway's address is not repeated", async () => {
    const complaint = await places.complaint({ env: { PI_PYTHON_GATEWAY_URL: "http://h/?token=s3cret" } });
    expect(complaint).toContain("(that goes into PI_PYTHON_GATEWAY_TOKEN)");
    expect(complaint).not.toContain("s3cret");
  });
});

describe("a variable that belongs to no setting", () => {
  test("is an error that suggests the closest", async () => {
    expect(await places.complaint({ env: { GRANARY_PYTHON_MAX_SESSION: "2" } })).toBe(
      "There is no setting for GRANARY_PYTHON_MAX_SESSION. Did you mean GRANARY_PYTHON_MAX_SESSIONS?",
    );
    expect(await places.complaint({ env: { GRANARY_ARTIFACTS_COLOUR: "2" } })).toBe(
      "There is no setting for GRANARY_ARTIFACTS_COLOUR. There are: GRANARY_ARTIFACTS_MAX_MEGABYTES, GRANARY_ARTIFACTS_KEEP_DAYS.",
    );
  });

  test("unless it is not ours", async () => {
    const env = { GRANARY_HOME: "/x", GRANARY_TEST_CACHE: "/y", PI_UNHEARD_OF: "1", python_maxSessions: "1" };
    await expect(places.load({ env })).resolves.toBeDefined();
  });
});
