import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type ImagePart, resizedText } from "../../../src/output/display/display-part.ts";
import { encodePng } from "../../../src/output/pictures/png-encode.ts";
import { picturesIn, picturesWithin } from "../../../src/tools/code/attached-pictures.ts";

let picture: ImagePart;

beforeAll(async () => {
  const side = 40;
  const rgba = randomBytes(side * side * 4).map((byte, index) => (index % 4 === 3 ? 255 : byte));
  const png = await encodePng({ width: side, height: side, rgba });
  const original = { width: side, height: side, bytes: png.length };
  picture = { type: "image", mimeType: "image/png", base64: png.toString("base64"), ...original, alt: "", original };
});

async function attach(count: number, budget: number, keptAt: string | null = null) {
  const kept: Buffer[] = [];
  const keep = async (bytes: Buffer): Promise<string> => `artifact://s-${kept.push(bytes)}`;
  const attached = await picturesWithin(Array(count).fill({ picture, keptAt }), budget, keep);
  const { notices } = attached;
  const content = attached.content.filter((part) => part !== null);
  const length = content.reduce((sum, part) => sum + (part.type === "image" ? part.base64.length : 0), 0);
  return { count: content.length, length, notices, kept };
}

describe("pictures of one result", () => {
  test("are attached unchanged when they fit", async () => {
    expect(await attach(3, 3 * picture.base64.length)).toEqual({
      count: 3,
      length: 3 * picture.base64.length,
      notices: [],
      kept: [],
    });
  });

  test("beyond those that fit are left out, kept and named", async () => {
    const { count, kept, notices } = await attach(4, 2 * picture.base64.length);
    expect({ count, kept: kept.length }).toEqual({ count: 2, kept: 2 });
    expect(notices[0]).toBe(
      "Pictures 3, 4 of 4 are not attached, because there are too many; as they were: artifact://s-1, artifact://s-2.",
    );
    expect(kept[0]?.toString("base64")).toBe(picture.base64);
  });

  test("a picture that is too large is attached smaller instead of left out", async () => {
    const { count, length, notices } = await attach(1, 4000);
    expect(count).toBe(1);
    expect(length).toBeLessThanOrEqual(4000);
    expect(notices[0]).toMatch(/^Picture 1 of 1 is attached smaller, at \d+x\d+, .*; as it was: artifact:\/\/s-1\.$/);
  });

  test("a picture whose original is kept already is not kept again", async () => {
    const { kept, notices } = await attach(1, 4000, "artifact://s-9");
    expect(kept).toEqual([]);
    expect(notices[0]).toMatch(/; as it was: artifact:\/\/s-9\.$/);
  });
});

test("a line about a picture names its attached size only if that still holds", async () => {
  const attached = await picturesWithin([{ picture, keptAt: "artifact://s-1" }], 4000, async () => null);
  const line = (address: string) => `[image/png 980x741, 2.0 MB, shown at 40x40 → ${address}]`;
  const kept = ["artifact://s-1", "artifact://s-2"].map((address) => {
    const name = "image/png 980x741, 2.0 MB";
    return { type: "kept", mimeType: "image/png", bytes: 1, label: `${name}, shown at 40x40`, name, address } as const;
  });
  const text = `${line("artifact://s-1")}\n${line("artifact://s-1")}\n${line("artifact://s-2")}`;
  expect(resizedText(text, kept, (address) => attached.resized.has(address))).toBe(
    `${line("artifact://s-1")}\n[image/png 980x741, 2.0 MB → artifact://s-1]\n${line("artifact://s-2")}`,
  );
  expect(attached.notices[0]).toMatch(/attached smaller, at \d+x\d+, to keep/);
});

test("a picture scaled when it was displayed is followed by its original", () => {
  const kept = { type: "kept", mimeType: "image/png", bytes: 1, label: "", address: "artifact://s-1" } as const;
  const scaled = { ...picture, original: { ...picture.original, bytes: 5_000_000 } };
  const displays = [
    { displayId: null, text: "", parts: [scaled, kept] },
    { displayId: null, text: "", parts: [picture, { ...kept, mimeType: "image/svg+xml" }] },
  ];
  expect(picturesIn(displays)).toEqual([
    { picture: scaled, keptAt: "artifact://s-1" },
    { picture, keptAt: null },
  ]);
});
