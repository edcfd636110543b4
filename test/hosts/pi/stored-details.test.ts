import { expect, test } from "vitest";
import { withoutPixels, withPixels } from "../../../src/hosts/pi/stored-details.ts";

const picture = (base64: string) => ({ type: "image", mimeType: "image/png", base64, width: 1, height: 1, alt: "" });
const details = { cells: [{ parts: [picture("AAAA"), { type: "json", value: 1 }] }, { parts: [picture("BBBB")] }] };

test("a conversation keeps each picture once, and shows it all the same", () => {
  const stored = withoutPixels(details);
  expect(JSON.stringify(stored)).not.toMatch(/AAAA|BBBB/);
  const content = [
    { type: "text", text: "two" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "image", data: "BBBB", mimeType: "image/png" },
  ] as const;
  expect(withPixels(stored, content)).toEqual(details);
});

test("a picture that the content had no room for is left out, and what is no call of Python is left alone", () => {
  expect(withPixels(withoutPixels(details), [])).toEqual(withoutPixels(details));
  expect(withoutPixels({ path: "n.ipynb" })).toEqual({ path: "n.ipynb" });
  expect(withoutPixels(null)).toBeNull();
});
