import { type Command, readGitArguments } from "bridge-hooks";

/** Programs that don't print contents: they print or look up file names, encrypt files, or change permissions. */
const HARMLESS_PROGRAMS = new Set(
  "echo printf print ls ll stat test [ [[ which basename dirname realpath readlink cd pushd mkdir mktemp touch chmod chown ssh-add ssh-copy-id ssh-keygen apt-key bfg rpm gitleaks trufflehog fd fdfind locate mdfind sops ansible-vault kubeseal git-crypt direnv export declare readonly local typeset true false :".split(
    " ",
  ),
);
const HARMLESS_GIT = new Set([
  "check-ignore",
  "filter-repo",
  "status",
  "ls-files",
  "ls-tree",
  "log",
  "update-index",
  "secrets",
]);

/** Programs that print, change, copy, or send every file they are given, regardless of options. */
const READING_PROGRAMS = new Set(
  (
    "cat tac nl head tail less more most bat batcat wc od hexdump hd xxd strings base64 base32 basenc cut paste sort uniq rev fold fmt " +
    "pr column tr diff diff3 sdiff cmp comm join tee cp mv ln install dd tar bsdtar gtar cpio zip 7z gzip bzip2 xz zstd lz4 rsync scp sftp " +
    "pscp rclone nc ncat netcat grep egrep fgrep zgrep rg ag ack sed awk gawk mawk jq perl vi vim nvim nano emacs ed code open xdg-open " +
    "pbcopy xclip source . type get-content gc copy-item copy move-item shred rm unlink truncate split csplit iconv pandoc mail mutt " +
    "sendmail sha256sum md5sum apply_patch read mapfile readarray"
  ).split(" "),
);
/** Programs that may print or send a file, but may also just use it as a key. */
const SENDING_PROGRAMS = new Set(
  "curl wget http https xh aws gsutil az git docker podman nerdctl kubectl oc k openssl gpg gpg2 socat ssh".split(" "),
);

/** Whether a program prints, changes, copies, or sends a file named in its arguments. */
export const handlesFiles = ({ program, args }: Pick<Command, "program" | "args">): boolean =>
  READING_PROGRAMS.has(program) ||
  (SENDING_PROGRAMS.has(program) && !(program === "git" && readGitArguments(args).verb === "config"));

/** Whether a program's purpose is to print, change, or copy the files it is given. */
export const isReader = ({ program }: Pick<Command, "program">): boolean => READING_PROGRAMS.has(program);

/** Programs that search, move, or remove files but never print a whole file. */
const QUIET_PROGRAMS = new Set(
  "wc sha256sum md5sum cmp grep egrep fgrep zgrep rg ag ack mv rm unlink shred truncate touch code open xdg-open".split(
    " ",
  ),
);

/** Whether a program prints, copies, or sends every file it is given. */
export const printsFiles = (command: Pick<Command, "program" | "args">): boolean =>
  handlesFiles(command) &&
  !QUIET_PROGRAMS.has(command.program) &&
  // Other git commands show only files that are already tracked.
  (command.program !== "git" || /^(?:add|stage)$/.test(readGitArguments(command.args).verb));

/**
 * Programs that normally print only a number, a checksum, or a file type, mapped to the options that make them print
 * more.
 */
const SUMMARY_PROGRAMS: Readonly<Record<string, RegExp>> = {
  wc: /^--files0-from/,
  file: /^(?:-\w*[fm]|--files-from|--magic-file)/,
  sha256sum: /^(?:-\w*c|--check)/,
  md5sum: /^(?:-\w*c|--check)/,
};
/** Options that limit a search's output to counts or file names. */
export const COUNT_OPTION =
  /^(?:-[abEFGhHiInoPrRsTuUvVwxyzZ]*[qclL][a-zA-Z]*|--(?:quiet|silent|count(?:-matches)?|files-with(?:out)?-match(?:es)?))$/;

/** Options that limit git's output to the names and sizes of changes. */
const SUMMARY_OPTION = /^--(?:stat|numstat|shortstat|dirstat|summary|name-only|name-status|quiet)(?:=|$)/;
const PATCH_OPTION = /^(?:-p|-u|-U\d*|--patch.*|--unified.*|--word-diff.*|--binary)$/;

/**
 * Options that limit ripgrep's output to counts or file names. `-L` isn't among them: in ripgrep, it follows symlinks.
 */
const RG_COUNT_OPTION =
  /^(?:-[aFHiInNPsSuUvwxz]*[qcl][a-zA-Z]*|--(?:quiet|count(?:-matches)?|files-with(?:out)?-match(?:es)?))$/;

/** Whether git removes files from the index but leaves them on disk: `git restore --staged .env`. */
export function unstagesFiles(verb: string, args: readonly string[]): boolean {
  const hasOption = (option: RegExp) => args.some((arg) => option.test(arg));
  if (verb === "rm") return args.includes("--cached");
  if (hasOption(/^-\w*p|^--patch$/)) return false;
  return verb === "reset"
    ? !hasOption(/^--(?:hard|merge|keep)$/)
    : verb === "restore" && hasOption(/^-\w*S|^--staged$/) && !hasOption(/^-\w*W|^--worktree$/);
}

/** Whether a command never prints the contents of its files. */
export function isHarmless({ program, args }: Command): boolean {
  const hasOption = (option: RegExp) => args.some((arg) => option.test(arg));
  if (Object.hasOwn(SUMMARY_PROGRAMS, program)) return !hasOption(SUMMARY_PROGRAMS[program] as RegExp);
  if (/^(?:[ef]?grep|rg)$/.test(program))
    return hasOption(program === "rg" ? RG_COUNT_OPTION : COUNT_OPTION) && !hasOption(/^-\w*f|^--file=/);
  if (program === "helm") return args[0] === "secrets" && /^enc(?:rypt)?$/.test(args[1] ?? "");
  if (program !== "git") return HARMLESS_PROGRAMS.has(program);
  const { at, verb } = readGitArguments(args);
  const subcommandArgs = args.slice(at + 1);
  if (verb === "config") return !hasOption(/^(?:-f|--file|--blob)/);
  if (verb === "grep")
    return subcommandArgs.filter((arg) => !arg.startsWith("-")).length === 1 && !subcommandArgs.includes("--");
  if (verb === "diff" || verb === "show") return hasOption(SUMMARY_OPTION) && !hasOption(PATCH_OPTION);
  if (unstagesFiles(verb, subcommandArgs)) return true;
  return (
    HARMLESS_GIT.has(verb) &&
    !(verb === "log" && subcommandArgs.some((arg) => /^(?:-p|-u|--patch.*|-[SGL].*|--follow)$/.test(arg)))
  );
}
