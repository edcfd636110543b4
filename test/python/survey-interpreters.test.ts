import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FindInterpreterOptions, findInterpreter } from "../../src/python/find/find-interpreter.ts";
import { surveyInterpreters } from "../../src/python/find/survey-interpreters.ts";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { Machine } from "./machine.ts";

describe("a survey of the Pythons", () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = await Machine.make();
  });
  afterEach(() => machine.remove());

  const options = (more: Partial<FindInterpreterOptions> = {}): FindInterpreterOptions => ({
    cwd: machine.folder,
    env: {},
    home: machine.home,
    ...more,
  });

  test("names every candidate in order, with what it is or what is wrong, and which one is taken and why", async () => {
    await machine.addVenv(".venv");
    await machine.addVenv("granary-home/python-env", oldestPython().path);
    await machine.addScript("shims/python3", `exec ${newestPython().path} "$@"`);
    const env = { VIRTUAL_ENV: machine.path("gone"), PATH: machine.path("shims") };
    const survey = await surveyInterpreters(options({ env }));
    expect(survey.candidates).toMatchObject([
      { path: machine.path("gone/bin/python"), source: "VIRTUAL_ENV", facts: null, problem: "does not exist" },
      {
        path: machine.path(".venv/bin/python"),
        source: ".venv",
        facts: { version: newestPython().version },
        problem: null,
      },
      { path: machine.path("shims/python3"), source: "PATH", facts: { version: newestPython().version } },
      {
        path: machine.path("granary-home/python-env/bin/python"),
        source: "managed",
        facts: { version: oldestPython().version },
      },
    ]);
    expect(survey.chosen).toEqual(await findInterpreter(options({ env })));
    expect(survey.chosen?.skipped).toHaveLength(1);
    expect(survey.why).toBe("It is the .venv of this folder or of its repository. The one before it cannot be used.");
    const shim = survey.candidates.at(-2);
    expect(shim?.executable).not.toBe(shim?.path);
  });

  test("says why there is none", async () => {
    await machine.addLink("venv/bin/python", "/no/such/python");
    const survey = await surveyInterpreters(options());
    expect(survey.chosen).toBeNull();
    expect(survey.why).toMatch(
      /^No Python found\. Looked at .*venv\/bin\/python links to a file .*Install Python 3\.8/,
    );
  });

  test("ignores cached answers, and caches the new ones", async () => {
    const env = await machine.countStarts();
    await machine.addVenv(".venv");
    const count = async () => (await machine.starts()).length;
    await surveyInterpreters(options({ env }));
    await findInterpreter(options({ env }));
    expect(await count()).toBe(1);
    await surveyInterpreters(options({ env }));
    expect(await count()).toBe(2);
  });

  test("starts each Python once, however many names it has", async () => {
    await machine.addVenv("real");
    await machine.addLink("venv", machine.path("real"));
    for (const name of ["a/python3", "a/python", "b/python3"]) await machine.addLink(name);
    const PATH = [machine.path("a"), machine.path("b"), machine.path("real/bin")].join(":");
    const survey = await surveyInterpreters(options({ env: { ...(await machine.countStarts()), PATH } }));
    expect(survey.candidates.map(({ path, problem }) => [path.slice(machine.folder.length + 1), problem])).toEqual([
      ["venv/bin/python", null],
      ["a/python3", null],
      ["b/python3", null],
      ["real/bin/python3", null],
      ["a/python", null],
      ["real/bin/python", null],
    ]);
    const [inVenv, outside] = [survey.candidates[0], survey.candidates[1]];
    expect(inVenv?.facts?.prefix).not.toBe(outside?.facts?.prefix);
    expect(await machine.starts()).toHaveLength(2);
  });

  test("without checks, names the Python that would be taken unchecked, and its facts", async () => {
    await machine.addScript("venv/bin/python", "exit 1");
    const survey = await surveyInterpreters(options({ skipCheck: true }));
    expect(survey.candidates).toMatchObject([{ problem: "does not start Python" }]);
    expect(survey.chosen).toMatchObject({ executable: machine.path("venv/bin/python"), facts: null });
    expect(survey.why).toMatch(/Nothing was asked, because checks are turned off\.$/);
  });

  test("ends when the caller aborts", async () => {
    await machine.addVenv(".venv");
    const signal = AbortSignal.abort(new Error("changed my mind"));
    await expect(surveyInterpreters(options({ signal }))).rejects.toThrow("changed my mind");
  });
});
