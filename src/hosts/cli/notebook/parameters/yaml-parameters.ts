import type { ScalarTag } from "yaml";
import type { NotebookParameters } from "../../../../execute/notebook/parameters/parameters.ts";
import { NumberAsWritten, type PythonValue } from "../../../../python/python-literal.ts";
import { UsageError } from "../../command/usage-error.ts";

/**
 * A mapping in YAML, as papermill reads it: by the rules of PyYAML, which are those of YAML 1.1, with dates as text.
 * @param where for what is said if it is none
 */
export async function parseYaml(text: string, where: string): Promise<NotebookParameters> {
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, {
      version: "1.1",
      schema: "failsafe",
      merge: true,
      uniqueKeys: false,
      // By their looks and, with a tag such as !!float, whatever they look like.
      customTags: [...scalars, ...scalars.map(({ tag, resolve }) => ({ tag, resolve }))],
      logLevel: "silent",
    });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    const value = document.toJS({ mapAsMap: true }) as unknown;
    if (value === null) return {};
    if (value instanceof Map) return asPython(value) as NotebookParameters;
  } catch (error) {
    const isTooDeep = error instanceof RangeError || /call stack/.test((error as Error).message);
    if (isTooDeep) throw new UsageError(`${where} is nested too deeply.`);
    throw new UsageError(`${where} is not YAML: ${(error as Error).message.trimEnd()}`);
  }
  throw new UsageError(`${where} has no names: it must be a mapping, as in: {region: north, n: 100}`);
}

const scalars: ScalarTag[] = [
  { tag: "tag:yaml.org,2002:null", default: true, test: /^(?:~|null|Null|NULL|)$/, resolve: () => null },
  {
    tag: "tag:yaml.org,2002:bool",
    default: true,
    test: /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
    resolve: (text) => /^(?:yes|true|on)$/i.test(text),
  },
  {
    tag: "tag:yaml.org,2002:int",
    default: true,
    test: /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
    resolve: (text) => integerOf(text.replaceAll("_", "")),
  },
  {
    tag: "tag:yaml.org,2002:float",
    default: true,
    test: /^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    resolve: (text) => floatOf(text.replaceAll("_", "").toLowerCase()),
  },
];

function integerOf(text: string): bigint {
  const sign = text.startsWith("-") ? -1n : 1n;
  const digits = text.replace(/^[-+]/, "");
  if (digits.includes(":")) return sign * BigInt(sexagesimal(digits));
  const octal = /^0(?=\d)/;
  return sign * BigInt(octal.test(digits) ? digits.replace(octal, "0o") : digits);
}

function floatOf(text: string): number | NumberAsWritten {
  if (text.includes("nan")) return Number.NaN;
  if (text.includes("inf")) return text.startsWith("-") ? -Infinity : Infinity;
  const digits = text.replace(/^\+/, "");
  if (digits.includes(":")) {
    const value = sexagesimal(digits.replace("-", ""));
    return new NumberAsWritten(withPoint(String(digits.startsWith("-") ? -value : value)));
  }
  return new NumberAsWritten(withPoint(digits));
}

/** Minutes and seconds, as in 1:30. */
function sexagesimal(digits: string): number {
  return digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

function withPoint(digits: string): string {
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

function asPython(value: unknown): PythonValue {
  if (Array.isArray(value)) return value.map(asPython);
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, item]) => [keyText(key), asPython(item)]));
  }
  return value as PythonValue;
}

/** papermill makes text of every key, as `str()` does. */
function keyText(key: unknown): string {
  if (key === null) return "None";
  if (typeof key === "boolean") return key ? "True" : "False";
  return key instanceof NumberAsWritten ? key.text : String(key);
}
