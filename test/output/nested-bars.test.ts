import { describe, expect, test } from "vitest";
import { Sink } from "../../src/output/sink.ts";
import { environment } from "../environment/pythons.ts";
import { run } from "../kernel/collect.ts";
import { py } from "../kernel/py.ts";
import { startRunner } from "../kernel/runner/start-runner.ts";

const main = environment("main");
const reason = "missing" in main ? main.missing : "";

describe.skipIf("missing" in main)(`bars of tqdm.notebook within each other${reason}`, () => {
  const python = "python" in main ? main.python : "";

  const shown = async (code: string): Promise<readonly string[]> => {
    await using kernel = await startRunner(python);
    const { stderr, outcome } = await run(kernel, code);
    expect(outcome).toBe("ok");
    const sink = new Sink();
    sink.write(stderr, "stderr");
    return (await sink.dump()).text.trimEnd().split("\n");
  };
  /** A complete bar, with nothing before or after it. */
  const bar = (name: string, total: number) =>
    expect.stringMatching(new RegExp(`^${name}: 100%\\|█+\\| ${total}/${total} \\[[^\\[\\]]*\\]$`));

  test.each([
    ["a name that is longer outside", "the outer loop with a long name", "in"],
    ["a name that is longer inside", "out", "the inner loop with a long name"],
    ["names of one length", "outer", "inner"],
  ])("each is one clean line, with %s", async (_, outer, inner) => {
    const code = py`
      from tqdm.notebook import tqdm, trange
      for i in trange(2, desc="${outer}", mininterval=0):
          for j in tqdm(range(3), desc="${inner}", mininterval=0):
              pass
    `;
    expect(await shown(code)).toEqual([bar(inner, 3), bar(inner, 3), bar(outer, 2)]);
  });

  test("three levels, of which one leaves nothing behind", async () => {
    const code = py`
      from tqdm.notebook import tqdm
      for i in tqdm(range(2), desc="the outermost of all", mininterval=0):
          for j in tqdm(range(2), desc="middle", mininterval=0):
              for k in tqdm(range(2), desc="the innermost, which is not kept", leave=False, mininterval=0):
                  pass
    `;
    expect(await shown(code)).toEqual([bar("middle", 2), bar("middle", 2), bar("the outermost of all", 2)]);
  });
});
