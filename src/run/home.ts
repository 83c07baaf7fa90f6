/** The home folder, as `node:os` tells it. That module takes longer to load than everything else that most calls do with files. */
export const homedir = (): string =>
  (process.platform === "win32" ? process.env.USERPROFILE : process.env.HOME) ||
  process.getBuiltinModule("node:os").homedir();
