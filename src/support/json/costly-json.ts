import { stringEnd } from "./deep-json.ts";

/**
 * JSON of untrusted cost. A value takes far more memory than its text: `{}` about a hundred times as much. So text that others
 * send is weighed before it is parsed: a list or an object is 16, and any other value 1.
 */
const heaviestJson = 16_000_000;

const containerWeight = 16;

/** Whether JSON text has more values than the host takes from others, without parsing it. */
export function isTooCostlyText(json: string, heaviest = heaviestJson): boolean {
  // Each list and object needs two characters and a comma at least.
  if (json.length * containerWeight <= heaviest * 2) return false;
  let weight = 0;
  for (let at = 0; at < json.length && weight <= heaviest; at++) {
    const unit = json.charCodeAt(at);
    if (unit === openBracket || unit === openBrace) weight += containerWeight;
    else if (unit === comma) weight++;
    else if (unit === quote) at = stringEnd(json, at);
  }
  return weight > heaviest;
}

const [openBracket, openBrace, comma, quote] = [0x5b, 0x7b, 0x2c, 0x22];
