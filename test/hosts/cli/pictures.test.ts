import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { py } from "../../kernel/py.ts";
import { granary, granaryHome, granaryJson, testFolder } from "./granary.ts";

/** The smallest valid PNG: one transparent pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const showPixel = (content = pixel) => `display({"image/png": "${content}", "text/plain": "<pixel>"}, raw=True)`;

const savedPixel = /^\[image\/png 1x1 → .*\]$/;

describe("a picture", () => {
  test("is saved in Granary's own folder, readable only by its owner; the output names the file", async () => {
    const { stdout } = await granary(["run", "-c", showPixel()]);
    const path = /^\[image\/png 1x1 → (.*)\]\n$/.exec(stdout)?.[1] ?? "";
    expect(dirname(path)).toBe(join(granaryHome, "pictures"));
    expect(await readFile(path, "base64")).toBe(pixel);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  test("leaves no file in the folder of the code", async () => {
    const cwd = join(testFolder, "empty");
    await mkdir(cwd);
    const { stdout } = await granary(["run", "--cwd", cwd, "-c", `import os; print(os.getcwd()); ${showPixel()}`]);
    expect(stdout.split("\n")).toEqual([cwd, expect.stringMatching(savedPixel), ""]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test("is a path in the JSON document instead of its bytes", async () => {
    const { document } = await granaryJson(["run", "-c", showPixel()]);
    const [display] = document.cells[0]?.displays ?? [];
    const path = display?.pictures[0]?.path;
    expect(display).toEqual({
      type: "display",
      data: { "text/plain": "<pixel>" },
      metadata: {},
      pictures: [{ type: "image/png", path: expect.stringMatching(/\.png$/), width: 1, height: 1 }],
      leftOut: [],
    });
    expect(document.cells[0]?.output).toBe(`[image/png 1x1 → ${path}]\n`);
  });

  test("shown twice is one file", async () => {
    const { stdout } = await granary(["run", "-c", `${showPixel()}; ${showPixel()}`]);
    const [first, second] = stdout.split("\n");
    expect(first).toMatch(savedPixel);
    expect(first).toBe(second);
  });

  test("that is broken is reported and not saved", async () => {
    const { stdout, exitCode } = await granary(["run", "-c", showPixel("bm90IGEgcGljdHVyZQ==")]);
    expect(stdout).toBe("[image/png: broken picture, not saved]\n");
    expect(exitCode).toBe(0);
  });

  test("with a wrong MIME type is not saved", async () => {
    const { stdout } = await granary(["run", "-c", showPixel().replace("image/png", "image/jpeg")]);
    expect(stdout).toBe("[image/jpeg: broken picture, not saved]\n");
  });

  test("that cannot be saved does not fail the cell", async () => {
    const { stdout, exitCode } = await granary(["run", "-c", showPixel()], { env: { GRANARY_HOME: "/dev/null/home" } });
    expect(stdout).toMatch(/^\[image\/png: could not be saved: .*\]\n$/);
    expect(exitCode).toBe(0);
  });

  const plotting = environment("main");
  test.skipIf("missing" in plotting)("of matplotlib is one, without plt.show()", async () => {
    const python = "python" in plotting ? plotting.python : "";
    const code = py`
      import matplotlib.pyplot as plt
      plt.figure(figsize=(4, 3), dpi=100)
      plt.plot([1, 2, 3]);
    `;
    const { document } = await granaryJson(["run", "-c", code], { env: { VIRTUAL_ENV: dirname(dirname(python)) } });
    const pictures = document.cells.flatMap(({ displays }) => displays.flatMap((display) => display.pictures));
    expect(pictures).toHaveLength(1);
    expect(pictures[0]?.width).toBeGreaterThan(200);
  });
});
