import { type Command, isInterpreter, optionKind, readGitArguments, takesPattern } from "bridge-hooks";
import { findStrings } from "./strings.ts";

/** Programs that say, look up or keep names, or change who may read a file: none shows what is in it. */
const HARMLESS_PROGRAMS = new Set(
  "echo printf print ls ll stat test [ [[ which basename dirname realpath readlink cd pushd mkdir touch chmod chown ssh-add ssh-copy-id ssh-keygen gitleaks trufflehog export declare readonly local typeset true false :".split(
    " ",
  ),
);
const HARMLESS_GIT = new Set(["check-ignore", "status", "ls-files", "ls-tree", "log", "update-index", "secrets"]);

/** Options whose value is no file, or the pattern of names that are listed. */
const TEXT_OPTIONS = new Set(
  "-m --message --title --body --notes --description -e --regexp -name -iname -path -ipath -wholename -regex -not --exclude --include --exclude-dir --ignore --ignore-path -g --glob --iglob --type --label".split(
    " ",
  ),
);

/** Options of a file that a program uses for itself, without showing it, whatever program that is. */
const USED_FILE_OPTIONS = new Set(
  "--env-file --env-file-if-exists --from-env-file --kubeconfig --private-key --key-file --keyfile --certfile --ssl-keyfile --ssl-certfile --netrc-file --identity-file".split(
    " ",
  ),
);

/** Characters of a string that may be a file's name. */
const MAX_STRING_LENGTH = 300;

/** A word of a command that may be a file. */
export interface FileOperand {
  text: string;
  /** It holds wildcards. */
  pattern?: boolean;
  /** It is made: what was not there before tells nothing. */
  isCreated?: boolean;
}

function isHarmless({ program, args }: Command): boolean {
  if (program !== "git") return HARMLESS_PROGRAMS.has(program);
  const { at, verb } = readGitArguments(args);
  const rest = args.slice(at + 1);
  if (verb === "grep") return rest.filter((arg) => !arg.startsWith("-")).length === 1 && !rest.includes("--");
  if (verb === "rm") return rest.includes("--cached");
  return (
    HARMLESS_GIT.has(verb) &&
    !(verb === "log" && rest.some((arg) => /^(?:-p|-u|--patch.*|-[SGL].*|--follow)$/.test(arg)))
  );
}

/** The words of a command that may be files, and the files it is redirected from and to. */
export function findFileOperands(command: Command): FileOperand[] {
  const { program, args, dynamic, redirects, patched } = command;
  const found: FileOperand[] = patched.flatMap(({ file_path, moved_to }) =>
    [file_path, ...(moved_to ? [moved_to] : [])].map((text) => ({ text })),
  );
  for (const { operator, target, dynamic: live } of redirects)
    if (!operator.startsWith("<<") && !/^(?:\d+|-)$/.test(target)) found.push(toOperand(target, live));
  if (isHarmless(command)) return found;
  const git = program === "git" ? readGitArguments(args) : undefined;
  const row = git ? `git ${git.verb}` : program;
  const isUsed = (option: string) =>
    USED_FILE_OPTIONS.has(option) || /^(?:uses|settings)$/.test(optionKind(row, option) ?? "");
  const isCode = (option: string) => /^(?:code|source)$/.test(optionKind(row, option) ?? "");
  const runsCode = isInterpreter(program);
  if (runsCode) for (const { text } of redirects) found.push(...findLiterals(text ?? ""));
  let first = takesPattern(row);
  for (let at = git ? git.at + 1 : 0; at < args.length; at++) {
    const arg = args[at] as string;
    // `--key=x`, `-ikey`, `-pe`
    const [option = ""] = arg.split("=", 1);
    const letters = /^-[^-]/.test(arg) ? [arg.slice(0, 2), `-${arg.at(-1)}`] : [];
    if (isCode(option) || letters.some(isCode)) first = false;
    if (runsCode && (arg === "eval" || [arg, ...letters.slice(1)].some((one) => optionKind(row, one) === "code")))
      found.push(...findLiterals(args[++at] ?? ""));
    else if (optionKind(row, arg) === "makes") found.push({ text: args[++at] ?? "", isCreated: true });
    else if (TEXT_OPTIONS.has(arg) || isUsed(arg)) {
      at++;
      first &&= arg !== "-e" && arg !== "--regexp";
    } else if (arg.startsWith("-") && (TEXT_OPTIONS.has(option) || isUsed(option) || isUsed(arg.slice(0, 2)))) continue;
    else if (first && !arg.startsWith("-")) first = false;
    else found.push(toOperand(arg, dynamic[at]));
  }
  return found;
}

const toOperand = (text: string, live: string | undefined): FileOperand => ({
  text,
  ...(live !== undefined && /(?<!\\)[*?[]/.test(live) && { pattern: true }),
});

const findLiterals = (code: string): FileOperand[] =>
  [...findStrings(code)].flatMap(([start, end]) =>
    end - start > 2 && end - start <= MAX_STRING_LENGTH + 2 ? { text: code.slice(start + 1, end - 1) } : [],
  );

/** The parts of a word that may be paths: `@.env`, `file=@.env`, `host:.env`, `HEAD:.env`, `a,b`. */
export const splitPaths = (word: string): string[] =>
  (/[=:@,;]/.test(word) ? [...new Set([word, ...word.split(/[=:@,;]/)])] : [word]).filter((part) => part !== "");
