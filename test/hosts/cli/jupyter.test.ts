import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { describeWithJupyter } from "../../kernel/gateway/jupyter-python.ts";
import { until } from "../../kernel/until.ts";
import { granary, granaryHome, granaryJson, testFolder } from "./granary.ts";

const ofGateway = { GRANARY_PYTHON_START_SECONDS: "60" };

describeWithJupyter("granary run", (python) => {
  afterAll(() => granary(["gateway", "stop"]));

  test("--backend zmq runs cells on a Jupyter kernel, with the same features as elsewhere", async () => {
    const { document } = await granaryJson([
      "run",
      "--python",
      python,
      "--backend",
      "zmq",
      "-c",
      "x = 6",
      "-c",
      "x * 7",
    ]);
    expect(document).toMatchObject({ status: "ok", cells: [{}, { output: "42\n" }], kernel: { backend: "zmq" } });
  });

  test("--session resumes in the next command on the shared gateway, and --reset starts fresh", async () => {
    const args = ["run", "--python", python, "--backend", "gateway", "--session", "etl", "-c"];
    const count = "n = globals().get('n', 0) + 1; n";
    const run = (...more: readonly string[]) => granary([...args, count, ...more], { env: ofGateway });
    expect(await run()).toMatchObject({
      stdout: "1\n",
      stderr: "granary: The session etl is new; its variables stay for 5 minutes after this command.\n",
    });
    expect(await run()).toMatchObject({ stdout: "2\n", stderr: "granary: Resumed the session etl.\n" });
    expect(await run("--reset")).toMatchObject({ stdout: "1\n" });
    const { stdout } = await granary(["gateway"]);
    expect(stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ \(process \d+, 1 kernel, \d+ seconds? old\)\n {2}Python {2}\S+\n/,
    );
    expect(stdout).toContain(`log     ${granaryHome}`);
    const status = JSON.parse((await granary(["gateway", "status", "--json"])).stdout);
    expect(status.gateways).toEqual([expect.objectContaining({ interpreter: python, healthy: true, kernels: 1 })]);
    expect(JSON.stringify(status)).not.toContain("token");
    const doctor = await granary(["doctor"], { env: { GRANARY_PYTHON_INTERPRETER: python } });
    expect(doctor.stdout).toMatch(/gateway\s+http:\/\/127\.0\.0\.1:\d+ \(process/);
    expect((await granary(["gateway", "stop"])).stdout).toBe("Stopped the gateway and its kernels.\n");
    expect((await granary(["gateway"])).stdout).toContain("No gateway runs.");
    expect((await granary(["gateway", "stop"])).stdout).toBe("No gateway was running.\n");
  });

  test("--attach runs in an existing kernel, changes nothing in it, and leaves it running", async () => {
    const file = join(testFolder, "kernel.json");
    const theirs: ChildProcess = spawn(python, ["-m", "ipykernel_launcher", "-f", file], { stdio: "ignore" });
    try {
      await until("the kernel has written its connection file", () => existsSync(file));
      const attached = ["run", "--attach", file, "-c"];
      expect(await granary([...attached, "answer = 42"])).toMatchObject({ exitCode: 0, stderr: "" });
      expect(await granary([...attached, "answer"])).toMatchObject({ stdout: "42\n" });
      expect(await granary([...attached, "'read_file' in dir(__builtins__)"])).toMatchObject({ stdout: "False\n" });
      expect(theirs.exitCode).toBeNull();
    } finally {
      theirs.kill();
    }
  });

  test("--kernel with an unknown kernel lists the known ones", async () => {
    const { stderr, exitCode } = await granary(["run", "--python", python, "--kernel", "cobol", "-c", "1"]);
    expect(stderr).toMatch(/There is no kernel called cobol\. There are: .*python3.*Install it with its own installer/);
    expect(exitCode).toBe(3);
  });
});

const found = environment("ipykernel6");
const bash = "missing" in found ? "" : found.python;

describe.skipIf(bash === "")("a kernel of another language", () => {
  // bash_kernel is installed without its kernelspec.
  const spec = { argv: [bash, "-m", "bash_kernel", "-f", "{connection_file}"], language: "bash", display_name: "Bash" };

  test("runs cells, and gets no Python code", async () => {
    const folder = join(testFolder, "jupyter", "kernels", "bash");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "kernel.json"), JSON.stringify(spec));
    const cells = ["-c", "x=6", "-c", "echo $((x * 7))", "-c", "false"];
    const args = ["run", "--python", bash, "--kernel", "bash", ...cells];
    const { document } = await granaryJson(args, { env: { JUPYTER_PATH: join(testFolder, "jupyter") } });
    expect(document.cells.map(({ status, output }) => ({ status, output }))).toEqual([
      { status: "ok", output: "" },
      { status: "ok", output: "42\n" },
      { status: "error", output: expect.any(String) },
    ]);
  });
});

describe("impossible combinations are reported before anything starts", () => {
  test.each<[args: readonly string[], answer: string, exitCode: number]>([
    [["run", "--backend", "jupyter", "-c", "1"], '--backend takes auto, runner, zmq, gateway; got "jupyter".', 2],
    [
      ["run", "--attach", "kernel.json", "--reset", "-c", "1"],
      "--attach joins a kernel as it is, so --reset cannot be given with it.",
      2,
    ],
    [["gateway", "restart"], "granary gateway takes status or stop, but got restart.", 2],
    [
      ["run", "--backend", "runner", "--kernel", "ir", "-c", "1"],
      "The embedded runner has no kernel ir: it runs Python. Set python.backend to zmq or gateway, or leave out the kernel.",
      3,
    ],
  ])("granary %j", async (args, answer, exitCode) => {
    expect(await granary(args)).toMatchObject({ stderr: `granary: ${answer}\n`, exitCode });
  });

  test("python.sharedGateway=false refuses the shared gateway, with the documented sentence", async () => {
    const env = { GRANARY_PYTHON_SHARED_GATEWAY: "false" };
    const { stderr, exitCode } = await granary(["run", "--backend", "gateway", "-c", "1"], { env });
    expect(stderr).toBe(
      "granary: Shared Python gateway required; local gateways are disabled. " +
        "Set python.sharedGateway to true, or choose another python.backend.\n",
    );
    expect(exitCode).toBe(3);
  });
});
