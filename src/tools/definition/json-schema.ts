import { z } from "zod";

/**
 * A tool's schema for clients that do not use zod. Every agent pays for it in every conversation, so it omits the
 * name of the dialect and everything that does not help a model; zod checks those anyway.
 *
 * @example
 * const schema = jsonSchema(tool.input, "input");
 */
export function jsonSchema(schema: z.ZodObject, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const given = givenSchemas.get(schema);
  if (given !== undefined) return given;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  return { ...rest, properties: Object.fromEntries(Object.entries(rest.properties ?? {}).filter(isListed)) };
}

const givenSchemas = new WeakMap<z.ZodObject, Readonly<Record<string, unknown>>>();

/** The schema of a tool in another process, which checks its arguments itself: here, only required fields have to be there. */
export function givenSchema(json: Readonly<Record<string, unknown>>): z.ZodObject {
  const required = Array.isArray(json.required) ? json.required.map(String) : [];
  const isThere = z.unknown().refine((value) => value !== undefined);
  const schema = z.looseObject(Object.fromEntries(required.map((name) => [name, isThere])));
  givenSchemas.set(schema, json);
  return schema;
}

/** Fields with `.meta({ hidden: true })` are accepted, but not worth their price in every conversation. */
function isListed([, schema]: [string, z.core.JSONSchema._JSONSchema]): boolean {
  return typeof schema !== "object" || schema.hidden !== true;
}

function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // A model assumes these anyway. An input that violates them is refused with a sentence that says what would do.
  for (const key of ["minimum", "exclusiveMinimum", "minLength", "minItems"] as const) {
    if (Number(schema[key]) <= 1) delete schema[key];
  }
  delete schema.propertyNames;
  if (!saysSomething(schema.additionalProperties)) delete schema.additionalProperties;
  if (!saysSomething(schema.properties)) delete schema.properties;
  // A field that takes several types may name the one that models should use.
  if (schema.type !== undefined) delete schema.anyOf;
}

function saysSomething(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Object.keys(schema).length > 0;
}
