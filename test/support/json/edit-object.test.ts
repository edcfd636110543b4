import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withMember, withoutMember } from "../../../src/support/json/edit-object.ts";
import { ObjectText } from "../../../src/support/json/object-text.ts";
import { parseSpan } from "../../../src/support/json/parse.ts";
import { JsonScanner } from "../../../src/support/json/scanner.ts";
import { nbformatStyle, styleOf } from "../../../src/support/json/style.ts";
import type { JsonValue } from "../../../src/support/json/value.ts";
import { anyFormatting, anySketch, anyText, print } from "../../notebook/any-json.ts";

const place = { order: [], indent: null };
const plain: fc.Arbitrary<JsonValue> = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;

describe("changing a member of an object", () => {
  const anyObject = fc
    .tuple(fc.dictionary(anyText(), anySketch(), { maxKeys: 5 }), anyFormatting())
    .map(([sketch, formatting]) => ObjectText.of(print(sketch, formatting)));

  test("sets it, and keeps every byte of the others", () => {
    fc.assert(
      fc.property(anyObject, fc.nat(5), anyText(), plain, (object, choice, newKey, value) => {
        const key = object.keys[choice] ?? newKey;
        const style = { ...styleOf(object), escapesNonAscii: false };
        const changed = withMember(object, key, value, style, place);
        expect(withoutKey(parsed(changed), key)).toEqual(withoutKey(parsed(object), key));
        expect(changed.get(key)).toEqual(value);
        expect(otherMembers(changed, key)).toEqual(otherMembers(object, key));
        expect(withMember(changed, key, value, style, place)).toBe(changed);
      }),
    );
  });

  test("leaves every member where a second reading finds it", () => {
    const inLargerText = fc
      .tuple(fc.array(fc.tuple(anyText(), anySketch()), { minLength: 1, maxLength: 5 }), fc.nat(9), anyFormatting())
      .map(([members, before, formatting]) => {
        // A key may be there twice.
        const texts = members.map(([key, value]) => `${JSON.stringify(key)} : ${print(value, formatting)}`);
        const text = Buffer.from(`${" ".repeat(before)}{ ${texts.join(" ,")} } behind`);
        return ObjectText.read(new JsonScanner(text));
      });
    fc.assert(
      fc.property(inLargerText, fc.nat(4), plain, (object, choice, value) => {
        const index = choice % object.size;
        const changed = object.withValueText(index, JSON.stringify(value));
        const again = ObjectText.of(changed.text);
        expect([changed.start, changed.end, changed.size]).toEqual([again.start, again.end, again.size]);
        for (let at = 0; at < again.size; at++) expect(changed.spanAt(at)).toEqual(again.spanAt(at));
      }),
    );
  });

  test("removes it, and keeps every byte of the others", () => {
    fc.assert(
      fc.property(anyObject, fc.nat(5), (object, choice) => {
        const key = object.keys[choice] ?? "no such key";
        const changed = withoutMember(object, key);
        expect(changed.has(key)).toBe(false);
        expect(otherMembers(changed, key)).toEqual(otherMembers(object, key));
      }),
    );
  });

  test.each([
    [
      "a line for each",
      '{\n  "a": 1,\n  "c": [\n    1\n  ]\n}',
      '{\n  "a": 1,\n  "b": [\n    "x"\n  ],\n  "c": [\n    1\n  ]\n}',
    ],
    ["one line", '{"a":1,"c":[1]}', '{"a":1,"b":["x"],"c":[1]}'],
    ["one line, with space", '{ "a": 1, "c": 2 }', '{ "a": 1, "b": ["x"], "c": 2 }'],
    ["Windows", '{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t"x"\r\n\t]\r\n}'],
    ["nothing", "{}", '{\n "b": [\n  "x"\n ]\n}'],
  ])("adds one in the object's own style: %s", (_name, before, after) => {
    const object = ObjectText.of(before);
    const style = { ...nbformatStyle, ...styleOf(object) };
    expect(withMember(object, "b", ["x"], style, { order: ["a", "b", "c"], indent: "" }).text.toString()).toBe(after);
  });

  test("keeps a list on its line when it was on one", () => {
    const object = ObjectText.of('{\n "a": ["x", "y"],\n "b": []\n}');
    expect(withMember(object, "a", ["z", "w"], nbformatStyle, place).text.toString()).toBe(
      '{\n "a": ["z", "w"],\n "b": []\n}',
    );
    expect(withMember(object, "b", ["z"], nbformatStyle, place).text.toString()).toBe(
      '{\n "a": ["x", "y"],\n "b": [\n  "z"\n ]\n}',
    );
  });

  test("of several with the same key changes the last, which counts, and removes all", () => {
    const object = ObjectText.of('{"a": 1, "b": 2, "\\u0061": 3}');
    expect(object.get("a")).toBe(3);
    expect(withMember(object, "a", 4, nbformatStyle, place).text.toString()).toBe('{"a": 1, "b": 2, "\\u0061": 4}');
    expect(withoutMember(object, "a").text.toString()).toBe('{"b": 2}');
  });
});

function parsed(object: ObjectText): Record<string, JsonValue> {
  return parseSpan(object.bytes, object.start, object.end) as Record<string, JsonValue>;
}

function withoutKey(record: Record<string, JsonValue>, key: string): [string, JsonValue][] {
  return Object.entries(record).filter(([name]) => name !== key);
}

function otherMembers(object: ObjectText, key: string): string[] {
  return object.keys.flatMap((name, index) => {
    const { keyStart, valueEnd } = object.spanAt(index);
    return name === key ? [] : [object.bytes.toString("latin1", keyStart, valueEnd)];
  });
}
