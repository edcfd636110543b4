import { sayCount } from "../../../support/say-count.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import { type BackendState, isUntried } from "./backend-state.ts";
import type { Diagnosis, GatewayState } from "./diagnosis.ts";
import { pythonLines } from "./doctor-python.ts";
import { describeBriefly } from "./gateway-lines.ts";
import { sayHubState } from "./hub-state.ts";
import type { Problem } from "./problems.ts";
import { Page } from "./report-page.ts";
import { saySandboxState } from "./sandbox-state.ts";
import type { WarmState } from "./warm-state.ts";

/** A diagnosis for people: the verdict, then each problem with the command that fixes it, then everything else. */
export function doctorReport(diagnosis: Diagnosis, theme: Theme): string {
  const page = new Page(theme, Math.min(Math.max(diagnosis.terminal.columns ?? 80, 40), 100));
  const verdict = diagnosis.ok ? theme.success(goodNews(diagnosis)) : theme.error("Python cells cannot run.");
  const blocks = [
    verdict,
    ...problemBlocks(diagnosis.problems, page),
    page.section("Python", pythonLines(diagnosis, page)),
    page.section(
      "Backends",
      diagnosis.backends.flatMap((backend) => backendLines(backend, page)),
    ),
    page.section("Environment", environmentLines(diagnosis, page)),
    page.section("Settings", settingsLines(diagnosis, page)),
    page.section("Granary", granaryLines(diagnosis, page)),
    lastLine(diagnosis, theme),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function goodNews(diagnosis: Diagnosis): string {
  return isUntried(diagnosis.backends)
    ? "Nothing is wrong in the files; granary doctor --run also starts Python."
    : "Python cells can run.";
}

/** The report is long: its end says again what its beginning said, and counts what needs action. */
function lastLine(diagnosis: Diagnosis, theme: Theme): string {
  const { ok, problems, python } = diagnosis;
  const count = (severity: Problem["severity"]): number =>
    problems.filter((problem) => problem.severity === severity).length;
  const warnings = count("warning");
  if (!ok) return theme.error(`Verdict: not ready, because of ${sayCount(count("error"), "problem")}; see the top.`);
  const on = python.chosen === null ? "" : ` on ${python.chosen.executable}`;
  const ready = `Verdict: ready${on}${isUntried(diagnosis.backends) ? ", as far as its files tell" : ""}`;
  if (warnings > 0) return theme.warning(`${ready}, with ${sayCount(warnings, "warning")}; see the top.`);
  return theme.success(isUntried(diagnosis.backends) ? `${ready}; granary doctor --run starts it.` : `${ready}.`);
}

function problemBlocks(problems: readonly Problem[], page: Page): readonly string[] {
  const { theme } = page;
  const blocks = problems.map(({ severity, problem, remedy, command }) => {
    const mark = severity === "error" ? theme.error("✗ ") : theme.warning("! ");
    const advice = remedy === "" ? [] : page.beside("  ", 2, remedy);
    const typed = command === null ? [] : [`    ${theme.title(command)}`];
    return [...page.beside(mark, 2, problem), ...advice, ...typed];
  });
  const lines = blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
  return blocks.length === 0 ? [] : [page.section("What is wrong", lines)];
}

function backendLines({ name, isChosen, availability }: BackendState, page: Page): readonly string[] {
  const { success, error, muted } = page.theme;
  const width = "gateway".length + 4;
  const line = (mark: string, text: string) => page.beside(`${mark} ${name.padEnd(width - 2)}`, width, text);
  if (availability.available === true) return line(success("✓"), isChosen ? "works; cells run on it" : "works");
  const { reason, remedy } = availability;
  const isBad = isChosen && availability.available === false;
  return line(isBad ? error("✗") : muted("–"), [reason, remedy].join(" ").trimEnd());
}

function environmentLines({ withheld }: Diagnosis, page: Page): readonly string[] {
  if (withheld.length === 0) return page.text("Cells see every variable that is set here.");
  const variables = withheld.length === 1 ? "1 variable is" : `${withheld.length} variables are`;
  return [
    `${variables} withheld from cells:`,
    ...page.beside("  ", 2, withheld.join(", ")),
    ...page.text('The setting python.allowEnv lets more through, by name or as "PREFIX_*".'),
  ];
}

function settingsLines({ settings, settingsError }: Diagnosis, page: Page): readonly string[] {
  if (settingsError?.instead === "defaults") {
    return page.text("The settings cannot be read, so this report uses the defaults.");
  }
  const without = "The settings cannot be read, so this report leaves out those of the project.";
  const changed = settings.filter(({ origin }) => origin !== "default");
  const lines = changed.flatMap(({ name, value, origin }) => [
    `${name} = ${JSON.stringify(value)}`,
    // The only setting that a call of this command makes.
    `    ${page.theme.muted(`from ${origin === "call options" ? "--python" : origin}`)}`,
  ]);
  const rest = settings.length - changed.length;
  const others = changed.length === 0 ? `All ${rest} have their defaults` : `The other ${rest} have their defaults`;
  return [...(settingsError === null ? [] : page.text(without)), ...lines, `${others}; --json lists them.`];
}

function granaryLines(diagnosis: Diagnosis, page: Page): readonly string[] {
  const { home, cwd, gateway } = diagnosis;
  const width = "managed environment  ".length;
  const line = (name: string, text: string) => page.beside(name.padEnd(width), width, text);
  return [
    ...line("working folder", cwd),
    ...line("Granary's folder", home.problem === null ? home.path : `${home.path} (cannot be written)`),
    ...line("managed environment", managedLine(diagnosis)),
    ...warmTexts(diagnosis.warm).flatMap((text, index) => line(index === 0 ? "warm start" : "", text)),
    ...gatewayTexts(gateway).flatMap((text, index) => line(index === 0 ? "gateway" : "", text)),
    ...line("hub", sayHubState(diagnosis.hub)),
    ...line("sandbox", saySandboxState(diagnosis.sandbox)),
    ...line("terminal", terminalLine(diagnosis)),
  ];
}

function gatewayTexts(gateway: GatewayState): readonly string[] {
  switch (gateway.state) {
    case "external":
      return [`${gateway.url} (external)`];
    case "shared":
      return gateway.gateways.map((one) => describeBriefly(one, Date.now()));
    case "none":
      return ["none"];
  }
}

function managedLine({ managedEnvironment }: Diagnosis): string {
  switch (managedEnvironment.state) {
    case "ready":
      return `ready, with Python ${managedEnvironment.version}`;
    case "missing":
      return "none; only Jupyter kernels need it: granary setup";
    case "broken":
      return "broken";
  }
}

function terminalLine({ terminal }: Diagnosis): string {
  if (!terminal.isTerminal) return "none: this goes to a file or a program";
  const columns = terminal.columns === null ? "" : `${terminal.columns} columns, `;
  return `${columns}colours: ${terminal.colours}, pictures: ${terminal.pictures}`;
}

function warmTexts(warm: WarmState): readonly string[] {
  if (!warm.isWarm) return [`off: ${warm.reason}`];
  const { preloaded, dropped } = warm;
  const ahead = preloaded.length === 0 ? "nothing imported ahead" : `imported ahead: ${preloaded.join(", ")}`;
  const reasons = [...new Set(dropped.map(({ why }) => why))];
  const named = (why: string): string => dropped.flatMap((one) => (one.why === why ? [one.module] : [])).join(", ");
  return [`works; ${ahead}`, ...reasons.map((why) => `not ${named(why)}: ${why}`)];
}
