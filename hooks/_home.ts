/** The home folder, as `node:os` tells it. To load that module would take a third of a call. */
export const homedir = (): string =>
  (process.platform === "win32" ? process.env.USERPROFILE : process.env.HOME) ||
  process.getBuiltinModule("node:os").homedir();
