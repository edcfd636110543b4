import { afterAll } from "vitest";
import { nodeEnvironment } from "../../environment/nodes.ts";
import { launchChromium } from "./chromium.mjs";

/** The little that the tests need of playwright's page: the library is not among the packages of this repository. */
export interface BrowserPage {
  goto(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  waitForSelector(selector: string, options?: { timeout?: number; state?: string }): Promise<unknown>;
  textContent(selector: string): Promise<string | null>;
  getAttribute(selector: string, name: string): Promise<string | null>;
  evaluate<T>(code: string): Promise<T>;
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(options: { colorScheme: "light" | "dark" }): Promise<void>;
  url(): string;
  frames(): readonly {
    textContent(selector: string): Promise<string | null>;
    evaluate<T>(code: string): Promise<T>;
    url(): string;
  }[];
  close(): Promise<void>;
  on(
    event: "console" | "pageerror" | "request" | "response" | "dialog" | "popup" | "download",
    listener: (what: never) => void,
  ): void;
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    /** As if pasted: the editor adds no brackets. */
    insertText(text: string): Promise<void>;
  };
}

const environment = nodeEnvironment("browser");

/** Why there is no browser; null when there is one. */
export const noBrowser: string | null = "missing" in environment ? environment.missing : null;

interface Browser {
  newPage(options?: object): Promise<BrowserPage>;
  newContext(): Promise<Pick<Browser, "newPage">>;
  close(): Promise<void>;
}

let launched: Promise<Browser> | null = null;

/** A Chromium for all tests of the file, which ends after them. */
async function browser(): Promise<Browser> {
  if ("missing" in environment) throw new Error(environment.missing);
  return launchChromium(environment.folder);
}

/** For the top of a file with several tests: its browser ends after the last one. */
export function oneBrowserForAll(): void {
  afterAll(async () => {
    await (await launched)?.close();
    launched = null;
  });
  if (noBrowser === null) launched ??= browser();
}

function launch(): Promise<Browser> {
  if (launched !== null) return launched;
  afterAll(async () => {
    await (await launched)?.close();
    launched = null;
  });
  launched = browser();
  return launched;
}

/** Waits until an expression is true in the tab. The content policy does not let playwright's own function look. */
export async function waitUntil(tab: BrowserPage, expression: string): Promise<void> {
  while (!(await tab.evaluate<boolean>(expression))) await new Promise((resolve) => setTimeout(resolve, 30));
}

/** Tabs of one profile: they share their connections, as those of a user do. `newTab()` has a profile of its own. */
export async function newTabs(count: number): Promise<readonly BrowserPage[]> {
  const profile = await (await launch()).newContext();
  const tabs: BrowserPage[] = [];
  while (tabs.length < count) tabs.push(await profile.newPage());
  return tabs;
}

/** A tab. Errors of scripts, refusals of the content policy and requests to other hosts make `problems`. */
export async function newTab(): Promise<{ readonly tab: BrowserPage; readonly problems: string[] }> {
  const tab = await (await launch()).newPage();
  const problems: string[] = [];
  tab.on("console", (message: { type(): string; text(): string }) => {
    // Refused requests are below, with their address.
    if (message.type() === "error" && !/^Failed to load resource/.test(message.text())) problems.push(message.text());
  });
  tab.on("pageerror", (error: Error) => problems.push(String(error)));
  tab.on("response", (response: { status(): number; url(): string }) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  tab.on("request", (request: { url(): string }) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) problems.push(`request to ${request.url()}`);
  });
  return { tab, problems };
}

/** Puts code into the field for a new cell, when the editor has loaded. */
export async function typeCode(tab: BrowserPage, code: string): Promise<void> {
  await tab.click(".composer .editor");
  await tab.waitForSelector(".composer .cm-content");
  await tab.click(".composer .cm-content");
  await tab.keyboard.insertText(code);
}
