import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KernelError } from "../../../src/kernel/errors.ts";
import { createRunnerBackend } from "../../../src/kernel/runner/runner-backend.ts";
import { newestPython } from "../../environment/pythons.ts";
import { printed, run, runToDeath } from "../collect.ts";
import { isRunning } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { oldPythons } from "./contract/old-pythons.ts";
import { standIn } from "./stand-in.ts";
import { plainEnvironment, startRunner, temporaryFolder } from "./start-runner.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a start that cannot succeed is explained", () => {
  test("an interpreter that does not exist", async () => {
    const error = await failedStart("/no/such/python");
    expect(error.code).toBe("start-failed");
    expect(error.message).toContain("/no/such/python");
    expect(error.message).toContain("python3 -m venv");
  });

  test("an interpreter that is no program", async () => {
    const error = await failedStart(folder);
    expect(error.code).toBe("start-failed");
    expect(error.message).toContain(folder);
  });

  test("a working directory that does not exist", async () => {
    const error = await failedStart(newestPython().path, { cwd: `${folder}/missing` });
    expect(error.code).toBe("no-folder");
    expect(error.message).toContain(`${folder}/missing`);
  });

  test("an interpreter that fails at once, in its own words", async () => {
    const error = await failedStart(standIn(folder, 'echo "the licence has expired" >&2; exit 3'));
    expect(error.code).toBe("start-failed");
    expect(error.message).toContain("the licence has expired");
    expect(error.details.exitCode).toBe(3);
  });

  test("a program that writes a line without an end", async () => {
    const script = "head -c 70000000 /dev/zero | tr '\\0' x >&3; exec sleep 60";
    const error = await failedStart(standIn(folder, script));
    expect(error.code).toBe("start-failed");
    await standInIsGone();
  });

  test("a runner that speaks another version of the protocol", async () => {
    const hello = `{"t":"hello","protocol":99,"python":"3.99.0","executable":"x","pid":'$$',"mark":"x","pipes":[7,9],"settles":true}`;
    const error = await failedStart(standIn(folder, `echo '${hello}' >&3; exec sleep 60`));
    expect(error.code).toBe("protocol");
    expect(error.message).toMatch(/99.*\b1\b/);
    await standInIsGone();
  });

  test("a program that is no runner at all", async () => {
    const error = await failedStart(standIn(folder, "echo 'Welcome to the wrong program' >&3; exec sleep 60"));
    expect(error.code).toBe("protocol");
    expect(error.message).toContain("Welcome to the wrong program");
    await standInIsGone();
  });

  const old = oldPythons();
  test.skipIf(old.length === 0).each(old.length === 0 ? ["none found"] : old)(
    "a Python that is too old: %s",
    async (path) => {
      const error = await failedStart(path);
      expect(error.code).toBe("start-failed");
      expect(error.message).toContain(basename(path).replace("python", "version "));
      expect(error.message).toContain("3.8");
      expect(error.message).not.toContain("Traceback");
    },
  );

  test("a start that hangs, which is given up when the signal says so, and leaves no process", async () => {
    const controller = new AbortController();
    const start = failedStart(standIn(folder, "sleep 60 & wait"), { signal: controller.signal });
    await until(
      "the interpreter runs",
      () => existsSync(`${folder}/pid`) && readFileSync(`${folder}/pid`, "utf8") !== "",
    );
    controller.abort();
    const error = await start;
    expect(error.code).toBe("start-timeout");
    await standInIsGone();
  });

  test("a start whose signal was aborted before it began", async () => {
    const error = await failedStart(newestPython().path, { signal: AbortSignal.abort() });
    expect(error.code).toBe("start-timeout");
  });
});

describe("a runner that breaks the protocol later", () => {
  const garbage = {
    "a line that is no JSON": "what is this?",
    "a frame of an unknown kind": '{"t":"surprise"}',
    "JSON that is no frame": "[1, 2, 3]",
  };
  for (const [what, line] of Object.entries(garbage)) {
    test(`by ${what} is ended, and the reason is reported`, async () => {
      const kernel = await startRunner(newestPython().path, { cwd: folder });
      try {
        const { thrown } = await runToDeath(kernel, `${writeToFrames}\nsay(${JSON.stringify(line)})\nwhile True: pass`);
        expect(thrown).toBeInstanceOf(KernelError);
        expect((thrown as KernelError).message).toContain("private channel");
        expect(kernel.state).toBe("dead");
      } finally {
        await kernel.close();
      }
    });
  }
});

describe("a start that meets obstacles succeeds", () => {
  test("when the interpreter prints while it starts", async () => {
    writeFileSync(`${folder}/sitecustomize.py`, "import sys; print('noise'); print('noise', file=sys.stderr)");
    const kernel = await startRunner(newestPython().path, { env: { ...plainEnvironment, PYTHONPATH: folder } });
    try {
      expect(await printed(kernel, "print('clear')")).toBe("clear\n");
    } finally {
      await kernel.close();
    }
  });

  test("when the user's files have the names of the runner's own modules", async () => {
    const names = ["boot", "frames", "streams", "emit", "execute", "errors", "display", "loop", "magics", "formats"];
    for (const name of names) writeFileSync(`${folder}/${name}.py`, `owner = "the user's ${name}"`);
    const kernel = await startRunner(newestPython().path, { cwd: folder });
    try {
      const imports = names.map((name) => `import ${name}; print(${name}.owner)`).join("\n");
      expect(await printed(kernel, imports)).toBe(names.map((name) => `the user's ${name}\n`).join(""));
      expect((await run(kernel, "await __import__('asyncio').sleep(0)\n1/0")).error?.name).toBe("ZeroDivisionError");
    } finally {
      await kernel.close();
    }
  });
});

describe("probe", () => {
  test("says that a Python can be used", async () => {
    const probe = createRunnerBackend().probe({ interpreter: newestPython().path, env: plainEnvironment });
    expect(await probe).toEqual({ available: true });
  });

  test("says why one cannot, and what to do", async () => {
    const probe = await createRunnerBackend().probe({ interpreter: "/no/such/python", env: plainEnvironment });
    expect(probe).toMatchObject({ available: false, reason: expect.stringContaining("/no/such/python") });
    expect("remedy" in probe && probe.remedy).toContain("venv");
  });
});

async function failedStart(interpreter: string, options: Parameters<typeof startRunner>[1] = {}): Promise<KernelError> {
  const outcome = await startRunner(interpreter, { cwd: folder, ...options }).catch((error: unknown) => error);
  if (outcome instanceof KernelError) return outcome;
  if (outcome instanceof Error) throw outcome;
  await (outcome as { close(): Promise<void> }).close();
  throw new Error("The start succeeded.");
}

async function standInIsGone(): Promise<void> {
  const pid = Number(readFileSync(`${folder}/pid`, "utf8"));
  await until("the process is gone", () => !isRunning(pid));
}

/** The lowest private descriptor is the one for frames. */
const writeToFrames = py`
  import os, stat
  def is_socket(fd):
      try: return stat.S_ISSOCK(os.fstat(fd).st_mode)
      except OSError: return False
  frames = next(fd for fd in range(100, 200) if is_socket(fd))
  def say(line): os.write(frames, line.encode() + b"\n")
`;
