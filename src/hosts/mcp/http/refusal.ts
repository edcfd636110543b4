/** The answer to a request that is not served; the sentence says what would be. */
export function refusedResponse(status: number, message: string, code = status === 404 ? -32001 : -32000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
