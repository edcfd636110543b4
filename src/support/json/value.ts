/** JSON as it came over a wire, or as it is in a file; unlike strict JSON, a notebook's knows NaN and the infinities. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
