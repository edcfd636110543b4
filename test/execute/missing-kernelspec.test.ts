import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { environment } from "../environment/pythons.ts";
import { folder, notebookFile, runtime } from "./notebook-runs.ts";

const named = (name: string) => ({ kernelspec: { name, display_name: "Mine", language: "python" } });

describe("a notebook that names a kernel", () => {
  test("which is not installed still runs, with a notice that names the Python; the name stays", async () => {
    await using granary = await runtime();
    const path = notebookFile(["6 * 7"], named("no-such-kernel"));
    const run = await runNotebook(granary.session(), path);
    expect(run.status).toBe("ok");
    const { version, executable } = run.kernel ?? {};
    expect(run.notices).toEqual([
      `The notebook names the kernel "no-such-kernel", which is not installed here. Python ${version} (${executable}) ran it instead.`,
    ]);
    expect(JSON.parse(readFileSync(path, "utf8")).metadata.kernelspec).toEqual(named("no-such-kernel").kernelspec);
  });

  test.each(["python3", "python"])("%s means any Python", async (name) => {
    await using granary = await runtime();
    const run = await runNotebook(granary.session(), notebookFile(["1"], named(name)));
    expect(run.notices).toEqual([]);
  });

  test("which is installed for the user is not reported", async () => {
    const kernel = join(folder, "jupyter", "kernels", "mine");
    mkdirSync(kernel, { recursive: true });
    writeFileSync(join(kernel, "kernel.json"), JSON.stringify({ argv: ["python3"], display_name: "Mine" }));
    vi.stubEnv("JUPYTER_PATH", join(folder, "jupyter"));
    await using granary = await runtime();
    const run = await runNotebook(granary.session(), notebookFile(["1"], named("Mine")));
    vi.unstubAllEnvs();
    expect(run.notices).toEqual([]);
  });

  test("of which no cell was run is not reported: nothing ran instead", async () => {
    await using granary = await runtime();
    const run = await runNotebook(granary.session(), notebookFile([""], named("no-such-kernel")));
    expect(run.notices).toEqual([]);
  });

  const main = environment("main");
  test.skipIf("missing" in main)("which is not installed is reported on a Jupyter kernel as well", async () => {
    const python = (main as { python: string }).python;
    await using granary = await runtime({ python, settings: { python: { backend: "zmq" } } });
    const run = await runNotebook(granary.session(), notebookFile(["1"], named("no-such-kernel")));
    expect(run.notices).toEqual([expect.stringContaining('names the kernel "no-such-kernel"')]);
  });
});
