import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { nodeEnvironment } from "../../environment/nodes.ts";
import { environment } from "../../environment/pythons.ts";
import { notebookOf } from "./notebook-of.ts";
import { openDoor } from "./open-door.ts";

const found = environment("jupyterlab");
const browser = nodeEnvironment("browser");
const python = "python" in found ? found.python : "";
const withJupyter = { PATH: `${dirname(python)}:/usr/bin:/bin`, VIRTUAL_ENV: dirname(dirname(python)) };

describe.skipIf("missing" in found || "missing" in browser)("JupyterLab, with the door as its gateway", () => {
  let lab: ChildProcess | undefined;
  // At once: without its gateway, it would wait for an answer about its kernels.
  afterAll(() => void lab?.kill("SIGKILL"));

  test("opens a notebook, runs it, plots, moves a slider of ipywidgets, and interrupts", {
    timeout: 300_000,
  }, async () => {
    const door = await openDoor({ env: { ...process.env, ...withJupyter } });
    const cells = [
      "print('hello from', 6 * 7)",
      "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2]);",
      "import ipywidgets\n@ipywidgets.interact(rows=(1, 9))\ndef show(rows):\n    print('rows:', rows * 10)",
      "print('begun', flush=True)\nimport time\ntime.sleep(600)",
    ];
    writeFileSync(join(door.folder, "work.ipynb"), JSON.stringify(notebookOf(cells)));
    const gateway = [`--gateway-url=http://127.0.0.1:${door.port}`, `--GatewayClient.auth_token=${door.token}`];
    const server = ["--no-browser", "--allow-root", "--ServerApp.token=lab", "--ServerApp.port=0", "--port-retries=0"];
    lab = spawn(python, ["-m", "jupyterlab", ...gateway, ...server], {
      cwd: door.folder,
      env: { ...process.env, ...withJupyter, HOME: door.folder },
    });
    let said = "";
    lab.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/lab/.exec(said)?.[0];
    // Longer than everything else here takes.
    for (let waited = 0; address() === undefined && waited < 120; waited++) await sleep(1000);
    expect(address(), said).toBeDefined();

    const requireFrom = createRequire(join((browser as { folder: string }).folder, "package.json"));
    const { chromium } = requireFrom("playwright-core");
    const { default: packed } = await import(requireFrom.resolve("@sparticuz/chromium"));
    const chrome = await chromium.launch({ executablePath: await packed.executablePath(), args: packed.args });
    try {
      const page = await chrome.newPage();
      await page.goto(`${address()}/tree/work.ipynb?token=lab`);
      await page.waitForSelector(".jp-NotebookPanel .jp-Cell", { timeout: 120_000 });
      await page.waitForSelector('.jp-Notebook-ExecutionIndicator[data-status="idle"]', { timeout: 60_000 });
      // The indicator is idle before there is a kernel, and a cell that is run then is forgotten.
      await page.waitForSelector('text="Granary (Python) | Idle"', { timeout: 60_000 });
      // It offers news, in front of the notebook.
      await page.addStyleTag({ content: ".Toastify, .jp-toastContainer { display: none }" });
      await page.click(".jp-Notebook .jp-Cell .cm-content >> nth=0");
      for (const wanted of ["text=hello from 42", ".jp-OutputArea img", "text=rows: 50", "text=begun"]) {
        if (wanted === "text=begun") await moveSlider(page);
        await page.keyboard.press("Shift+Enter");
        await page.waitForSelector(`.jp-OutputArea-output >> ${wanted}`, { timeout: 15_000 }).catch(async () => {
          await page.waitForSelector(wanted, { timeout: 5000 });
        });
      }
      await page.click(
        '[data-command="notebook:interrupt-kernel"], jp-button[data-command="notebook:interrupt-kernel"]',
      );
      await page.waitForSelector("text=KeyboardInterrupt", { timeout: 60_000 });
      const picture = await page.getAttribute(".jp-OutputArea img", "src");
      expect(picture).toMatch(/^data:image\/png;base64,/);
    } finally {
      await chrome.close();
    }
  });
});

/** The keyboard moves it, Python runs the function, and the Output widget below it shows what that prints. */
async function moveSlider(page: Page): Promise<void> {
  await page.focus(".widget-slider .noUi-handle");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".widget-output >> text=rows: 60", { timeout: 30_000 });
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector(".widget-output >> text=rows: 50", { timeout: 30_000 });
  await page.click(".jp-Notebook .jp-Cell .cm-content >> nth=3");
}

interface Page {
  focus(selector: string): Promise<void>;
  click(selector: string): Promise<void>;
  waitForSelector(selector: string, options: { readonly timeout: number }): Promise<unknown>;
  readonly keyboard: { press(key: string): Promise<void> };
}
