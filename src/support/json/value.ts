/** JSON from a wire or a file; a notebook's may contain NaN and the infinities. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
