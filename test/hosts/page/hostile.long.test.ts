import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserPage, newTab, noBrowser, oneBrowserForAll, waitUntil } from "./browser.ts";
import { hostileOutputs } from "./hostile.ts";
import { storedCell, writeNotebook } from "./notebook-files.ts";
import { openPage } from "./open-page.ts";

oneBrowserForAll();
const page = await openPage();

/** Another site. A request that reaches it has left the page. */
const reached: string[] = [];
const evil = createServer((request, response) => {
  reached.push(request.url ?? "");
  response.setHeader("Access-Control-Allow-Origin", "*").end("window.top.hacked = 1");
})
  .on("upgrade", (request, socket) => {
    reached.push(request.url ?? "");
    socket.destroy();
  })
  .on("connection", () => void reached.push("a connection"));
evil.listen(0, "127.0.0.1");
await once(evil, "listening");
afterAll(() => void evil.close());
const evilHost = `127.0.0.1:${(evil.address() as AddressInfo).port}`;
const aimed = (what: object): object => JSON.parse(JSON.stringify(what).replaceAll("evil.example", evilHost));

const attack = "<img src=x onerror=top.hacked=1><script>top.hacked=1</script>";
const names = { session: `"><b id=h>${attack}`, client: `<i onclick=hacked=1>${attack}` };
const agent = page.runtime.session(names.session, { owner: "a", label: names.client });
await agent.run({ code: `x = 1 # ${attack}`, title: attack }).result;
const { sessions } = (await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions")).body;
const session = sessions[0]?.id ?? "";

/** Nodes in the page that only foreign markup could have brought, and frames that are not closed. */
const foreign = `(() => {
  const found = [...document.querySelectorAll("script:not([src^='/page/assets/']), style:not([nonce]), base, object, embed, meta[http-equiv], form[action], #h, #l")]
    .filter((node) => !(node.tagName === "STYLE" && node.parentNode === document.head));
  for (const node of document.querySelectorAll("*")) {
    for (const { name, value } of node.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || name === "srcset") found.push(node);
      if ((name === "href" || name === "src") && /^\\s*(?:javascript|vbscript|data:(?!image\\/))/i.test(value)) found.push(node);
    }
  }
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.getAttribute("sandbox") !== "allow-scripts" || frame.getAttribute("src") !== "/page/frame") found.push(frame);
    try { if (frame.contentDocument !== null) found.push(frame); } catch {}
  }
  return found.map((node) => node.outerHTML.slice(0, 200));
})()`;

describe.skipIf(noBrowser !== null)("no output can act on the page", () => {
  let tab: BrowserPage;
  const happened: string[] = [];

  beforeAll(async () => {
    ({ tab } = await newTab());
    tab.on("dialog", (dialog: { type(): string; dismiss(): Promise<void> }) => {
      happened.push(`dialog ${dialog.type()}`);
      void dialog.dismiss();
    });
    tab.on("popup", () => happened.push("popup"));
    tab.on("download", () => happened.push("download"));
    await tab.goto(page.address());
    await tab.waitForSelector(".session-row");
    await tab.evaluate("window.openedAt = location.href");
  });

  /** The page is as it was, and nothing has left it. */
  const expectUnharmed = async (): Promise<void> => {
    // Frames have loaded and had their time.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await tab.evaluate("typeof hacked + typeof window.openedAt + typeof ({}).hacked")).toBe(
      "undefinedstringundefined",
    );
    expect(await tab.evaluate(foreign)).toEqual([]);
    expect(tab.url()).toContain(`127.0.0.1:${page.port}/page#/`);
    expect(await tab.evaluate("document.title")).toMatch(/Granary$/);
    expect(await tab.evaluate("document.querySelectorAll('#content').length")).toBe(1);
    for (const frame of tab.frames().slice(1)) {
      if (!frame.url().endsWith("/page/frame")) continue;
      expect(await frame.evaluate("origin")).toBe("null");
      const storage = "(() => { try { return sessionStorage.length } catch (error) { return error.name } })()";
      expect(await frame.evaluate(storage)).toBe("SecurityError");
    }
    expect(happened).toEqual([]);
    expect(reached).toEqual([]);
  };
  const goTo = async (place: string, selector: string): Promise<void> => {
    await tab.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await tab.waitForSelector(selector);
  };
  const notebookPlace = (name: string): string =>
    `#/notebook/${encodeURIComponent(session)}/${encodeURIComponent(name)}`;

  test("there are at least 50 of them", () => {
    expect(Object.keys(hostileOutputs).length).toBeGreaterThanOrEqual(50);
  });

  test("the check sees what an output would do", async () => {
    await fetch(`http://${evilHost}/reached`);
    expect(reached.splice(0)).toEqual(expect.arrayContaining(["/reached"]));
    await tab.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<a id=h href=\"javascript:1\" onclick=\"1\">x</a>')",
    );
    expect(await tab.evaluate<readonly string[]>(foreign)).not.toEqual([]);
    await tab.evaluate("document.getElementById('h').remove()");
    expect(await tab.evaluate(foreign)).toEqual([]);
  });

  test.each(Object.entries(hostileOutputs))("%s, stored in a notebook", async (title, output) => {
    const name = `${title.replaceAll(/[^\w]+/g, "-")}.ipynb`;
    const after = storedCell("after", "print('after')", {
      outputs: [{ output_type: "stream", name: "stdout", text: "still here" }],
    });
    writeNotebook(page.folder, name, [storedCell("hostile", "1", { outputs: [aimed(output)] }), after]);
    await goTo(notebookPlace(name), "#notebook-cell-hostile .output");
    await tab.waitForSelector("#notebook-cell-after .output:has-text('still here')");
    await expectUnharmed();
  });

  test("all of them, as a session shows them", async () => {
    const shown = Object.values(hostileOutputs).flatMap((output) => ("data" in output ? [aimed(output)] : []));
    await agent.run(
      `import json\nfrom IPython.display import display\nfor each in json.loads(${JSON.stringify(JSON.stringify(shown))}):\n    display(each["data"], metadata=each["metadata"] or None, raw=True)\nprint("all shown")`,
    ).result;
    await goTo(`#/session/${encodeURIComponent(session)}`, ".output:has-text('all shown')");
    await tab.setViewportSize({ width: 1200, height: 9000 });
    await waitUntil(tab, "document.querySelectorAll('iframe').length > 10");
    await expectUnharmed();
    await agent.run(`raise type("<img src=x onerror=top.hacked=1>", (Exception,), {})(${JSON.stringify(attack)})`)
      .result;
    await tab.waitForSelector(".error-title:has-text('onerror')");
    await expectUnharmed();
    await tab.setViewportSize({ width: 1200, height: 800 });
  });

  test("names of sessions, clients, files and cells, sources and metadata", async () => {
    const file = `"><img src=x onerror=top.hacked=1>'.ipynb`;
    const metadata = { name: attack, tags: [attack], attachments: { "x.png": { "image/png": attack } } };
    writeNotebook(page.folder, file, [
      storedCell("hostile", `# ${attack}\n'''</code></pre>${attack}'''`, { metadata }),
      storedCell("text", `${attack}\n\n[x](javascript:hacked=1)\n\n![a](attachment:x.png)`, {
        type: "markdown",
        metadata,
      }),
      storedCell("raw", attack, { type: "raw" }),
      { cell_type: `"><b id=h>${attack}`, id: "odd", metadata, source: attack },
      { ...storedCell("x", "1"), id: `"><b id=h>${attack}` },
      { ...storedCell("x", "1"), id: "__proto__" },
    ]);
    await goTo("#/", ".session-row");
    await expectUnharmed();
    await goTo(`#/notebooks/${encodeURIComponent(session)}`, ".notebook-row");
    await expectUnharmed();
    await goTo(notebookPlace(file), "#notebook-cell-text");
    await waitUntil(tab, "document.querySelectorAll('.notebook-cell').length === 6");
    await expectUnharmed();
    for (const place of ["#/session/%3Cscript%3E", "#/notebook/%E0%A4%A", "#//evil.example", "#/session/__proto__"]) {
      await tab.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await expectUnharmed();
    }
  });
});
