import type { ShellTextFinder } from "../code/strings.ts";

/**
 * How a command uses a file. "list": only its name, size or existence; "read": its content; "write": it creates,
 * changes or removes the file.
 */
export type FileAccess = "list" | "read" | "write";

/**
 * How a command changes a file. "edit": its content; "delete": it removes the file; "delete-all": it also removes a
 * directory with its content; "any": one of these.
 */
export type FileChangeKind = "edit" | "delete" | "delete-all" | "any";

/**
 * The arguments of a program. Each option is listed once, under the kind of its value: in `options` if it has a plain
 * value or none, otherwise in the field of its kind (`-o --output`, with the value in the same word or the next).
 */
export interface Program {
  /**
   * Options in getopt format: a colon after a letter with a value, two if the value must be in the same word; then the
   * long options, with "=" if they have a value. Unlisted options may take a value.
   */
  options?: string;
  /** Options whose value is code or a pattern (`code`), a file with code (`source`), or a shell script (`shell`). */
  code?: string;
  source?: string;
  shell?: string;
  /** Options whose value is a file that is read or written. */
  reads?: string;
  writes?: string;
  /** Options whose value is the directory for all operands. */
  into?: string;
  /** Options whose value is a directory for files that the command doesn't name, such as the content of an archive. */
  fills?: string;
  /**
   * Options whose value is a file that is used but not shown, such as a key or config (`uses`), or a key file that is
   * created (`makes`).
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
  /** How the program uses the files in its arguments; undefined if unknown. */
  files?: OperandFiles;
  wrapper?: Wrapper;
  commands?: CommandArguments;
  language?: CodeLanguage;
  /** The program interprets a programming language. */
  isInterpreter?: true;
  /** The program runs shell scripts. */
  isShell?: true;
  /** The program runs other programs by their package names. */
  runsPackages?: true;
}

/** How a program uses the files in its arguments. */
export interface OperandFiles {
  /** How the program uses its operands; undefined if they are not files. */
  operands?: FileAccess;
  /**
   * How the program uses the last of several operands, if different: `cp a b`. That operand may be a directory for the
   * others.
   */
  last?: FileAccess;
  /**
   * The number of operands before the files: 1 for `grep x file`. None if there is an option of `code`, `source` or
   * `instead`.
   */
  skip?: number;
  instead?: readonly string[];
  /** Options that make the first operand a shell script: `bash -c`. */
  text?: readonly string[];
  /** Options with which the program writes to its operands: `sed -i`. */
  inPlace?: readonly string[];
  /** Options with which the program only reads its operands: `gzip -c`. */
  reading?: readonly string[];
  /** The program replaces the content of all operands: `tee`. */
  replaces?: true;
  /** Options that keep existing files, back them up or append to them: `cp -n`, `tee -a`. */
  keeping?: readonly string[];
  /** Options without which existing files aren't replaced: `ln -f`. */
  forcing?: readonly string[];
  /** Options with which the program only lists its operands: `git rm --cached`. */
  listing?: readonly string[];
  /**
   * The directory that receives files the command doesn't name, unless an option of `fills` sets it: the last operand
   * ("last"), the last of several operands ("other"), or the current directory ("here").
   */
  fills?: "last" | "other" | "here";
  /** Operands after the first one belong to the script, so their meaning is unknown. */
  own?: true;
}

/** The position of a command within a program's arguments. */
export interface Wrapper {
  /** The number of words between the options and the command. Options may follow these words as well, up to `--`. */
  operands?: number;
  /** Subcommands that run a command: `poetry run`. */
  after?: string;
  /** Options without which no command is run: `runuser -u me`. */
  needs?: readonly string[];
  /** Options with which no command is run. */
  idle?: readonly string[];
  /** The command may follow `--` anywhere ("may"), or only there ("must"). */
  dashes?: "may" | "must";
  /** The row of the options after the subcommand, if different from the program's own. */
  optionsOf?: string;
  /** The program that the words are passed to: `minikube kubectl -- get pods`. */
  program?: string;
  /** Options that replace the command, so that the words become its arguments: `docker run --entrypoint`. */
  entry?: string;
  /** The words are joined into a shell script. */
  joined?: true;
  /** The name is ambiguous, so the program is read both as a wrapper and as a plain command. */
  ambiguous?: true;
  /** The wrapper appends arguments from stdin. */
  more?: true;
  remote?: true;
  /** Options with two values. */
  twoValueOptions?: RegExp;
  /** Operands with which the command runs locally. */
  here?: RegExp;
}

/** Commands in a program's arguments, apart from `shell` options. */
export interface CommandArguments {
  /** Commands that the program runs in addition to its own effect: `docker exec NAME rm x`. */
  runs?: readonly Wrapper[];
  /** All of these commands run on another machine or in a container. */
  remote?: true;
  /** Without a command, stdin is a shell script: always, or with one of these options. */
  stdin?: true | readonly string[];
  /** The keys of settings whose value is a shell script. */
  keys?: RegExp;
  /** Words after which the rest of the arguments is a command. */
  rest?: string;
  /** Words after which the rest of the arguments is joined into a script for another shell. */
  foreign?: string;
  /** Words after which the rest of the arguments is typed into a terminal. */
  typed?: string;
  /** The program runs its operands in a new terminal. */
  panes?: true;
  /** Each operand is a shell script. */
  operands?: true;
  /** The prefix of a command within a word. */
  marked?: RegExp;
}

/** How to find shell commands in code passed to a program, apart from `code` and `source` options. */
export interface CodeLanguage {
  find: ShellTextFinder;
  /** The first operand is code, unless an option supplies it. */
  operand?: true;
  /** Each operand may be code. */
  operands?: true;
  /** Stdin is code if no file is given, or if an option says so: `-f -`. */
  stdin?: true;
}

/**
 * Programs by name; names with the same arguments share a row, separated by spaces. Subcommands follow their program:
 * "git > add stage".
 */
export type ProgramRows = Readonly<Record<string, Program>>;
