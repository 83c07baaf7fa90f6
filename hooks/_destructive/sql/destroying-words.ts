/** All destructive SQL contains at least one of these words. */
export const DESTRUCTIVE_WORDS: readonly string[] =
  "drop truncate delete update alter detach purge reset replace overwrite flashback retain xp_cmdshell program".split(
    " ",
  );
export const DESTRUCTIVE_WORD = new RegExp(DESTRUCTIVE_WORDS.join("|"), "i");
