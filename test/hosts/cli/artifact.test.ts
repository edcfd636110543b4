import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { artifactOptions } from "../../../src/hosts/cli/artifact/artifact-arguments.ts";
import { main } from "../../../src/hosts/cli/main.ts";
import { openArtifactStore } from "../../../src/output/artifacts/artifact-store.ts";
import { type Finished, granary, granaryHome, RunningGranary, testFolder } from "./granary.ts";
import { granaryInTerminal } from "./terminal.ts";

const root = join(granaryHome, "artifacts");
const store = openArtifactStore({ root, session: "agent-1", maxBytes: 100_000_000, keepDays: 7 });
const text = "one\ntwo Traceback\nthree\nfour TRACEBACK\nfive\n";
const picture = Buffer.from("89504e470d0a1a0a00ff0a", "hex");
const long = "all work and no play\n".repeat(200_000);

/** The command in this process, which is faster than the program; some tests below need the program itself. */
async function artifact(...args: readonly string[]): Promise<Finished> {
  const [stdout, stderr] = [new Written(), new Written()];
  const exitCode = await main(["artifact", ...args], {
    env: { GRANARY_HOME: granaryHome },
    cwd: testFolder,
    stdin: Readable.from([]),
    stdout,
    stderr,
    isTerminal: () => false,
    onSignal: () => () => undefined,
    exit: () => undefined,
    loadBackend: () => expect.fail("An artifact is read without Python."),
  });
  return { stdout: stdout.text, stderr: stderr.text, exitCode };
}

class Written extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

beforeAll(async () => {
  await store.save(text, "txt");
  await store.save(picture, "png");
  await store.save(long, "txt");
  await store.save('{"a": "\\u001b[31m\u001b[31mred\u001b[0m"}\r\n', "json");
});

describe("granary artifact shows", () => {
  test.each([["agent-1-1"], ["artifact://agent-1-1"]])("all of %s", async (address) => {
    expect(await granary(["artifact", address])).toEqual({ stdout: text, stderr: "", exitCode: 0 });
  });

  test.each([
    [["--lines", "2-3"], "two Traceback\nthree\n"],
    [["--lines", "1,4-"], "one\nfour TRACEBACK\nfive\n"],
    [["--lines", "-1"], "five\n"],
    [["--lines=-2"], "four TRACEBACK\nfive\n"],
    [["--bytes", "0-2,-5"], "onefive\n"],
    [["--grep", "Traceback"], "2:two Traceback\n"],
    [["--grep", "traceback", "-i"], "2:two Traceback\n4:four TRACEBACK\n"],
    [["--grep", "^t.*e$", "-E"], "3:three\n"],
    [["--grep", "[", "-i"], ""],
    [["--grep", "e", "--lines", "-2"], "5:five\n"],
    [["--path"], `${join(root, "agent-1", "agent-1-1.txt")}\n`],
  ])("with %j a part of it", async (options, expected) => {
    const exitCode = expected === "" ? 1 : 0;
    expect(await artifact("agent-1-1", ...options)).toEqual({ stdout: expected, stderr: "", exitCode });
  });

  test("a picture byte for byte, in a pipe", async () => {
    const run = new RunningGranary(["artifact", "agent-1-2"]);
    const chunks: Buffer[] = [];
    run.process.stdout?.setEncoding("latin1").on("data", (chunk: string) => chunks.push(Buffer.from(chunk, "latin1")));
    expect((await run.finished).exitCode).toBe(0);
    expect(Buffer.concat(chunks)).toEqual(picture);
  });

  test("a picture's path on a terminal", async () => {
    const { screen, exitCode } = await granaryInTerminal(["artifact", "agent-1-2"]);
    expect(screen).toBe(`agent-1-2 is not text but png, in this file:\n${join(root, "agent-1", "agent-1-2.png")}\n`);
    expect(exitCode).toBe(0);
  });

  test("no control sequences on a terminal", async () => {
    const { screen } = await granaryInTerminal(["artifact", "agent-1-4"]);
    expect(screen).toBe('{"a": "\\u001b[31m␛[31mred␛[0m"}\n');
    expect((await artifact("agent-1-4")).stdout).toContain("\u001b[31mred");
  });

  test("one that is still being written, and says so", async () => {
    const growing = store.open();
    await growing.write("so far\n");
    await growing.restart();
    await growing.write("x".repeat(70_000));
    await growing.write("y".repeat(70_000));
    const { stdout, stderr, exitCode } = await artifact(growing.id);
    await growing.close();
    expect(stdout.slice(0, 70_000)).toBe("x".repeat(70_000));
    expect(stderr).toBe(`granary: ${growing.id} is still being written; this is the part written so far.\n`);
    expect(exitCode).toBe(0);
  });

  test("artifacts of another folder", async () => {
    const folder = join(testFolder, "of-a-host");
    const own = openArtifactStore({ root, session: "s", folder, maxBytes: 1000, keepDays: 7 });
    await own.save("here", "txt");
    expect((await artifact("s-1", "--folder", "of-a-host")).stdout).toBe("here");
  });

  test("as much as its reader takes, and ends quietly when the reader has gone", async () => {
    const run = new RunningGranary(["artifact", "agent-1-3"]);
    const { stdout } = run.process;
    // At once: on a busy machine, all of it may have been read a moment later.
    stdout?.once("data", () => stdout.destroy());
    const { stderr, exitCode } = await run.finished;
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 141 });
  });
});

