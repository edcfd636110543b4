import { chmod, chown, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { describeSettings } from "../../src/settings/describe-settings.ts";
import { loadSettings } from "../../src/settings/load-settings.ts";
import type { SettingName, Settings } from "../../src/settings/settings.ts";
import { Places } from "./places.ts";

let places: Places;
beforeAll(async () => {
  places = await Places.create();
});
afterAll(() => places[Symbol.asyncDispose]());

test("by default, every setting has its documented value", async () => {
  const { values, origins } = await places.load({});
  expect(values).toEqual({
    python: {
      toolMode: "both",
      kernelMode: "session",
      backend: "auto",
      kernel: null,
      sharedGateway: true,
      gatewayUrl: null,
      gatewayToken: null,
      interpreter: null,
      sandbox: "off",
      sandboxNetwork: "off",
      sandboxWrite: [],
      sandboxEngine: "auto",
      launcher: [],
      memoryLimitMb: 0,
      cpuSeconds: 0,
      maxProcesses: 0,
      allowEnv: [],
      projectModules: true,
      timeoutSeconds: 30,
      hardLimitSeconds: 0,
      interruptGraceSeconds: 5,
      startSeconds: 30,
      maxSessions: 4,
      idleMinutes: 5,
      lowMemoryPercent: 5,
      sweepSeconds: 30,
      heartbeatSeconds: 5,
      crashRetry: "never",
      backgroundHours: 2,
      skipCheck: false,
      warm: "auto",
      preload: "auto",
      checkpoints: "auto",
      checkpointCopies: 5,
      checkpointMemoryMb: 1024,
      ipcTrace: false,
    },
    tools: { eval: false },
    output: { budgetBytes: 16_384, headBytes: 6553, maxLines: 3000, maxLineBytes: 4096, foldLines: true },
    artifacts: { maxMegabytes: 1024, keepDays: 7 },
    notebook: { maxCellMegabytes: 100 },
    console: { pictures: "auto", pictureRows: 0, suggestions: true, confirmExit: true },
    hub: { use: "auto", idleHours: 24, maxKernels: 64, maxMegabytes: 0, endAfterMinutes: 10 },
    debug: { startup: false },
  });
  expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(["default"]));
});

