import { readFile, realpath } from "node:fs/promises";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { FileOrigin } from "../origin.ts";
import type { Layer } from "./layer.ts";

interface FilePaths {
  readonly project: string;
  readonly user: string;
}

/** What the two files say. Most people have neither, so what reads JSON is loaded only when there is one. */
export async function readSettingsFiles(paths: FilePaths): Promise<{ readonly project: Layer; readonly user: Layer }> {
  const ofProject = { from: "project-file", path: paths.project } as const;
  const ofUser = { from: "user-file", path: paths.user } as const;
  const [project, user] = await Promise.all([textOf(ofProject), textOf(ofUser)]);
  if (project === null && user === null) return { project: nothing, user: nothing };

  // In the home folder, the file of the working folder is the user's own.
  const isUsersOwn = project !== null && user !== null && (await isSameFile(paths));
  const { fromFile } = await import("./from-file.ts");
  return {
    project: project === null || isUsersOwn ? nothing : fromFile(project, ofProject, paths.user),
    user: user === null ? nothing : fromFile(user, ofUser, paths.user),
  };
}

const nothing: Layer = new Map();

async function textOf(file: FileOrigin): Promise<string | null> {
  try {
    return await readFile(file.path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const problem = `${file.path} cannot be read: ${systemReason(error)}. Make it a readable file, or remove it.`;
    throw new GranaryError("settings", problem, { details: { origin: file }, cause: error });
  }
}

async function isSameFile({ project, user }: FilePaths): Promise<boolean> {
  const [one, other] = await Promise.all([realpath(project), realpath(user)]);
  return one === other;
}
