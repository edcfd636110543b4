import { z } from "zod";

/**
 * A tool's schema for clients that do not use zod. Every agent pays for it in every conversation, so it omits the
 * name of the dialect and everything that does not help a model; zod checks those anyway.
 *
 * @example
 * const schema = jsonSchema(tool.input, "input");
 */
export function jsonSchema(schema: z.ZodObject, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema, io) });
  return rest;
}

function shorten(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.minLength === 1) delete schema.minLength;
  delete schema.propertyNames;
  const { additionalProperties } = schema;
  const saysNothing = typeof additionalProperties === "object" && Object.keys(additionalProperties).length === 0;
  // An output needs no warning about unknown names.
  if (saysNothing || io === "output") delete schema.additionalProperties;
}
