import { expect, test } from "vitest";
import { environment, libraries } from "../../../environment/pythons.ts";
import { run } from "../../collect.ts";
import { startRunner } from "../start-runner.ts";
import { describeStates } from "./describe-states.ts";
import { packageStates, scientificStates, standardStates } from "./library-states.ts";

const { "scikit-learn with OpenMP": withOpenMP, ...others } = scientificStates;
const everywhere = { ...standardStates, ...packageStates, ...others };

const newest = libraries();
if ("python" in newest) {
  describeStates("newest Python", newest.python, { ...everywhere, ...scientificStates });
  describePolars("newest Python", newest.python);
}

const oldest = environment("oldest");
if ("python" in oldest) {
  describeStates("oldest Python", oldest.python, everywhere);
  describePolars("oldest Python", oldest.python);

  // The last scikit-learn for Python 3.8 brings an old libgomp.
  test("oldest Python: threads of an OpenMP that cannot be paused are a reason", async () => {
    expect(await whyNot(oldest.python, withOpenMP?.make ?? "")).toMatch(
      /^threads of an OpenMP before version 5 \(libgomp[^)]+\)$/,
    );
  });
}

function describePolars(name: string, python: string): void {
  test(`${name}: polars, whose threads do not survive a fork, is refused`, async () => {
    const code = "import polars as pl; df = pl.DataFrame({'a': range(100_000)}); df.group_by('a').len().height";
    expect(await whyNot(python, code)).toMatch(/^the threads .*polars/);
  });
}

async function whyNot(python: string, code: string): Promise<string | null> {
  await using kernel = await startRunner(python);
  expect((await run(kernel, code)).error?.traceback).toBeUndefined();
  const answer = await kernel.checkpoints?.take();
  return answer && "whyNot" in answer ? answer.whyNot : null;
}
