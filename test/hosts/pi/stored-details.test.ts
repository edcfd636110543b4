import { expect, test } from "vitest";
import { withoutPixels, withPixels } from "../../../src/hosts/pi/stored-details.ts";

const picture = (base64: string) => ({ type: "image", mimeType: "image/png", base64, width: 1, height: 1, alt: "" });
const details = { cells: [{ parts: [picture("AAAA"), { type: "json", value: 1 }] }, { parts: [picture("BBBB")] }] };

test("a conversation stores each picture once, and still shows it", () => {
  const stored = withoutPixels(details);
  expect(JSON.stringify(stored)).not.toMatch(/AAAA|BBBB/);
  const content = [
    { type: "text", text: "two" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "image", data: "BBBB", mimeType: "image/png" },
  ] as const;
  expect(withPixels(stored, content)).toEqual(details);
});

test("a picture that did not fit the content is left out, and other tools' results are unchanged", () => {
  expect(withPixels(withoutPixels(details), [])).toEqual(withoutPixels(details));
  expect(withoutPixels({ path: "n.ipynb" })).toEqual({ path: "n.ipynb" });
  expect(withoutPixels(null)).toBeNull();
});
