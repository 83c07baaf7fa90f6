import type { ShellTextFinder } from "../code/strings.ts";

/**
 * How a command uses a file.
 * - "list": only its name, size or existence
 * - "read": its contents
 * - "write": creates, changes or removes the file
 */
export type FileAccess = "list" | "read" | "write";

/**
 * How a command changes a file.
 * - "edit": changes its contents
 * - "delete": removes the file
 * - "delete-all": removes the file, or a directory with its contents
 * - "any": any of these changes
 */
export type FileChangeKind = "edit" | "delete" | "delete-all" | "any";

/**
 * Arguments of a program. Each option is listed only once: in `options` if its value is plain or it has none, otherwise
 * in the field for its kind of value, for example as `-o --output`. The value may be in the same word or the next word.
 */
export interface Program {
  /**
   * Options in getopt format. One colon after a letter means that the option takes a value; two colons mean that the
   * value must be in the same word. Long options come after the letters and end in "=" if they take a value. Options
   * that aren't listed may take a value.
   */
  options?: string;
  /** Options whose value is code or a pattern (`code`), a file with code (`source`), or a shell script (`shell`). */
  code?: string;
  source?: string;
  shell?: string;
  /** Options whose value is a file that is read or written. */
  reads?: string;
  writes?: string;
  /** Options whose value is the directory that receives all operands. */
  into?: string;
  /** Options whose value is a directory for files that the command doesn't name, such as the contents of an archive. */
  fills?: string;
  /**
   * Options whose value is a file that is used but not shown, such as a key or config (`uses`), or a key file to create
   * (`makes`).
   */
  uses?: string;
  makes?: string;
  /** Options whose value is a `key=value` setting. */
  settings?: string;
  /** Options whose value is the working directory. */
  folder?: string;
  /**
   * Options whose value is a local directory with its mount point in a container: `/srv:/data`,
   * `source=/srv,target=/data`.
   */
  mounts?: string;
  /** How the program uses the files in its arguments. Undefined if unknown. */
  files?: OperandFiles;
  wrapper?: Wrapper;
  commands?: CommandArguments;
  language?: CodeLanguage;
  /** Whether the program interprets a programming language. */
  isInterpreter?: true;
  isShell?: true;
  /** Whether the program runs other programs by package name. */
  runsPackages?: true;
}

/** How a program uses the files in its arguments. */
export interface OperandFiles {
  /** How the program uses its operands. Undefined if the operands are not files. */
  operands?: FileAccess;
  /**
   * How the program uses the last of multiple operands, if differently from the others: `cp a b`. It may be the target
   * directory.
   */
  lastOperand?: FileAccess;
  /**
   * Number of operands before the files, such as 1 for `grep x file`. All operands are files if the command has an
   * option listed in `code`, `source` or `replacingOptions`.
   */
  leadingOperands?: number;
  replacingOptions?: readonly string[];
  /** Options that make the first operand a shell script: `bash -c`. */
  scriptOptions?: readonly string[];
  /** Options that make the program write to its operands: `sed -i`. */
  inPlaceOptions?: readonly string[];
  /** Options that make the program only read its operands: `gzip -c`. */
  readOnlyOptions?: readonly string[];
  /** Whether the program replaces the contents of all operands, as `tee` does. */
  replacesContent?: true;
  /** Options that keep existing files, back them up or append to them: `cp -n`, `tee -a`. */
  keepOptions?: readonly string[];
  /** Options required to replace existing files: `ln -f`. */
  forceOptions?: readonly string[];
  /** Options that make the program only list its operands: `git rm --cached`. */
  listOnlyOptions?: readonly string[];
  /**
   * Directory that receives files the command doesn't name: the last operand ("last"), the last of multiple operands
   * ("other"), or the current directory ("here"). An option in `fills` takes precedence.
   */
  outputFolder?: "last" | "other" | "here";
  /** Whether operands after the first are arguments of the script. If so, their meaning is unknown. */
  hasScriptArguments?: true;
}

/** Position of a command in a program's arguments. */
export interface Wrapper {
  /** Number of words between the options and the command. These words may be followed by more options and `--`. */
  operandCount?: number;
  /** Subcommands that run a command: `poetry run`. */
  subcommands?: string;
  /** Options required to run a command: `runuser -u me`. */
  requiredOptions?: readonly string[];
  /** Options that keep the program from running a command. */
  noCommandOptions?: readonly string[];
  /** "may" means that the command may follow `--` anywhere; "must" means that the command must follow `--`. */
  doubleDash?: "may" | "must";
  /** Name of the table row that lists the options after the subcommand, if it isn't the program's own row. */
  optionsRow?: string;
  /** Program that receives the words as arguments: `minikube kubectl -- get pods`. */
  program?: string;
  /**
   * Options whose value replaces the command. The original words become arguments of the new one:
   * `docker run --entrypoint`.
   */
  entryPointOptions?: string;
  /** Whether the words are joined into a shell script. */
  isJoined?: true;
  /** Whether a program that isn't a wrapper may have the same name. If so, the command is read both ways. */
  isAmbiguous?: true;
  /** Whether the wrapper appends arguments from stdin. */
  appendsInput?: true;
  remote?: true;
  /** Options that take two values. */
  twoValueOptions?: RegExp;
  /** Operands that make the command run locally. */
  localOperands?: RegExp;
}

/** Commands in a program's arguments, in addition to the scripts in `shell` options. */
export interface CommandArguments {
  /** Commands that the program runs besides what it does itself: `docker exec NAME rm x`. */
  runs?: readonly Wrapper[];
  /** Whether all of these commands run on another machine or in a container. */
  remote?: true;
  /**
   * Whether stdin is a shell script when the arguments contain no command. If this is a list of options, one of them is
   * required.
   */
  stdin?: true | readonly string[];
  /** Keys of settings whose value is a shell script. */
  scriptSettings?: RegExp;
  /** Words after which all remaining arguments are a command. */
  commandMarkers?: string;
  /** Words after which all remaining arguments are joined into a script for another shell. */
  foreignMarkers?: string;
  /** Words after which all remaining arguments are typed into a terminal. */
  typedTextMarkers?: string;
  /** Whether the program runs its operands in a new terminal. */
  opensTerminal?: true;
  /** Whether each operand is a shell script. */
  hasScriptOperands?: true;
  /** Prefix of a command inside a word. */
  commandPrefix?: RegExp;
}

/** How to find shell commands in a program's code, in addition to the options in `code` and `source`. */
export interface CodeLanguage {
  find: ShellTextFinder;
  /** Whether the first operand is code if no option supplies the code. */
  hasCodeOperand?: true;
  /** Whether each operand may be code. */
  hasCodeOperands?: true;
  /** Whether the program reads code from stdin if no file is named, or if an option such as `-f -` requests it. */
  stdin?: true;
}

/**
 * Programs by name. Names with the same arguments share a row and are separated by spaces. Subcommands follow their
 * program: "git > add stage".
 */
export type ProgramRows = Readonly<Record<string, Program>>;
