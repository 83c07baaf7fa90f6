import type { Command } from "bridge-hooks";
import { stringsIn } from "./strings.ts";

/** Programs that say, look up or keep names, or change who may read a file: none shows what is in it. */
const HARMLESS = new Set(
  "echo printf print ls ll stat test [ [[ which basename dirname realpath readlink cd pushd mkdir touch chmod chown ssh-add ssh-copy-id ssh-keygen gitleaks trufflehog export declare readonly local typeset true false :".split(
    " ",
  ),
);
const HARMLESS_GIT = new Set(["check-ignore", "status", "ls-files", "ls-tree", "log", "update-index", "secrets"]);

/** Programs whose first operand is a pattern or a program, not a file. */
const PATTERN_FIRST = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "ag",
  "ack",
  "jq",
  "yq",
  "sed",
  "gsed",
  "awk",
  "gawk",
  "mawk",
]);

/** Options whose value is no file, or the pattern of names that are listed. */
const TEXTS = new Set(
  "-m --message --title --body --notes --description -e --regexp -name -iname -path -ipath -wholename -regex -not --exclude --include --exclude-dir --ignore --ignore-path -g --glob --iglob --type --label".split(
    " ",
  ),
);

/** Options of a file that the program uses for itself, without showing it: the key of a connection, an app's settings. */
const USES: Readonly<Record<string, readonly string[]>> = {
  "": "--env-file --env-file-if-exists --from-env-file --kubeconfig --private-key --key-file --keyfile --certfile --ssl-keyfile --ssl-certfile --netrc-file --identity-file".split(
    " ",
  ),
  ssh: ["-i", "-F", "-o"],
  scp: ["-i", "-F", "-o"],
  sftp: ["-i", "-F", "-o"],
  autossh: ["-i"],
  mosh: ["--ssh"],
  curl: ["--key", "--cert", "-E", "--cacert"],
  docker: ["--secret"],
  podman: ["--secret"],
  kubectl: ["--key", "--cert"],
  openssl: ["-key", "-inkey", "-signkey", "-CAkey", "-sign"],
  wget: ["--certificate", "--ca-certificate"],
  ansible: ["--vault-password-file"],
  "ansible-playbook": ["--vault-password-file"],
};

/** Options behind which a program makes a key. */
const MAKES: Readonly<Record<string, readonly string[]>> = {
  openssl: ["-keyout", "-out"],
  mkcert: ["-key-file", "-cert-file"],
};

/** Languages whose programs may stand in the line, and the options they stand behind. */
const LANGUAGE = /^(?:node|bun|deno|tsx|python[\d.]*|pypy3?|ruby|perl|php|lua|osascript)$/;
const CODE = /^(?:-\w*[ecprE]|--eval|--print|eval)$/;
/** Characters of a string that may be a file's name. */
const LONGEST = 300;

/** A word of a command that may be a file. */
export interface Operand {
  text: string;
  /** It holds wildcards. */
  pattern?: boolean;
  /** It is made: what was not there before tells nothing. */
  made?: boolean;
}

/** Where the words begin that git's own options don't take, and the first of them. */
export function gitVerb(args: readonly string[]): { at: number; verb: string } {
  let at = 0;
  while (args[at]?.startsWith("-"))
    at += ["-C", "-c", "--git-dir", "--work-tree", "--namespace"].includes(args[at] as string) ? 2 : 1;
  return { at, verb: args[at] ?? "" };
}

function isHarmless({ program, args }: Command): boolean {
  if (program !== "git") return HARMLESS.has(program);
  const { at, verb } = gitVerb(args);
  const rest = args.slice(at + 1);
  if (verb === "grep") return rest.filter((arg) => !arg.startsWith("-")).length === 1 && !rest.includes("--");
  if (verb === "rm") return rest.includes("--cached");
  return (
    HARMLESS_GIT.has(verb) &&
    !(verb === "log" && rest.some((arg) => /^(?:-p|-u|--patch.*|-[SGL].*|--follow)$/.test(arg)))
  );
}

/** The words of a command that may be files, and the files it is redirected from and to. */
export function operandsOf(command: Command): Operand[] {
  const { program, args, dynamic, redirects, patched } = command;
  const found: Operand[] = patched.flatMap(({ file_path, moved_to }) =>
    [file_path, ...(moved_to ? [moved_to] : [])].map((text) => ({ text })),
  );
  for (const { operator, target, dynamic: live } of redirects)
    if (!operator.startsWith("<<") && !/^(?:\d+|-)$/.test(target)) found.push(operand(target, live));
  if (isHarmless(command)) return found;
  const git = program === "git" ? gitVerb(args) : undefined;
  const of = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.hasOwn(table, program) ? (table[program] as string[]) : [];
  const uses = [...(USES[""] as string[]), ...of(USES)];
  const makes = of(MAKES);
  // `-i key` may be written `-ikey`.
  const isUse = (arg: string, option: string) =>
    uses.includes(option) || uses.some((use) => use.length === 2 && arg.startsWith(use));
  if (LANGUAGE.test(program)) for (const { text } of redirects) found.push(...literals(text ?? ""));
  let first = PATTERN_FIRST.has(program) || git?.verb === "grep";
  for (let at = git ? git.at + 1 : 0; at < args.length; at++) {
    const arg = args[at] as string;
    const [option = ""] = arg.split("=", 1);
    if (LANGUAGE.test(program) && CODE.test(arg)) found.push(...literals(args[++at] ?? ""));
    else if (makes.includes(arg)) found.push({ text: args[++at] ?? "", made: true });
    else if (TEXTS.has(arg) || uses.includes(arg)) {
      at++;
      first &&= arg !== "-e" && arg !== "--regexp";
    } else if (arg.startsWith("-") && (TEXTS.has(option) || isUse(arg, option))) continue;
    else if (first && !arg.startsWith("-")) first = false;
    else found.push(operand(arg, dynamic[at]));
  }
  return found;
}

const operand = (text: string, live: string | undefined): Operand => ({
  text,
  ...(live !== undefined && /(?<!\\)[*?[]/.test(live) && { pattern: true }),
});

const literals = (code: string): Operand[] =>
  [...stringsIn(code)].flatMap(([start, end]) =>
    end - start > 2 && end - start <= LONGEST + 2 ? { text: code.slice(start + 1, end - 1) } : [],
  );

/** The parts of a word that may be paths: `@.env`, `file=@.env`, `host:.env`, `HEAD:.env`, `a,b`. */
export const pathsIn = (word: string): string[] =>
  (/[=:@,;]/.test(word) ? [...new Set([word, ...word.split(/[=:@,;]/)])] : [word]).filter((part) => part !== "");
