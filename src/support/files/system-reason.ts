/** Why the system refused a file, to stand behind `FILE cannot be read:`. Its own words are for programs. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ""] ?? code ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder, not a file",
  EEXIST: "there is something else in its place",
  EACCES: "you are not allowed to",
  EPERM: "you are not allowed to",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  ENXIO: "it is a pipe, a socket or a device",
  EROFS: "it is on a read-only file system",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open (ulimit -n)",
  ENFILE: "too many files are open on this machine",
  EIO: "the disk has failed",
  ERR_OUT_OF_RANGE: "it is too large",
  ERR_FS_FILE_TOO_LARGE: "it is too large",
  ERR_INVALID_ARG_VALUE: "its name has a null character",
};
