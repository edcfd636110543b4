// Three alternatives on one data frame, at the same time: each branch has its own copy of the variables. One is kept. Needs pandas.
import assert from "node:assert/strict";
import { createRuntime } from "granary";

const granary = await createRuntime();
try {
  const session = granary.session("prices");
  await session.run('import pandas as pd\ndf = pd.DataFrame({"price": [8.0, 1.0, None, 3.0]})').result;

  const methods = { drop: "df.dropna()", zero: "df.fillna(0)", mean: "df.fillna(df.price.mean())" };
  const results = await Promise.all(
    Object.entries(methods).map(async ([name, code]) => {
      const branch = await session.fork(name);
      const { output } = await branch.run(`df = ${code}; print(len(df), df.price.mean())`).result;
      return { branch, output: output.trim() };
    }),
  );
  assert.deepEqual(
    results.map(({ output }) => output),
    ["3 4.0", "4 3.0", "4 4.0"],
  );

  const chosen = results.find(({ branch }) => branch.id === "mean");
  assert.ok(chosen);
  await session.keep(chosen.branch);
  const { output } = await session.run("df.price.tolist()").result;
  assert.equal(output, "[8.0, 1.0, 4.0, 3.0]\n");
} finally {
  await granary.close();
}
