import { z } from "zod";

/**
 * A tool's schema for whoever does not speak zod. Every agent pays for it in every conversation, so it goes without the
 * name of the dialect and without what says nothing to a model; zod checks that all the same.
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
  // In an output, nobody has to be warned of a name that is not meant.
  if (saysNothing || io === "output") delete schema.additionalProperties;
}
