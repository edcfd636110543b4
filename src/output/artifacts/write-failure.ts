import { systemReason } from "../../support/files/system-reason.ts";

/** Why a write into a folder failed: a sentence for the reader of the result. */
export function explainWriteFailure(error: unknown, folder: string): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "artifact-removed":
      return `Its file in ${folder} was removed while it was being written.`;
    case "ENOSPC":
      return `The disk is full: there is no space left for ${folder}.`;
    case "EDQUOT":
      return `The disk quota is used up: there is no space left for ${folder}.`;
    case "EFBIG":
      return `Files in ${folder} may not become that large (ulimit -f).`;
    case "EACCES":
    case "EPERM":
      return `${folder} may not be written to.`;
    case "EROFS":
      return `${folder} is on a disk that is read-only.`;
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open already (ulimit -n).";
    case "ENOENT":
      return `${folder} has vanished.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${folder} is not a folder.`;
    default:
      return `${folder} cannot be written to: ${systemReason(error)}.`;
  }
}
