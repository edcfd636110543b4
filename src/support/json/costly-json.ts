import { stringEnd } from "./deep-json.ts";

/**
 * JSON of untrusted cost. A value takes far more memory than its text: `{}` about a hundred times as much. So text that others
 * send is weighed before it is parsed: a list or an object is 16, a member of a very large object 64, because it takes long to
 * find its place, and any other value 1.
 */
const heaviestJson = 16_000_000;

const containerWeight = 16;
const memberWeight = 64;
/** Objects with more members are stored as tables. */
const usualMembers = 1000;

/** Whether JSON text has more values than the host takes from others, without parsing it. */
export function isTooCostlyText(json: string, heaviest = heaviestJson): boolean {
  // Each list and object needs two characters and a comma at least.
  if (json.length * containerWeight <= heaviest * 2) return false;
  let weight = 0;
  const outer: number[] = [];
  let members = 0; // of the innermost object
  for (let at = 0; at < json.length && weight <= heaviest; at++) {
    const unit = json.charCodeAt(at);
    if (unit === openBracket) weight += containerWeight;
    else if (unit === openBrace) {
      weight += containerWeight;
      outer.push(members);
      members = 0;
    } else if (unit === closeBrace) members = outer.pop() ?? 0;
    else if (unit === colon) weight += ++members > usualMembers ? memberWeight : 0;
    else if (unit === comma) weight++;
    else if (unit === quote) at = stringEnd(json, at);
  }
  return weight > heaviest;
}

const [openBracket, openBrace, closeBrace, colon, comma, quote] = [0x5b, 0x7b, 0x7d, 0x3a, 0x2c, 0x22];
