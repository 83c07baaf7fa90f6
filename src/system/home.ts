/**
 * Returns the same home directory as `node:os`. Loading `node:os` takes longer than all file operations in most calls.
 */
export const homedir = (): string =>
  (process.platform === "win32" ? process.env.USERPROFILE : process.env.HOME) ||
  process.getBuiltinModule("node:os").homedir();
