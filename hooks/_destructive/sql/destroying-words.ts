/** Every destructive SQL text contains at least one of these words. */
export const DESTROYING_WORDS: readonly string[] =
  "drop truncate delete update alter detach purge reset replace overwrite flashback retain xp_cmdshell program".split(
    " ",
  );
export const DESTROYING_WORD = new RegExp(DESTROYING_WORDS.join("|"), "i");
