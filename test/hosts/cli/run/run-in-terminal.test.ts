import { describe, expect, test } from "vitest";
import { keys } from "../../../terminal/keys.ts";
import { granaryInTerminal, type Step } from "../terminal.ts";

/** `run-painted.test.ts` tests colours. */
const inTerminal = (args: readonly string[], steps?: readonly Step[]) =>
  granaryInTerminal(args, steps, { NO_COLOR: "1" });

describe("granary run in a terminal", () => {
  test("asks the person for input()", async () => {
    const code = "print('Hello.', end=' '); name = input('Name: '); print(f'Hello {name}!')";
    const { screen, exitCode } = await inTerminal(["run", "-c", code], [{ after: "Name: ", type: `Zoë${keys.enter}` }]);
    expect(screen).toBe("Hello. Name: Zoë\nHello Zoë!\n");
    expect(exitCode).toBe(0);
  });

  test("hides a password, which can still be corrected", async () => {
    const code = "import getpass; word = getpass.getpass('Word: '); print(len(word), word == 'secret')";
    const { screen, exitCode } = await inTerminal(
      ["run", "-c", code],
      [{ after: "Word: ", type: `secrxx${keys.backspace.repeat(2)}et${keys.enter}` }],
    );
    expect(screen).toBe("Word: \n6 True\n");
    expect(exitCode).toBe(0);
  });

  test("echoes typed text again after a password", async () => {
    const code = "import getpass; getpass.getpass('Word: '); print(input('Name: '))";
    const { screen } = await inTerminal(
      ["run", "-c", code],
      [
        { after: "Word: ", type: `hidden${keys.enter}` },
        { after: "Name: ", type: `Ada${keys.enter}` },
      ],
    );
    expect(screen).toBe("Word: \nName: Ada\nAda\n");
  });

  test.each([["input"], ["__import__('getpass').getpass"]])(
    "Ctrl-C at the question of %s stops the run",
    async (ask) => {
      const { screen, exitCode } = await inTerminal(
        ["run", "-c", `${ask}('Name: ')`],
        [{ after: "Name: ", type: keys.ctrl("c") }],
      );
      expect(screen).toMatch(/KeyboardInterrupt\nInterrupted\n$/);
      expect(exitCode).toBe(130);
    },
  );

  test.each(["input", "__import__('getpass').getpass"])("Ctrl-D at the question of %s raises EOFError", async (ask) => {
    const { screen, exitCode } = await inTerminal(
      ["run", "-c", `${ask}('A: ')`],
      [{ after: "A: ", type: keys.ctrl("d") }],
    );
    expect(screen).toMatch(/\nEOFError: EOF when reading a line\n$/);
    expect(exitCode).toBe(1);
  });

  test("a cell that asks again after Ctrl-D is interrupted", async () => {
    const code = "try: input('A: ')\nexcept EOFError: print('at the end')\ninput('B: ')";
    const { screen, exitCode } = await inTerminal(["run", "-c", code], [{ after: "A: ", type: keys.ctrl("d") }]);
    expect(screen).toMatch(/^A: at the end\n(.|\n)*KeyboardInterrupt\n/);
    expect(exitCode).toBe(130);
  });

  test("Ctrl-C stops a running cell", async () => {
    const { screen, exitCode } = await inTerminal(
      ["run", "-c", "import time; print('working'); time.sleep(60)"],
      [{ after: "working", type: keys.ctrl("c") }],
    );
    expect(screen).toMatch(/KeyboardInterrupt\nInterrupted\n$/);
    expect(exitCode).toBe(130);
  });

  test("a traceback begins on a line of its own", async () => {
    const { screen } = await inTerminal(["run", "-c", "print('half a line', end=''); 1/0"]);
    expect(screen).toMatch(/^half a line\nTraceback/);
  });

  test("with -, code can be typed until Ctrl-D", async () => {
    const { screen, exitCode } = await inTerminal(
      ["run", "-"],
      [{ after: "", type: `print(6*7)${keys.enter}${keys.ctrl("d")}` }],
    );
    expect(screen).toMatch(/\n42\n$/);
    expect(exitCode).toBe(0);
  });

  test("with nothing to run, says what to pass", async () => {
    const { screen, exitCode } = await inTerminal(["run"]);
    expect(screen).toMatch(/^granary: Nothing to run\.(.|\n)*granary run -c 'print\(6\*7\)'/);
    expect(exitCode).toBe(2);
  });
});

test("granary without arguments in a terminal is the console", async () => {
  const { screen, exitCode } = await inTerminal([], [{ after: "❯", type: keys.ctrl("d") }]);
  expect(screen).toContain("❯");
  expect(exitCode).toBe(0);
});
