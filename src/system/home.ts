/**
 * Returns the same home directory as `node:os`. In most calls, loading `node:os` would take longer than all file
 * operations.
 */
export const homedir = (): string =>
  (process.platform === "win32" ? process.env.USERPROFILE : process.env.HOME) ||
  process.getBuiltinModule("node:os").homedir();
