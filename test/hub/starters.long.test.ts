import { expect, test } from "vitest";
import { TestHub } from "./test-hub.ts";

test("twenty processes that start at once share one hub, round after round", async () => {
  for (let round = 0; round < 3; round++) {
    await using hub = new TestHub();
    const starters = Array.from({ length: 20 }, (_, index) =>
      hub.start(["run", "--session", "race", "-c", `seen = globals().get("seen", []) + [${index}]; print("ok")`]),
    );
    const finished = await Promise.all(starters.map((starter) => starter.finished));
    expect(finished.map(({ stdout }) => stdout)).toEqual(Array(20).fill("ok\n"));
    expect(await hub.run("race", "sorted(seen) == list(range(20))")).toBe("True");
  }
});
