import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FreshTerminal, granaryCommand } from "../hosts/tui/fresh-terminal.ts";
import { until } from "../kernel/until.ts";
import { keys } from "../terminal/keys.ts";
import { agentOf } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

/** A person's terminal, in a folder of its own. */
function terminalWith(args: readonly string[]): FreshTerminal {
  return new FreshTerminal([...granaryCommand, ...args], { env: hub.env, columns: 90, rows: 40 });
}

describe("granary attach", () => {
  test("shows the session's past cells with who ran them, and runs cells in it, from any folder", async () => {
    await hub.run("etl", "rows = [3, 4]");
    await hub.run("etl", "print('two', 'rows')");
    const terminal = terminalWith(["attach", "etl"]);
    await terminal.shows(/granary run run-\d+ · \d\d:\d\d · cell 1\n❯ rows = \[3, 4\]\n/);
    await terminal.shows(/❯ print\('two', 'rows'\)\n {2}two rows\n/);
    terminal.enter("/history 1");
    await terminal.shows(
      /… 1 earlier cell: \/history 2.*\n+granary run run-\d+ · \d\d:\d\d · cell 2\n❯ print\('two', 'rows'\)\n {2}two rows\n/,
    );
    terminal.enter("sum(rows)");
    await terminal.shows(/❯ sum\(rows\)\n {2}7\n/);
    terminal.type("rows.app", keys.tab);
    await terminal.shows("❯ rows.append");
    terminal.enter("(5)");
    await terminal.shows(/❯ rows.append\(5\)\n\n/);
    // Nothing is lost by leaving, so nothing is asked.
    terminal.type(keys.ctrl("d"));
    expect(await terminal.exited).toBe(0);
    expect(terminal.written).not.toContain("starting Python");
    expect(await hub.run("etl", "rows")).toBe("[3, 4, 5]");
    const { stdout } = await hub.granary(["sessions", "show", "etl"]);
    expect(stdout).toMatch(/run-\d+ · console · .*\n> sum\(rows\)\n7/);
  });

  test("/exit and Ctrl-D leave, and say that the session stays, how to return and how to end it", async () => {
    await hub.run("left", "x = 5");
    await hub.run("left", "x = 6");
    await hub.granary(["sessions", "undo", "left"]);
    for (const leave of ["/exit\r", "/quit\r", "exit\r", keys.ctrl("d")]) {
      const terminal = terminalWith(["attach", "left"]);
      await terminal.shows(/ · cell 2 · undone\n❯ x = 6\n/);
      await terminal.shows("Python 3");
      terminal.type(leave);
      expect(await terminal.exited).toBe(0);
      // This terminal is in another folder.
      await terminal.shows(`granary: The session left in ${hub.folder} stays.`);
      await terminal.shows(`granary: Return to it: granary attach left --cwd ${hub.folder}`);
      await terminal.shows(`granary: End it: granary sessions stop left --cwd ${hub.folder}`);
    }
    expect(await hub.run("left", "x")).toBe("5");
  });

  test("a cell of another client appears while it runs; Ctrl-C leaves it alone, /interrupt stops it", async () => {
    await hub.run("live", "steps = []");
    const terminals = [terminalWith(["attach", "live"]), terminalWith(["attach", "live"])];
    const [one] = terminals as [FreshTerminal];
    for (const terminal of terminals) await terminal.shows("Python 3");
    const agent = hub.start([
      "run",
      "--session",
      "live",
      "-c",
      "print('begun', flush=True)\nwhile True: steps.append(1)",
    ]);
    for (const terminal of terminals) await terminal.shows(/granary run run-\d+\n❯ print.*\n· while.*\n {2}begun\n/);
    await one.shows(/▶ granary run is running/);
    one.type(keys.ctrl("c"));
    await one.shows("/interrupt stops the cell");
    expect(agent.process.exitCode).toBeNull();
    one.enter("/interrupt");
    for (const terminal of terminals) await terminal.shows("KeyboardInterrupt");
    expect((await agent.finished).stderr).toContain("KeyboardInterrupt");
    one.enter("len(steps) > 0");
    // The other console shows it as well, and whose it was.
    await terminals[1]?.shows(/console run-\d+\n❯ len\(steps\) > 0\n {2}True\n/);
  });

  test("an agent learns in its next result what the console ran, and the console is told nothing twice", async () => {
    await using agent = await agentOf(hub);
    await agent.python("total = 1");
    const [session] = (await hub.status())?.sessions.filter(({ lastCell }) => lastCell === "total = 1") ?? [];
    const terminal = terminalWith(["attach", session?.name ?? ""]);
    await terminal.shows("❯ total = 1");
    await agent.python("total += 1");
    await terminal.shows(/^\S+ run-\d+\n❯ total \+= 1/m);
    terminal.enter("total * 10");
    await terminal.shows(/❯ total \* 10\n {2}20\n/);
    expect(terminal.screen).not.toContain("Since your last call");
    expect(await agent.python("total")).toContain("Since your last call, console ran 1 cell: total * 10");
  });

  test("Ctrl-C interrupts the console's own cell, input() is asked there, and the window may change its size", async () => {
    await hub.run("talk", "1");
    const terminal = terminalWith(["attach", "talk"]);
    await terminal.shows("Python 3");
    terminal.enter("while True: pass");
    await terminal.shows("ctrl+c interrupts");
    terminal.type(keys.ctrl("c"));
    await terminal.shows("KeyboardInterrupt");
    terminal.resize(60, 30);
    terminal.enter("name = input('Name: ')");
    await terminal.shows(/^Name:/m);
    terminal.enter("Zoë");
    await terminal.shows(/ {2}Name: Zoë\n/);
    terminal.enter("name * 2");
    await terminal.shows("'ZoëZoë'");
  });

  test("a killed terminal leaves its cell running; input() then fails, and the session continues", async () => {
    const marker = join(hub.folder, "went-on");
    await hub.run("killed", "1");
    const running = terminalWith(["attach", "killed"]);
    await running.shows("Python 3");
    running.enter(`import time; print('begun'); time.sleep(1); _ = open(${JSON.stringify(marker)}, 'w').write('on')`);
    await running.shows("begun");
    await running.close();
    await until("the cell is over", async () => (await readFile(marker, "utf8").catch(() => "")) === "on");
    const asking = terminalWith(["attach", "killed"]);
    await asking.shows("Python 3");
    asking.enter("answer = input('Name: ')");
    await asking.shows(/^Name:/m);
    await asking.close();
    expect(await hub.run("killed", "'answer' in globals()")).toBe("False");
    const { stdout } = await hub.granary(["sessions", "show", "killed"]);
    expect(stdout).toContain("> answer = input('Name: ')");
  });

  test("without a terminal, it names the command that runs code in the same session", async () => {
    const { stderr, exitCode } = await hub.granary(["attach", "two words"]);
    expect(stderr).toContain("To run code without one: granary run --session 'two words' -c ");
    expect(exitCode).toBe(2);
  });

  test("an unknown session, no hub, and GRANARY_HUB=never are reported in a sentence", async () => {
    const unknown = terminalWith(["attach", "nobody"]);
    expect(await unknown.exited).toBe(2);
    expect(unknown.screen).toContain("There is no session nobody in the hub");
    const never = new FreshTerminal([...granaryCommand, "attach", "etl"], { env: { GRANARY_HUB: "never" } });
    expect(await never.exited).toBe(2);
    expect(never.screen).toContain("needs the hub");
    const none = new FreshTerminal([...granaryCommand, "attach", "etl"], { env: { GRANARY_HUB: "auto" } });
    expect(await none.exited).toBe(2);
    expect(none.screen).toContain("There is no session etl: no hub runs.");
  });
});

test("granary console --session starts a session that outlives it", async () => {
  const args = ["console", "--session", "fresh", "--cwd", hub.folder];
  const first = terminalWith(args);
  await first.shows("Python 3");
  first.enter("kept = 6 * 7");
  await first.shows(/❯ kept = 6 \* 7\n\n/);
  first.enter("exit");
  expect(await first.exited).toBe(0);
  expect(await hub.run("fresh", "kept")).toBe("42");
});

test("a hub that ends takes the console along, and the terminal is as before", async () => {
  await using other = new TestHub();
  await other.run("gone", "1");
  const terminal = new FreshTerminal([...granaryCommand, "attach", "gone"], { env: other.env });
  await terminal.shows("Python 3");
  process.kill(other.record.pid, "SIGKILL");
  expect(await terminal.exited).toBe(3);
  expect(terminal.screen).toContain("The hub has ended");
  expect(terminal.written).toContain("\x1b[?2004l");
});
