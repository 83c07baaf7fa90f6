/** Programs and subcommands that remove their arguments. */
export const REMOVAL_VERBS: readonly string[] =
  "rm rmdir unlink shred srm wipe rimraf trash trash-put rmtrash remove remove-item ri rd del erase rename".split(" ");
export const MOVE_VERBS: readonly string[] = ["mv", "move", "move-item", "rename-item", "ren"];
