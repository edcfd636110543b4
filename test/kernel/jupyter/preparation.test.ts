import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { preparation } from "../../../src/kernel/jupyter/cell/preparation.ts";
import { toCodePoints, toUnits } from "../../../src/kernel/positions.ts";
import { oldestPython } from "../../environment/pythons.ts";

test("a cell that is given nothing needs no preparation", () => {
  expect(preparation({})).toBe(null);
  expect(preparation({ env: {} })).toBe(null);
});

test("Python sets a variable to any given value", () => {
  const values = fc
    .sample(fc.string({ unit: "grapheme" }), { numRuns: 50, seed: 1 })
    .map((text) => text.replaceAll("\0", ""));
  const env = Object.fromEntries([...values, "🚀 ü \\ ' \" \n ${x}"].map((value, index) => [`V${index}`, value]));
  const code = `import json, os\n${preparation({ env, cwd: "/" })}\nprint(json.dumps([os.getcwd(), {k: v for k, v in os.environ.items() if k[0] == "V"}]))`;
  const said = execFileSync(oldestPython().path, ["-c", code], { encoding: "utf8", env: { PYTHONUTF8: "1" } });
  expect(JSON.parse(said)).toEqual(["/", env]);
});

test("a place in a text survives the way to Jupyter and back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(100), (text, place) => {
      const characters = [...text];
      const units = characters.slice(0, place).join("").length;
      expect(toUnits(text, toCodePoints(text, units))).toBe(units);
    }),
  );
});
