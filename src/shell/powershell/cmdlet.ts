/** What a cmdlet is presented as. Parameters are named as in `parameters`. */
interface Equivalent {
  program: string;
  /** Words that come first. */
  first?: string;
  /** Parameters that become options: `Recurse=-r`; of one with a value that comes next: `OutFile=-o:`. */
  options?: string;
  /** Parameters whose values are operands, in this order. */
  operands?: string;
  /** The parameter whose value it reads from stdin. */
  stdin?: string;
}

export interface Cmdlet {
  name: string;
  /** Names that stand for it; those that Unix systems have as programs as well are marked with "*". */
  aliases?: string;
  /**
   * Its parameters: `Name` takes a value, `Name!` does not, `Name:0` is also the operand at that position, `Name~` is a
   * path, `Name/Other` has another name.
   */
  parameters: string;
  /** Absent: a program by the cmdlet's own name, in small letters. */
  as?: Equivalent;
  /** What presents it, where options and operands are not enough; see `equivalents.ts`. */
  by?: string;
}
