/**
 * Returns the home directory as `node:os` does. Loading that module takes longer than all file operations of most
 * calls.
 */
export const homedir = (): string =>
  (process.platform === "win32" ? process.env.USERPROFILE : process.env.HOME) ||
  process.getBuiltinModule("node:os").homedir();
