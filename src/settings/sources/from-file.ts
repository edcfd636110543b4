import { GranaryError } from "../../support/granary-error.ts";
import { JsonSyntaxError } from "../../support/json/tokens.ts";
import type { FileOrigin } from "../origin.ts";
import { settingCalled } from "../settings.ts";
import { Branch, fromTree } from "./from-tree.ts";
import { JsonText } from "./json-text.ts";
import type { Layer } from "./layer.ts";

/** The settings in the text of a file. */
export function fromFile(text: string, origin: FileOrigin, userFile: string): Layer {
  return fromTree(parse(text, origin), origin, (name) => {
    const reason = settingCalled(name).notForProjects;
    if (origin.from !== "project-file" || reason === undefined) return null;
    return `${name} cannot be set by a project: ${reason}. It belongs into ${userFile}.`;
  });
}

/** Of these settings, only those that limit code. */
export function limitsFromFile(text: string, origin: FileOrigin): Layer {
  const all = fromTree(parse(text, origin), origin);
  return new Map([...all].filter(([name]) => settingCalled(name).tighten !== undefined));
}

function parse(text: string, origin: FileOrigin): Branch {
  const json = new JsonText(
    text,
    (members) =>
      new Branch(members.map(({ key, value, offset }) => ({ key, value, place: () => `${place(offset)}: ` }))),
  );
  const place = (offset: number) => {
    const { line, column } = json.position(offset);
    return `${origin.path}:${line}:${column}`;
  };
  try {
    const settings = json.parse();
    if (settings instanceof Branch) return settings;
    throw new JsonSyntaxError('Settings are a JSON object, such as {"python.maxSessions": 2}.', 0);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new GranaryError("settings", `${place(error.offset)}: ${error.message}`, {
      details: { origin },
      cause: error,
    });
  }
}
