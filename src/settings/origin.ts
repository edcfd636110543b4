/** The source of a setting's value. */
export type Origin =
  | { readonly from: "default" }
  | FileOrigin
  | { readonly from: "variable"; readonly name: string }
  | { readonly from: "call" };

export interface FileOrigin {
  readonly from: "user-file" | "project-file";
  readonly path: string;
}

export function describeOrigin(origin: Origin): string {
  switch (origin.from) {
    case "default":
      return "default";
    case "user-file":
    case "project-file":
      return origin.path;
    case "variable":
      return origin.name;
    case "call":
      return "call options";
  }
}
