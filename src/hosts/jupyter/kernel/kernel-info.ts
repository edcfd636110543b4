import type { KernelInfo } from "../../../kernel/kernel.ts";
import type { JsonObject } from "../../../support/json/value.ts";

/** The version of Jupyter's messages that the door speaks. */
const protocolVersion = "5.4";

/** A `kernel_info_reply`. Editors store the part about the language in notebooks, so it is ipykernel's. */
export function kernelInfoReply(
  { language, version }: Pick<KernelInfo, "language" | "version">,
  own: string,
): JsonObject {
  return {
    status: "ok",
    protocol_version: protocolVersion,
    implementation: "granary",
    implementation_version: own,
    language_info: language === "python" ? pythonInfo(version) : otherLanguage(language, version),
    banner: `Granary ${own}, ${language} ${version}`,
    help_links: [],
    supported_features: [],
  };
}

function pythonInfo(version: string): JsonObject {
  return {
    name: "python",
    version,
    mimetype: "text/x-python",
    codemirror_mode: { name: "ipython", version: Number.parseInt(version, 10) },
    pygments_lexer: `ipython${Number.parseInt(version, 10)}`,
    nbconvert_exporter: "python",
    file_extension: ".py",
  };
}

function otherLanguage(name: string, version: string): JsonObject {
  return { name, version, mimetype: "text/plain", file_extension: ".txt" };
}
