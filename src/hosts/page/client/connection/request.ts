import { loseAccess, tokenHeader } from "./token.ts";

/** Sends JSON, and returns the JSON of the answer. A refusal is an error with the sentence of the server. @param path below `/page/api/` */
export async function request<T>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(`/page/api/${path}`, {
    method,
    headers: tokenHeader(),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.status === 403) loseAccess();
  const answer: unknown = response.status === 204 ? null : await response.json();
  if (response.ok) return answer as T;
  throw new Error((answer as { readonly message?: string } | null)?.message ?? response.statusText);
}