describe("granary artifact --list", () => {
  const listed = async (...args: string[]) => (await artifact("--list", ...args)).stdout;

  test("has a line for each, newest first", async () => {
    const list = await listed();
    expect(list).toMatch(/^agent-1-1 {2}.* {2}44 bytes +txt$/m);
    expect(list).toMatch(/^agent-1-2 {2}.* {2}11 bytes +png$/m);
    expect(list.indexOf("agent-1-4")).toBeLessThan(list.indexOf("agent-1-1"));
  });

  test("is a JSON document for programs", async () => {
    const { artifacts } = JSON.parse(await listed("--json"));
    const picture = artifacts.find(({ id }: { id: string }) => id === "agent-1-2");
    expect(picture).toEqual({
      id: "agent-1-2",
      address: "artifact://agent-1-2",
      kind: "png",
      bytes: 11,
      writtenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      state: "whole",
      path: join(root, "agent-1", "agent-1-2.png"),
    });
    expect(await readFile(picture.path)).toEqual(expect.objectContaining({ length: 11 }));
  });

  test("says when there are none", async () => {
    const { stdout, stderr, exitCode } = await artifact("--list", "--folder", "nowhere");
    expect(stdout).toBe("");
    expect(stderr).toBe(`There are no artifacts in ${join(testFolder, "nowhere")}.\n`);
    expect(exitCode).toBe(0);
  });
});

describe("granary artifact answers with exit code 1 when there is nothing to show", () => {
  test.each([
    [["agent-1-99"], /^granary: There is no artifact agent-1-99 in .*artifacts\. Similar ones: agent-1-.*\n$/],
    [["agent-1-1", "--lines", "9-"], /^granary: agent-1-1 has no such lines: it has 5 lines\.\n$/],
    [["agent-1-1", "--bytes", "44-"], /^granary: agent-1-1 has no such bytes: it has 44 bytes\.\n$/],
    [["agent-1-1", "--grep", "six"], /^$/],
  ])("%j", async (args, answer) => {
    const { stdout, stderr, exitCode } = await artifact(...args);
    expect(stdout).toBe("");
    expect(stderr).toMatch(answer);
    expect(exitCode).toBe(1);
  });
});

describe("a mistake in granary artifact names what would work, and ends with exit code 2", () => {
  const rangesOf = (name: string, first: number, typed: string) =>
    `--${name} takes ranges, counted from ${first}, such as 10-20, 50- or -5 (the last 5), with commas between them; got "${typed}".`;

  test.each([
    [[], "Which artifact? granary artifact --list shows what there is."],
    [["a-1", "b-2"], "granary artifact takes one ID, but got a-1 and b-2."],
    [["--list", "a-1"], "--list shows all artifacts; leave out a-1, or --list."],
    [["a-1", "--json"], "--json goes with --list only."],
    [
      ["../../etc/passwd"],
      '"../../etc/passwd" is not the address of an artifact, which looks like artifact://agent-1-3.',
    ],
    [["a-1", "--lines", "0-3"], rangesOf("lines", 1, "0-3")],
    [["a-1", "--bytes", "9-3"], rangesOf("bytes", 0, "9-3")],
    [
      ["a-1", "--bytes", "1", "--lines", "1"],
      "--bytes cannot be combined with another of these: --lines, --bytes, --grep, --path.",
    ],
    [["a-1", "--regex"], "--regex and --ignore-case go with --grep."],
    [["a-1", "--grep", ""], "--grep needs something to search for."],
    [["a-1", "--gerp", "x"], "Unknown option --gerp. Did you mean --grep?"],
    [["agent-1-2", "--grep", "x"], "agent-1-2 has no lines: it is not text but png. See --path and --bytes."],
  ])("%j", async (args, answer) => {
    expect(await artifact(...args)).toEqual({ stdout: "", stderr: `granary: ${answer}\n`, exitCode: 2 });
  });

  test("an invalid regular expression", async () => {
    const { stderr, exitCode } = await artifact("agent-1-1", "-E", "--grep", "(");
    expect(stderr).toMatch(
      /^granary: --grep: Invalid regular expression: .* Without --regex, it is taken as plain text\.\n$/,
    );
    expect(exitCode).toBe(2);
  });
});

test("granary artifact --help explains every option, within 80 columns", async () => {
  const { stdout, exitCode } = await artifact("--help");
  for (const option of Object.keys(artifactOptions)) expect(stdout).toContain(`--${option}`);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(exitCode).toBe(0);
});
