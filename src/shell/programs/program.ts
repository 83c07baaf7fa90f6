import type { ShellTextFinder } from "../code/strings.ts";

/**
 * What a command does with a file: "list" uses only its name, size or existence; "read" reads its content; "write"
 * creates, changes or removes it.
 */
export type FileAccess = "list" | "read" | "write";

/**
 * How a command changes a file: its content, or by taking it away ("delete-all": a folder with all that is in it).
 * "any": one or the other.
 */
export type FileChangeKind = "edit" | "delete" | "delete-all" | "any";

/**
 * The arguments of a program. Each option is listed once, by the kind of its value: under `options` if it takes plain
 * text or no value, otherwise under its kind (`-o --output`, each with the next word or the rest of its own as a
 * value).
 */
export interface Program {
  /**
   * Options as in getopt: a colon after an option with a text value, two if the value must be in the same word; then
   * the long ones, with "=" if they take a value. An option that is not listed may take a value, too.
   */
  options?: string;
  /**
   * The value is code or a pattern in the program's own language (`code`), a file of such code, or a text for a shell.
   */
  code?: string;
  source?: string;
  shell?: string;
  /** The value is a file that is read, or written. */
  reads?: string;
  writes?: string;
  /** The value is the directory that all operands are put into. */
  into?: string;
  /** The value is a directory that gets files which the command does not name: those of an archive. */
  fills?: string;
  /** The value is a file that the program uses without showing it (a key, settings), or a key that it creates. */
  uses?: string;
  makes?: string;
  /** The value is a `key=value` setting. */
  settings?: string;
  /** The value is the directory to run in. */
  folder?: string;
  /** The value is a directory of this machine and its place in the container: `/srv:/data`, `source=/srv,target=/data`. */
  mounts?: string;
  /** What it does with the files in its arguments; absent if unknown. */
  files?: OperandFiles;
  wrapper?: Wrapper;
  commands?: CommandArguments;
  language?: CodeLanguage;
  /** It interprets its own language, from files or from the command line. */
  isInterpreter?: true;
  /** It runs shell text. */
  isShell?: true;
  /** It runs another program by its package name. */
  runsPackages?: true;
}

/** What a program does with the files in its arguments. */
export interface OperandFiles {
  /** What it does with its operands; absent if they are not files. */
  operands?: FileAccess;
  /**
   * What it does with the last of several operands, if that differs: `cp a b`. The last one may also be the directory
   * for the others.
   */
  last?: FileAccess;
  /**
   * The number of operands before the files: `grep x file`. An option of `code` or `source`, or one of `instead`,
   * replaces them.
   */
  skip?: number;
  instead?: readonly string[];
  /** With one of these options the first operand is a text for a shell: `bash -c`. */
  text?: readonly string[];
  /** With one of these options it writes to its operands: `sed -i`. */
  inPlace?: readonly string[];
  /** With one of these options it only reads its operands: `gzip -c`. */
  reading?: readonly string[];
  /** It replaces the content of all its operands: `tee`. */
  replaces?: true;
  /** With one of these options it leaves files that are there, keeps a copy, or adds to them: `cp -n`, `tee -a`. */
  keeping?: readonly string[];
  /** Only with one of these options it replaces files that are there: `ln -f`. */
  forcing?: readonly string[];
  /** With one of these options it only lists: `git rm --cached`. */
  listing?: readonly string[];
  /**
   * It puts files that it does not name into a directory, unless an option of `fills` names one: into its last operand
   * ("last"), into that of several ("other"), or into the current directory ("here").
   */
  fills?: "last" | "other" | "here";
  /** Operands after the first belong to the script, so their meaning is unknown. */
  own?: true;
}

/** Where the command is that a program runs from its arguments. */
export interface Wrapper {
  /** The number of words between the options and the command; options may follow them as well, up to a `--`. */
  operands?: number;
  /** Subcommands of which one makes it a wrapper: `poetry run`. */
  after?: string;
  /** Options of which one makes it a wrapper: `runuser -u me`. */
  needs?: readonly string[];
  /** With one of these options it runs nothing. */
  idle?: readonly string[];
  /** The command may follow a `--` anywhere ("may"), or is only there ("must"). */
  dashes?: "may" | "must";
  /** The row whose options follow the subcommand, if it is not the program's own. */
  optionsOf?: string;
  /** The program that the words are arguments of: `minikube kubectl -- get pods`. */
  program?: string;
  /** Options of which one replaces the command, so that the words are its arguments: `docker run --entrypoint`. */
  entry?: string;
  /** The words are joined to a text for a shell. */
  joined?: true;
  /** The name may be that of another program, so both readings count. */
  ambiguous?: true;
  /** It adds arguments that it reads from stdin. */
  more?: true;
  remote?: true;
  /** Options with two values. */
  twice?: RegExp;
  /** Operands that make it run locally after all. */
  here?: RegExp;
}

/** Commands in a program's arguments, besides the options of `shell`. */
export interface CommandArguments {
  /** Commands that it runs beside what it does itself: `docker exec NAME rm x`. */
  runs?: readonly Wrapper[];
  /** All of them run on another machine, or in a container. */
  remote?: true;
  /** Without a command, what it reads is a text for a shell: always, or with one of these options. */
  stdin?: true | readonly string[];
  /** The keys of its settings whose value is a text for a shell. */
  keys?: RegExp;
  /** Words after which all other arguments are a command. */
  rest?: string;
  /** The same, but the arguments are joined to a text for another shell. */
  foreign?: string;
  /** Words after one of which all other arguments are typed into a terminal. */
  typed?: string;
  /** It runs its operands in a terminal of its own. */
  panes?: true;
  /** Each operand is a text for a shell. */
  operands?: true;
  /** The prefix of a command in the same word. */
  marked?: RegExp;
}

/** How to find shell text in code that a program is given, besides the options of `code` and `source`. */
export interface CodeLanguage {
  find: ShellTextFinder;
  /** The first operand is code, unless an option supplied it. */
  operand?: true;
  /** Each operand may be code. */
  operands?: true;
  /** Stdin is code if no file is given, or if an option says so: `-f -`. */
  stdin?: true;
}

/**
 * Programs by their names, separated by spaces where several have the same arguments. Subcommands follow the name of
 * their program: "git > add stage".
 */
export type ProgramRows = Readonly<Record<string, Program>>;
