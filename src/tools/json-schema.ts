import { z } from "zod";

/** A tool's schema for whoever does not speak zod; without the name of the dialect, which every agent would pay for. */
export function jsonSchema(schema: z.ZodObject, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
