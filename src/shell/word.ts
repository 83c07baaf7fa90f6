/** A word as a program gets it. */
export interface Word {
  text: string;
  /** Set where it is only known when it runs; see `Command.dynamic`. */
  dynamic?: string;
  /** Nothing in it is quoted, and all of it is expanded: it may become no word at all. */
  vanishing?: true;
}
