import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { launchChromium } from "../../test/hosts/page/chromium.mjs";
import { inRepository } from "../repository.mjs";
import { Film } from "./film.mjs";
import { FilmedAgent } from "./filmed-agent.mjs";

const size = { columns: 52, rows: 25, widths: /** @type {const} */ ([465, 470]), height: 500 };

const sales = "month,region,total\n1,north,12\n1,south,30\n2,north,18\n2,south,24\n3,north,27\n3,south,21\n";

/**
 * An agent that calls `granary mcp` on the left, the page on the right: both real.
 * @param {string} python with pandas and matplotlib
 * @param {string} browserPackages
 */
export async function takeFilm(python, browserPackages) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-film-")));
  const home = join(folder, "home");
  const project = join(folder, "shop");
  for (const each of [home, project]) mkdirSync(each);
  const program = join(folder, "granary");
  symlinkSync(inRepository("bin/granary"), program);
  writeFileSync(join(project, "sales.csv"), sales);
  const env = {
    PATH: `${folder}:${dirname(python)}:${dirname(process.execPath)}:/usr/bin:/bin`,
    ...{ HOME: home, LANG: "C.UTF-8", MPLCONFIGDIR: home },
  };
  const granary = (/** @type {string[]} */ ...args) =>
    execFileSync(program, args, { cwd: project, env, encoding: "utf8" });
  // The page shows a client by the name of its process.
  process.title = "agent";
  const agent = new FilmedAgent(size);
  const browser = await launchChromium(browserPackages);
  try {
    // Fonts and libraries are in the caches before the film.
    granary("run", "-c", "import matplotlib.pyplot, pandas");
    await agent.connect({ command: program, args: ["mcp"], cwd: project, env });
    const [width, height] = [size.widths[1], size.height];
    const tab = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2, colorScheme: "light" });
    const { address } = JSON.parse(granary("page", "--no-open", "--json"));
    await tab.goto(address);
    const scene = new Scene(agent, tab, (text) => text.replaceAll(project, "~/shop"));
    await play(scene);
    return scene.film.svg(
      "An agent loads data, plots it and drops rows; a person sees its cells on the page, undoes one and runs another; the next result of the agent reports both",
    );
  } finally {
    await agent.close();
    await browser.close();
    granary("hub", "stop", "--force");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Scene} scene */
async function play(scene) {
  await scene.agentRuns('import pandas as pd\ndf = pd.read_csv("sales.csv")\ndf.head(3)', "td:has-text('north')");
  await scene.agentRuns(
    'months = df.groupby("month").total.sum()\nmonths.plot.bar(figsize=(5, 2), rot=0);',
    ".cell img",
  );
  await scene.agentRuns("df = df[df.total > 20]\nlen(df)", ".cell:has-text('len(df)')");
  await scene.personClicks("button:has-text('Undo')", ".states li");
  await scene.personClicks("button:has-text('Undo the last cell')", "text=Undid the last cell");
  await scene.personRuns("round(df.total.mean())", ".cell:has-text('mean()')");
  await scene.agentRuns("len(df)", ".cell:has-text('[4]')");
  scene.film.hold(1.5);
}

/** For the browser. */
const toWebp = `async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.9);
}`;

/** Both parts of the film, and what happens in them. */
class Scene {
  film = new Film({ titles: ["an agent, over MCP", "you: granary page"], widths: size.widths, height: size.height });
  #agent;
  #tab;
  /** @type {any} */
  #converter = null;
  #withoutPlaces;

  /**
   * @param {FilmedAgent} agent
   * @param {any} tab
   * @param {(text: string) => string} withoutPlaces
   */
  constructor(agent, tab, withoutPlaces) {
    this.#agent = agent;
    this.#tab = tab;
    this.#withoutPlaces = withoutPlaces;
  }

  /**
   * @param {string} code
   * @param {string} shows a selector of the page
   */
  async agentRuns(code, shows) {
    await this.#agent.showCall(code);
    await this.#take();
    this.film.hold(0.7);
    await this.#agent.call(code);
    if (await this.#tab.isVisible(".session-row")) await this.#tab.click(".session-row");
    await this.#tab.waitForSelector(shows);
    await this.#tab.waitForTimeout(300);
    const toTheEnd = this.#tab.locator("button:has-text('To the end')");
    if (await toTheEnd.isVisible()) await toTheEnd.click();
    await this.#take();
    this.film.hold(1.2);
  }

  /**
   * @param {string} selector
   * @param {string} shows
   */
  async personClicks(selector, shows) {
    const button = this.#tab.locator(selector).first();
    await button.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await button.boundingBox();
    const pointer = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    await this.#take(pointer);
    this.film.hold(0.4);
    await button.click();
    await this.#tab.waitForSelector(shows);
    await this.#take(pointer);
    this.film.hold(0.8);
  }

  /**
   * @param {string} code
   * @param {string} shows
   */
  async personRuns(code, shows) {
    await this.#tab.click("button:has-text('To the end')");
    await this.#tab.click(".composer .editor");
    await this.#tab.waitForSelector(".composer .cm-content");
    await this.#tab.keyboard.type(code);
    await this.#take();
    this.film.hold(0.9);
    await this.#tab.keyboard.press("Shift+Enter");
    await this.#tab.waitForSelector(shows);
    await this.#take();
    this.film.hold(1);
  }

  /**
   * A quarter of the size of a PNG. In a tab of its own: the page's policy lets no script look at a picture.
   * @param {Buffer} png
   * @returns {Promise<string>} the picture's address
   */
  async #asWebp(png) {
    this.#converter ??= await this.#tab.context().browser().newPage();
    const address = `data:image/png;base64,${png.toString("base64")}`;
    return this.#converter.evaluate(`(${toWebp})(${JSON.stringify(address)})`);
  }

  /** @param {{ x: number, y: number } | null} pointer */
  async #take(pointer = null) {
    await this.#tab.waitForTimeout(400);
    await this.#tab.evaluate(`for (const node of document.querySelectorAll(".folder")) node.textContent = "~/shop"`);
    this.film.showTerminal(this.#agent.screen.terminal, this.#withoutPlaces);
    this.film.showPage(await this.#asWebp(await this.#tab.screenshot()), pointer);
  }
}
