/** Why a resource cannot be read; the message names what can. */
export class ResourceError extends Error {
  override readonly name = "ResourceError";
  readonly code = "resource";
}
