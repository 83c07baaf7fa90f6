/** A word as a program receives it. */
export interface Word {
  text: string;
  /** Set if the word is only known at run time; see `Command.dynamic`. */
  dynamic?: string;
  /** The word is one unquoted expansion, which may yield no word at all. */
  vanishing?: true;
}
