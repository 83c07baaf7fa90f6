/** The home directory, as in `node:os`. Loading that module takes longer than all other file work of most calls. */
export const homedir = (): string =>
  (process.platform === "win32" ? process.env.USERPROFILE : process.env.HOME) ||
  process.getBuiltinModule("node:os").homedir();
