import { fileURLToPath } from "node:url";
import type {
  BlobResourceContents,
  Resource,
  ResourceTemplateType,
  TextResourceContents,
} from "@modelcontextprotocol/server";
import { visibleText } from "../../../output/text/visible-text.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { ReadDetails } from "../../../tools/definition/details.ts";
import type { Tool, ToolResult } from "../../../tools/definition/tool.ts";

type Contents = TextResourceContents | BlobResourceContents;

/** Resources that a client may read. */
export interface Resources {
  readonly templates: ResourceTemplateType[];
  list(): Promise<Resource[]>;
  /** Throws `GranaryError` when the resource cannot be read. */
  read(uri: string, signal?: AbortSignal): Promise<Contents>;
}

export interface ResourceSources {
  /** Reads files, notebooks and artifacts within the same limits as an agent's call. */
  readonly read: Tool | undefined;
  /** The longer help of each tool, by name. */
  readonly help: ReadonlyMap<string, string>;
  listNotebooks(): Promise<readonly string[]>;
  listArtifacts(): Promise<readonly ListedArtifact[]>;
}

export interface ListedArtifact {
  readonly id: string;
  readonly mimeType: string;
  readonly bytes: number;
}

export function createResources(sources: ResourceSources): Resources {
  return {
    templates,
    async list() {
      const [notebooks, artifacts] = await Promise.all([sources.listNotebooks(), sources.listArtifacts()]);
      return [
        ...[...sources.help.keys()].map(listedHelp),
        ...notebooks.map(listedNotebook),
        ...artifacts.map(listedArtifact),
      ];
    },
    async read(uri, signal) {
      const topic = uri.startsWith(helpScheme) ? uri.slice(helpScheme.length) : null;
      if (topic !== null) return { uri, mimeType: "text/markdown", text: helpOn(topic, sources.help) };
      if (sources.read === undefined)
        throw new GranaryError("unreadable-resource", "Files cannot be read here: there is no tool read.");
      const result = await sources.read.run({ path: pathIn(uri) }, { signal });
      const { mimeType = "text/plain" } = (result.details ?? {}) as Partial<ReadDetails>;
      return asContents(uri, result, mimeType);
    },
  };
}

const helpScheme = "granary://help/";
const notebookScheme = "notebook:///";
const artifactScheme = "artifact://";

const templates: ResourceTemplateType[] = [
  {
    uriTemplate: `${artifactScheme}{id}{?lines}`,
    name: "artifact",
    title: "Artifact",
    description: "Output that was too long for a result. Add lines to read a part: artifact://main-3?lines=100-200",
  },
  {
    uriTemplate: `${notebookScheme}{+path}`,
    name: "notebook",
    title: "Notebook",
    description:
      "The cells of a Jupyter notebook as text; the path begins in the server's folder, or is absolute: notebook:////home/ada/a.ipynb",
    mimeType: "text/plain",
  },
  {
    uriTemplate: `${helpScheme}{tool}`,
    name: "help",
    title: "Help",
    description: "Longer help for a tool.",
    mimeType: "text/markdown",
  },
];

function listedHelp(tool: string): Resource {
  return { uri: `${helpScheme}${tool}`, name: `help/${tool}`, title: `Help on ${tool}`, mimeType: "text/markdown" };
}

function listedNotebook(path: string): Resource {
  // Encode each name by itself: `encodeURI` keeps `#` and `?`, which would end the path.
  const inAddress = path.split("/").map(encodeURIComponent).join("/");
  return {
    uri: `${notebookScheme}${inAddress}`,
    name: visibleText(path),
    title: visibleText(path),
    mimeType: "text/plain",
  };
}

function listedArtifact({ id, mimeType, bytes }: ListedArtifact): Resource {
  return { uri: `${artifactScheme}${id}`, name: id, title: `Artifact ${id}`, mimeType, size: bytes };
}

function helpOn(topic: string, help: ResourceSources["help"]): string {
  const text = help.get(topic);
  if (text !== undefined) return text;
  throw new GranaryError(
    "unreadable-resource",
    `There is no help on ${topic}. There is on: ${[...help.keys()].join(", ")}.`,
  );
}

/** The path as the tool `read` takes it. */
function pathIn(uri: string): string {
  if (uri.startsWith(artifactScheme)) return uri;
  try {
    if (uri.startsWith(notebookScheme)) return decodeURIComponent(uri.slice(notebookScheme.length));
    if (uri.startsWith("file:")) return fileURLToPath(uri);
  } catch {
    throw new GranaryError("unreadable-resource", `${uri} is not a well-formed address.`);
  }
  const known = [artifactScheme, notebookScheme, helpScheme, "file:///"].join(", ");
  throw new GranaryError("unreadable-resource", `${uri} is not known here. Addresses begin with one of ${known}.`);
}

function asContents(uri: string, { content, isError }: ToolResult, mimeType: string): Contents {
  const text = content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
  if (isError) throw new GranaryError("unreadable-resource", text.replace(/^Error: /, ""));
  const picture = content.find((part) => part.type === "image");
  if (picture !== undefined) return { uri, mimeType: picture.mimeType, blob: picture.base64 };
  return { uri, mimeType, text };
}
