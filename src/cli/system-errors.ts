/** What the system's errors about a path mean. */
const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "what it would lie in is a file",
  EEXIST: "something else is there",
  EISDIR: "it is a folder",
  EACCES: "you have no right to",
  EPERM: "you have no right to",
  EROFS: "its file system is read-only",
  ENOSPC: "there is no space left",
  ELOOP: "it is a link that leads to itself",
};

/** Explains a system error in plain words; other errors keep their message. */
export function explainSystemError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return ERROR_MEANINGS[code ?? ""] ?? message;
}
