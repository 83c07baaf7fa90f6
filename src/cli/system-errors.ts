/** Explanations of path-related system errors, keyed by error code. */
const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "its parent is a file, not a directory",
  EEXIST: "it already exists",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "its file system is read-only",
  ENOSPC: "no space left",
  ELOOP: "it is a link to itself",
};

/** Explains a system error in plain words. Other errors keep their message. */
export function explainSystemError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return ERROR_MEANINGS[code ?? ""] ?? message;
}