test("a program gets exact types", () => {
  expectTypeOf<Settings["python"]["backend"]>().toEqualTypeOf<"auto" | "runner" | "gateway" | "zmq">();
  expectTypeOf<Settings["python"]["toolMode"]>().toEqualTypeOf<"both" | "ipy-only" | "bash-only">();
  expectTypeOf<Settings["python"]["maxSessions"]>().toEqualTypeOf<number>();
  expectTypeOf<Settings["python"]["gatewayUrl"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Settings["python"]["allowEnv"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Settings["python"]["ipcTrace"]>().toEqualTypeOf<boolean | string>();
  expectTypeOf<keyof Settings>().toEqualTypeOf<
    "python" | "tools" | "output" | "artifacts" | "notebook" | "console" | "hub" | "debug"
  >();
});

describe("precedence", () => {
  const given = {
    user: { python: { maxSessions: 1 } },
    project: { "python.maxSessions": 2 },
    env: { GRANARY_PYTHON_MAX_SESSIONS: "3" },
    overrides: { python: { maxSessions: 5 } },
  };
  const { user, project, env, overrides } = given;

  test.each([
    ["the user's file over the default", { user }, 1],
    ["the project's file over the user's", { user, project }, 2],
    ["the environment over the files", { user, project, env }, 3],
    ["the caller over everything", { user, project, env, overrides }, 5],
  ])("%s", async (_who, given, expected) => {
    expect((await places.load(given)).values.python.maxSessions).toBe(expected);
  });

  test("applies to each setting separately", async () => {
    const { values } = await places.load({
      user: { output: { maxLines: 100 }, python: { crashRetry: "once" } },
      project: { output: { maxLineBytes: 200 } },
      env: { GRANARY_PYTHON_IDLE_MINUTES: "0.5" },
    });
    expect(values.output).toMatchObject({ maxLines: 100, maxLineBytes: 200 });
    expect(values.python).toMatchObject({ crashRetry: "once", idleMinutes: 0.5 });
  });

  test("a host's own defaults apply only where no source has a value", async () => {
    const defaults = { "python.idleMinutes": 1440, "python.maxSessions": 32 } as const;
    const { values, origins } = await places.load({ user: { "python.maxSessions": 2 }, defaults });
    expect(values.python).toMatchObject({ idleMinutes: 1440, maxSessions: 2 });
    expect(origins["python.idleMinutes"]).toEqual({ from: "default" });
  });

  test("a project's file only tightens limits among a host's own defaults", async () => {
    const defaults = { "python.sandbox": "workspace", "python.maxProcesses": 5 } as const;
    const load = async (given: object) => {
      const { sandbox, maxProcesses } = (await places.load({ defaults, ...given })).values.python;
      return [sandbox, maxProcesses];
    };
    expect(await load({ project: { "python.sandbox": "off", "python.maxProcesses": 0 } })).toEqual(["workspace", 5]);
    expect(await load({ project: { "python.sandbox": "strict", "python.maxProcesses": 3 } })).toEqual(["strict", 3]);
    expect(await load({ user: { "python.sandbox": "off" } })).toEqual(["off", 5]);
  });

  test("an undefined option is ignored", async () => {
    const { values } = await places.load({
      project,
      overrides: { python: { maxSessions: undefined }, output: undefined },
    });
    expect(values.python.maxSessions).toBe(2);
  });

  test("every setting has its source, without secrets", async () => {
    const loaded = await places.load({
      user: { python: { gatewayUrl: "http://127.0.0.1:8888", gatewayToken: "s3cret" } },
      project: { python: { kernelMode: "per-call" } },
      env: { PI_PY: "1", GRANARY_OUTPUT_MAX_LINES: "50" },
      overrides: { python: { timeoutSeconds: 60 } },
    });
    const rows = describeSettings(loaded);
    expect(rows.filter(({ origin }) => origin !== "default")).toEqual([
      { name: "python.toolMode", value: "ipy-only", origin: "PI_PY" },
      { name: "python.kernelMode", value: "per-call", origin: places.projectFile },
      { name: "python.gatewayUrl", value: "http://127.0.0.1:8888", origin: places.userFile },
      { name: "python.gatewayToken", value: "(not shown)", origin: places.userFile },
      { name: "python.timeoutSeconds", value: 60, origin: "call options" },
      { name: "output.maxLines", value: 50, origin: "GRANARY_OUTPUT_MAX_LINES" },
    ]);
    expect(loaded.values.python.gatewayToken).toBe("s3cret");
    expect(rows).toContainEqual({ name: "python.interpreter", value: null, origin: "default" });
  });
});

describe("a caller without a type checker gets an error as well", () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;

  test.each<[what: string, overrides: object, answer: string]>([
    [
      "a wrong value",
      { python: { maxSessions: Number.NaN } },
      "python.maxSessions is NaN, but takes a whole number from 1 to 1000.",
    ],
    [
      "a wrong name",
      { python: { sessions: 2 } },
      "There is no setting python.sessions. Did you mean python.maxSessions?",
    ],
    ["an invalid group", { python: [] }, "python is a group of settings, and takes an object."],
    [
      "an infinite value",
      { python: { interpreter: circular } },
      "python.interpreter is an object, but takes a text of one line, or null for none.",
    ],
    [
      "a function",
      { python: { interpreter: () => 1 } },
      "python.interpreter is a function, but takes a text of one line, or null for none.",
    ],
  ])("%s", async (_what, overrides, answer) => {
    expect(await places.complaint({ overrides })).toBe(`Call options: ${answer}`);
  });
});

describe("the limits of a project count in all of its folders", () => {
  const settings = JSON.stringify({
    ...{ "python.sandbox": "workspace", "python.memoryLimitMb": 500 },
    ...{ "python.maxSessions": 1, "python.interpreter": "./hostile", "python.launcher": ["./hostile"] },
  });
  const project = async (name: string): Promise<string> => {
    const folder = join(places.home, name);
    await mkdir(join(folder, ".granary"), { recursive: true });
    await mkdir(join(folder, "notebooks/drafts"), { recursive: true });
    await writeFile(join(folder, ".granary/settings.json"), settings);
    return folder;
  };
  const loadIn = async (cwd: string, top?: string) => {
    const { values, origins } = await loadSettings({ cwd, top, env: {}, home: places.home });
    const { sandbox, memoryLimitMb, maxSessions, interpreter, launcher } = values.python;
    return { limits: [sandbox, memoryLimitMb], others: [maxSessions, interpreter, launcher], origins };
  };

  test("those of the repository around, and no other setting of it", async () => {
    const root = await project("repository");
    await mkdir(join(root, ".git"));
    const { limits, others, origins } = await loadIn(join(root, "notebooks/drafts"));
    expect([limits, others]).toEqual([
      ["workspace", 500],
      [4, null, []],
    ]);
    expect(origins["python.sandbox"]).toEqual({ from: "project-file", path: join(root, ".granary/settings.json") });
    const link = join(places.home, "link");
    await symlink(join(root, "notebooks"), link);
    expect((await loadIn(link)).limits).toEqual(["workspace", 500]);
    // Settings that several folders of a repository share.
    await mkdir(join(root, "notebooks/.granary"));
    await symlink("../../.granary/settings.json", join(root, "notebooks/.granary/settings.json"));
    await expect(loadIn(join(root, "notebooks"))).rejects.toThrow("python.launcher cannot be set by a project");
    await rm(join(root, "notebooks/.granary"), { recursive: true });
  });

  test("also in a folder that code made a repository, and in a submodule", async () => {
    const root = await project("outer");
    await mkdir(join(root, ".git"));
    await mkdir(join(root, "notebooks/.git"));
    expect((await loadIn(join(root, "notebooks"))).limits).toEqual(["workspace", 500]);
    expect((await loadIn(join(root, "notebooks/drafts"))).limits).toEqual(["workspace", 500]);
  });

  test.skipIf(process.getuid?.() !== 0)("none that another user put in a folder for all, such as /tmp", async () => {
    const root = await project("shared");
    await mkdir(join(root, ".git"));
    await chmod(root, 0o1777);
    expect((await loadIn(join(root, "notebooks"))).limits).toEqual(["workspace", 500]);
    await chown(join(root, ".granary/settings.json"), 65534, 65534);
    expect((await loadIn(join(root, "notebooks"))).limits).toEqual(["off", 0]);
    await chmod(root, 0o755);
    expect((await loadIn(join(root, "notebooks"))).limits).toEqual(["workspace", 500]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "in such a folder itself, another user's settings count neither with trust nor as an error, and are named",
    async () => {
      const cwd = await project("shared-itself");
      await chmod(cwd, 0o1777);
      await writeFile(join(cwd, ".granary/settings.json"), '{ "python.memoryLimitMb": 500 }');
      const load = () => loadSettings({ cwd, env: {}, home: places.home, trust: true });
      expect(await load()).toMatchObject({ values: { python: { memoryLimitMb: 500 } }, ofStrangers: [] });
      await writeFile(join(cwd, ".granary/settings.json"), "damaged");
      await chown(join(cwd, ".granary/settings.json"), 65534, 65534);
      expect(await load()).toMatchObject({
        values: { python: { memoryLimitMb: 0 } },
        ofStrangers: [".granary/settings.json"],
      });
      await chmod(cwd, 0o755);
      await expect(load()).rejects.toMatchObject({ code: "settings" });
    },
  );

  test.skipIf(process.getuid?.() !== 0)(
    "those of the owner of a mounted folder stay, also where code of root opens it for all",
    async () => {
      const cwd = await project("mounted");
      await writeFile(join(cwd, ".granary/settings.json"), '{ "python.memoryLimitMb": 500 }');
      for (const path of [cwd, join(cwd, ".granary"), join(cwd, ".granary/settings.json")])
        await chown(path, 4711, 4711);
      await chmod(cwd, 0o777);
      const { values } = await loadSettings({ cwd, env: {}, home: places.home });
      expect(values.python.memoryLimitMb).toBe(500);
      expect((await loadIn(join(cwd, "notebooks"), cwd)).limits[1]).toBe(500);
    },
  );

  test.each([".hg", ".jj", ".svn", ".sl", ".bzr", ".pijul", "_darcs", ".fslckout"])(
    "in a repository whose root has %s",
    async (mark) => {
      const root = await project(`with${mark}`);
      await mkdir(join(root, mark));
      expect((await loadIn(join(root, "notebooks"))).limits).toEqual(["workspace", 500]);
    },
  );

  test("those of the folder that a command was typed in, without a repository", async () => {
    const top = await project("plain");
    expect((await loadIn(join(top, "notebooks"), top)).limits).toEqual(["workspace", 500]);
    expect((await loadIn(join(top, "notebooks"))).limits).toEqual(["off", 0]);
  });

  test("the folder itself limits further, and takes nothing back", async () => {
    const top = await project("strict");
    const inner = join(top, "notebooks");
    await mkdir(join(inner, ".granary"));
    const own = { "python.sandbox": "off", "python.memoryLimitMb": 100 };
    await writeFile(join(inner, ".granary/settings.json"), JSON.stringify(own));
    expect((await loadIn(inner, top)).limits).toEqual(["workspace", 100]);
  });
});

describe("a project may not decide for the person who opens it", () => {
  test.each([
    ["projectModules", true, "a folder that you do not trust must not turn itself on"],
    ["ipcTrace", "/etc/passwd", "the log could overwrite any of your files"],
  ])("python.%s", async (key, value, reason) => {
    expect(await places.complaint({ project: { python: { [key]: value } } })).toBe(
      `PROJECT/.granary/settings.json:3:5: python.${key} cannot be set by a project: ${reason}. ` +
        "It belongs into HOME/settings.json.",
    );
    expect((await places.load({ user: { python: { [key]: value } } })).values.python).toMatchObject({ [key]: value });
  });

  test.each([
    ["maxMegabytes", "all your folders share the space, so it would delete artifacts of the others"],
    ["keepDays", "it would delete artifacts of your other folders"],
  ])("artifacts.%s", async (key, reason) => {
    const artifacts = { [key]: 1 };
    expect(await places.complaint({ project: { artifacts } })).toContain(
      `artifacts.${key} cannot be set by a project: ${reason}.`,
    );
    expect((await places.load({ user: { artifacts } })).values.artifacts).toMatchObject(artifacts);
  });

  test("in the home folder, where the project's file is the user's, nothing is refused", async () => {
    await using places = await Places.create();
    await places.load({ user: { "python.projectModules": false } });
    const own = { env: {}, home: places.home };
    const { values, origins } = await loadSettings({ ...own, cwd: join(places.home, "..") });
    expect(values.python.projectModules).toBe(false);
    expect(origins["python.projectModules"]).toEqual({ from: "user-file", path: places.userFile });

    const link = join(places.root, "link");
    await symlink(join(places.home, ".."), link);
    expect((await loadSettings({ ...own, cwd: link })).values.python.projectModules).toBe(false);
  });
});

describe("a token is not sent to an address that a project chose", () => {
  const project = { "python.gatewayUrl": "https://stranger.example" };

  test.each([
    ["the environment", { env: { PI_PYTHON_GATEWAY_TOKEN: "s3cret" } }, "PI_PYTHON_GATEWAY_TOKEN"],
    ["the user's file", { user: { "python.gatewayToken": "s3cret" } }, "HOME/settings.json"],
    ["the caller", { overrides: { python: { gatewayToken: "s3cret" } } }, "call options"],
  ])("from %s", async (_where, token, origin) => {
    expect(await places.complaint({ project, ...token })).toBe(
      `PROJECT/.granary/settings.json sets python.gatewayUrl, but python.gatewayToken comes from ${origin}: your token ` +
        "would be sent to an address that came with this folder. If you trust it, set PI_PYTHON_GATEWAY_URL to that " +
        "address yourself; if it needs no token, set PI_PYTHON_GATEWAY_TOKEN to nothing.",
    );
  });

  test("unless another source has chosen the same address, or has removed the token", async () => {
    const user = { "python.gatewayToken": "s3cret" };
    const trusted = await places.load({ project, user, env: { PI_PYTHON_GATEWAY_URL: "https://stranger.example" } });
    expect(trusted.values.python.gatewayToken).toBe("s3cret");
    const withoutToken = await places.load({ project, user, env: { PI_PYTHON_GATEWAY_TOKEN: "" } });
    expect(withoutToken.values.python).toMatchObject({ gatewayUrl: "https://stranger.example", gatewayToken: null });
  });

  test("a project may bring both, or declare that there is no gateway", async () => {
    const both = { python: { gatewayUrl: "http://127.0.0.1:1", gatewayToken: "theirs" } };
    expect((await places.load({ project: both })).values.python).toMatchObject(both.python);
    const none = { project: { "python.gatewayUrl": null }, env: { PI_PYTHON_GATEWAY_TOKEN: "s3cret" } };
    expect((await places.load(none)).values.python.gatewayUrl).toBe(null);
  });
});

describe("a project that is not trusted does not replace where the user runs Python", () => {
  const refused = async (given: Parameters<typeof places.load>[0]) =>
    (await places.load({ ...given, trust: false })).leftOut;

  test.each(["python.interpreter", "python.gatewayUrl", "python.kernel"] as const)("by %s: null", async (name) => {
    const project = { [name]: null };
    const own = name === "python.gatewayUrl" ? "https://own.example" : "own";
    expect(await refused({ project, user: { [name]: own } })).toEqual([name]);
    const { values } = await places.load({ project, user: { [name]: own }, trust: false });
    expect(Object.values(values.python)).toContain(own);
    expect(await refused({ project })).toEqual([]);
    expect(await refused({ project, user: { [name]: null } })).toEqual([]);
  });

  test("by python.backend", async () => {
    const project = { "python.backend": "runner" };
    const gateway = "https://own.example";
    for (const user of [
      { "python.backend": "zmq" },
      { "python.gatewayUrl": gateway },
      { "python.kernel": "own" },
      { "python.launcher": ["box"] },
      { "python.interpreter": "/own/python" },
    ]) {
      expect(await refused({ project, user })).toEqual(["python.backend"]);
    }
    for (const env of [{ GRANARY_PYTHON_KERNEL: "own" }, { JUPYTER_GATEWAY_URL: gateway }]) {
      expect(await refused({ project, env })).toEqual(["python.backend"]);
    }
    expect(await refused({ project, overrides: { python: { gatewayUrl: gateway } } })).toEqual(["python.backend"]);
    const { values } = await places.load({ project, user: { "python.gatewayUrl": gateway }, trust: false });
    expect(values.python.backend).toBe("auto");
  });

  test("but chooses the backend where the user has chosen nothing, or a stronger source decides", async () => {
    const project = { "python.backend": "zmq" };
    for (const user of [{}, { "python.backend": "auto", "python.launcher": [] }, { "python.warm": false }]) {
      expect((await places.load({ project, user, trust: false })).values.python.backend).toBe("zmq");
    }
    expect(await refused({ project, overrides: { python: { backend: "runner" } } })).toEqual([]);
    expect(await refused({ project, overrides: { python: { interpreter: "python3" } } })).toEqual([]);
    const trusted = await places.load({ project, user: { "python.interpreter": "own" } });
    expect(trusted.values.python.backend).toBe("zmq");
  });
});

describe("a project can only tighten", () => {
  test("its sandbox and limits, against the user's", async () => {
    const loose = { "python.sandbox": "off", "python.sandboxNetwork": "on", "python.memoryLimitMb": 0 } as const;
    const strict = { "python.sandbox": "strict", "python.sandboxNetwork": "off", "python.memoryLimitMb": 512 } as const;
    const wanted = { sandbox: "strict", sandboxNetwork: "off", memoryLimitMb: 512 };
    expect((await places.load({ project: loose, user: strict })).values.python).toMatchObject(wanted);
    expect((await places.load({ project: strict, user: loose })).values.python).toMatchObject(wanted);
    expect((await places.load({ project: strict })).values.python).toMatchObject(wanted);
    const own = { ...loose, "python.sandbox": "workspace" } as const;
    expect((await places.load({ project: own })).values.python.sandboxNetwork).toBe("off");
  });

  test.each<[name: SettingName, loose: unknown, tight: unknown]>([
    ["python.toolMode", "both", "bash-only"],
    ["python.toolMode", "both", "ipy-only"],
    ["python.sharedGateway", true, false],
    ["python.hardLimitSeconds", 0, 60],
    ["python.hardLimitSeconds", 90, 60],
    ["hub.use", "auto", "never"],
  ])("%s from %s to %s, and not back", async (name, loose, tight) => {
    const decided = async (project: unknown, user?: unknown) => {
      const given = { project: { [name]: project }, ...(user === undefined ? {} : { user: { [name]: user } }) };
      return describeSettings(await places.load(given)).find((one) => one.name === name)?.value;
    };
    expect(await decided(loose, tight)).toBe(tight);
    expect(await decided(tight, loose)).toBe(tight);
    expect(await decided(tight)).toBe(tight);
  });

  test("no tool to another: what the user has taken away stays away", async () => {
    const given = { project: { "python.toolMode": "bash-only" }, user: { "python.toolMode": "ipy-only" } };
    expect((await places.load(given)).values.python.toolMode).toBe("ipy-only");
  });

  test("nor can a lower limit of the caller loosen a sandbox, from whichever source", async () => {
    const overrides = { python: { sandbox: "at-least-workspace" } } as const;
    const sandbox = async (given: object) => (await places.load({ ...given, overrides })).values.python.sandbox;
    const off = { "python.sandbox": "off" };
    const strict = { "python.sandbox": "strict" };
    expect(await sandbox({})).toBe("workspace");
    expect(await sandbox({ user: off })).toBe("workspace");
    for (const given of [
      { user: strict },
      { project: strict },
      { env: { GRANARY_PYTHON_SANDBOX: "strict" } },
      { defaults: strict },
    ])
      expect(await sandbox(given)).toBe("strict");
    expect(await sandbox({ user: strict, env: { GRANARY_PYTHON_SANDBOX: "off" } })).toBe("workspace");
    const { origins } = await places.load({ user: strict, overrides });
    expect(origins["python.sandbox"]).toEqual({ from: "user-file", path: places.userFile });
  });

  test("its hosts, to those that the user allows as well", async () => {
    const both = async (project: unknown, user: unknown) => {
      const given = { project: { "python.sandboxNetwork": project }, user: { "python.sandboxNetwork": user } };
      return (await places.load(given)).values.python.sandboxNetwork;
    };
    expect(await both(["a.org", "x.b.org", "*.c.org"], ["a.org", "*.b.org"])).toEqual(["a.org", "x.b.org"]);
    expect(await both(["*.b.org"], ["x.b.org"])).toEqual(["x.b.org"]);
    expect(await both(["a.org"], "on")).toEqual(["a.org"]);
    expect(await both("on", ["a.org"])).toEqual(["a.org"]);
    expect(await both(["a.org"], "off")).toBe("off");
    expect(await both(["a.org"], ["b.org"])).toBe("off");
  });

  test.each(["https://pypi.org", "pypi.org/simple", "*", "*.*.org", "a b", "-a.org", "user@host", ""])(
    "%s is no host",
    async (host) => {
      const complaint = await places.complaint({ user: { "python.sandboxNetwork": [host] } });
      expect(complaint).toContain('but takes "off", "on", or a list of hosts');
    },
  );

  test.each(["python.launcher", "python.sandboxWrite", "python.sandboxEngine"])(
    "%s is not for projects",
    async (name) => {
      const project = { [name]: name === "python.sandboxEngine" ? "landlock" : ["/"] };
      expect(await places.complaint({ project })).toContain(`${name} cannot be set by a project`);
    },
  );
});

describe("the head is a part of the budget", () => {
  test("a head that is larger is an error that names both", async () => {
    const given = { user: { "output.headBytes": 5000 }, env: { GRANARY_OUTPUT_BUDGET_BYTES: "4000" } };
    expect(await places.complaint(given)).toBe(
      "output.headBytes is 5000 (HOME/settings.json), but is a part of output.budgetBytes, which is 4000 " +
        "(GRANARY_OUTPUT_BUDGET_BYTES). Lower the first or raise the second.",
    );
  });

  test("another budget alone implies a head of 40 % of it", async () => {
    const { values } = await places.load({ overrides: { output: { budgetBytes: 10_000 } } });
    expect(values.output.headBytes).toBe(4000);
    const larger = await places.load({ overrides: { output: { budgetBytes: 1_000_000 } } });
    expect(larger.values.output.headBytes).toBe(400_000);
  });
});

describe("paths", () => {
  test.each([
    ["~/trace.log", "/users/ada/trace.log"],
    ["trace.log", "PROJECT/trace.log"],
    ["/var/trace.log", "/var/trace.log"],
  ])("a trace into %s is a trace into %s", async (written, meant) => {
    const env = { HOME: "/users/ada", PI_PYTHON_IPC_TRACE: written };
    expect((await places.load({ env })).values.python.ipcTrace).toBe(meant.replace("PROJECT", places.cwd));
  });

  test("the problem with an unreadable file is reported", async () => {
    await using places = await Places.create();
    await mkdir(places.userFile, { recursive: true });
    const loading = loadSettings({ cwd: places.cwd, env: {}, home: places.home });
    await expect(loading).rejects.toMatchObject({ code: "settings", details: { origin: { path: places.userFile } } });
    await expect(loading).rejects.toThrow(
      /settings\.json cannot be read: it is a folder, not a file\. Make it a readable file, or remove it/,
    );
  });

  test("a missing folder has no settings", async () => {
    const { values } = await loadSettings({ cwd: "/nowhere/at/all", env: {}, home: "/dev/null/home" });
    expect(values.python.maxSessions).toBe(4);
  });
});
