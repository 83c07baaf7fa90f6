import {
  type Command,
  isInterpreter,
  listJoinedStrings,
  listScriptFiles,
  optionKind,
  readGitArguments,
  resolveWord,
  takesPattern,
} from "bridge-hooks";
import { isPublicUrl } from "./files.ts";
import { findStrings } from "./strings.ts";

/** Programs that say, look up or keep names, encrypt a file, or change who may read it: none shows what is in it. */
const HARMLESS_PROGRAMS = new Set(
  "echo printf print ls ll stat test [ [[ which basename dirname realpath readlink cd pushd mkdir mktemp touch chmod chown ssh-add ssh-copy-id ssh-keygen apt-key rpm gitleaks trufflehog fd fdfind locate mdfind sops ansible-vault kubeseal git-crypt direnv export declare readonly local typeset true false :".split(
    " ",
  ),
);
const HARMLESS_GIT = new Set(["check-ignore", "status", "ls-files", "ls-tree", "log", "update-index", "secrets"]);

/** Options whose value is not a file, or the pattern of names that are listed. */
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

/** How an option's name ends whose value is a key, a certificate or what they are kept in, in small letters. */
const KEY_OPTION =
  /(?:keys?|certs?|certificates?|chain|pem|p12|pfx|pkcs12|ca|bundle|(?:key|trust)[-_.]?store|[-_.]ks|identity|signer|recip|credentials?|service-account)[-_.]?(?:file|path|pair|location|store)?$/;
/** Options of a file that a program writes its result to, whatever program that is. */
const OUTPUT_OPTION = /^--(?:out|output)(?:[-_]?file|[-_]path)?$/;
/**
 * Programs that show, change, copy or send the files among their arguments: an option of theirs makes no other use of
 * one.
 */
const READING_PROGRAMS = new Set(
  (
    "cat tac nl head tail less more most bat batcat wc od hexdump hd xxd strings base64 base32 basenc cut paste sort uniq rev fold fmt " +
    "pr column tr diff diff3 sdiff cmp comm join tee cp mv ln install dd tar bsdtar gtar cpio zip 7z gzip bzip2 xz zstd lz4 rsync scp sftp " +
    "pscp rclone nc ncat netcat grep egrep fgrep zgrep rg ag ack sed awk gawk mawk jq perl vi vim nvim nano emacs ed code open xdg-open " +
    "pbcopy xclip source . type get-content gc copy-item copy move-item shred rm unlink truncate split csplit iconv pandoc mail mutt " +
    "sendmail sha256sum md5sum apply_patch read mapfile readarray"
  ).split(" "),
);
/** Those that may do so, and use keys as well. */
const SENDING_PROGRAMS = new Set(
  "curl wget http https xh aws gsutil az git docker podman nerdctl kubectl oc k openssl gpg gpg2 socat ssh".split(" "),
);

/**
 * Whether a program is there to show, change, copy or send files: a file's name among its arguments means that file.
 */
export const handlesFiles = ({ program, args }: Pick<Command, "program" | "args">): boolean =>
  READING_PROGRAMS.has(program) ||
  (SENDING_PROGRAMS.has(program) && !(program === "git" && readGitArguments(args).verb === "config"));

/** Whether a program is there to show, change or copy the files among its arguments. */
export const isReader = ({ program }: Pick<Command, "program">): boolean => READING_PROGRAMS.has(program);

/** Those that look into files, or move and remove them: what is in them stays where it was. */
const QUIET_PROGRAMS = new Set(
  "wc sha256sum md5sum cmp grep egrep fgrep zgrep rg ag ack mv rm unlink shred truncate touch code open xdg-open".split(
    " ",
  ),
);

/** Whether a program shows, copies or sends whatever files it is given. */
export const showsFiles = (command: Pick<Command, "program" | "args">): boolean =>
  handlesFiles(command) &&
  !QUIET_PROGRAMS.has(command.program) &&
  // Git shows what it has of files: those that nobody gave it are not among them.
  (command.program !== "git" || /^(?:add|stage)$/.test(readGitArguments(command.args).verb));

/** Clients that take requests as a text. */
const TRANSFER_PROGRAMS = new Set("sftp ftp lftp tftp ncftp smbclient psftp".split(" "));

/** What of a key `openssl` shows with these arguments: nothing but its public half, or whether it is one. */
function isPublicOutput({ program, args }: Command): boolean {
  if (program !== "openssl") return false;
  const has = (...options: string[]) => options.some((option) => args.includes(option));
  if (/^(?:x509|crl|verify)$/.test(args[0] ?? "")) return true;
  if (args[0] === "pkcs12") return has("-nokeys", "-noout") || (has("-export") && has("-out"));
  return /^(?:rsa|dsa|ec|pkey)$/.test(args[0] ?? "") && has("-pubout", "-noout") && !has("-text");
}

/** What writes a new key to its output. */
const isMakingKey = ({ program, args }: Command): boolean =>
  program === "openssl"
    ? /^(?:gen|rand$|ecparam$|dhparam$)/.test(args[0] ?? "")
    : program === "wg"
      ? args[0]?.startsWith("gen") === true
      : program === "age-keygen";

/** Whether the word is the option of a program that fetches for the file to put it into: `-o`, `-qO`. */
const isDownloadOption = (program: string, arg: string): boolean =>
  program === "curl"
    ? /^(?:--output|-[A-Za-z]*o)$/.test(arg)
    : program === "wget" && /^(?:--output-document|-[A-Za-z]*O)$/.test(arg);

/** Whether `kubectl create secret` gets its files: it keeps them. */
const isKeepingSecret = ({ program, args }: Command): boolean =>
  KUBERNETES.test(program) && args.includes("create") && args.includes("secret");

/** Whether Kubernetes is told what is in a manifest, and shows nothing of it. */
const isManifestUse = ({ program, args }: Command, option: string): boolean =>
  KUBERNETES.test(program) &&
  /^(?:-f|--filename)$/.test(option) &&
  MANIFEST_VERB.test(args.find((arg) => !arg.startsWith("-")) ?? "") &&
  !args.some((arg) => /^(?:-o|--output|-v|--v=)/.test(arg));

/** Characters of a string that may be a file's name. */
const MAX_STRING_LENGTH = 300;

/** A word of a command that may be a file. */
export interface FileOperand {
  text: string;
  /** It holds wildcards. */
  pattern?: boolean;
  /** It is made: what was not there before tells nothing. */
  isCreated?: boolean;
  /** It is named by an option that uses a key: one is not shown. */
  isKeyUse?: boolean;
  /** It stands where nothing but a file does: behind `<` and `>`, or in code. */
  isFile?: boolean;
}

/** Programs that tell no more than a number, or a name, unless an option of theirs says otherwise. */
const TELLS_LITTLE: Readonly<Record<string, RegExp>> = {
  wc: /^--files0-from/,
  file: /^(?:-\w*[fm]|--files-from|--magic-file)/,
  sha256sum: /^(?:-\w*c|--check)/,
  md5sum: /^(?:-\w*c|--check)/,
};
const KUBERNETES = /^(?:kubectl|oc|k)$/;
/** Options with which a search tells no more than how often, or where. */
const TELLS_NO_LINE = /^(?:-[a-zA-Z]*[qclL]|--(?:quiet|silent|count|files-with(?:out)?-match(?:es)?))$/;
/** What Kubernetes is told of objects, without showing them. */
const MANIFEST_VERB = /^(?:apply|create|delete|replace|diff)$/;

/** Whether a command shows nothing of the files that it is given. */
export function isHarmless({ program, args }: Command): boolean {
  const has = (option: RegExp) => args.some((arg) => option.test(arg));
  if (Object.hasOwn(TELLS_LITTLE, program)) return !has(TELLS_LITTLE[program] as RegExp);
  if (/^[ef]?grep$/.test(program)) return has(TELLS_NO_LINE) && !has(/^-\w*f|^--file=/);
  if (program === "helm") return args[0] === "secrets" && /^enc(?:rypt)?$/.test(args[1] ?? "");
  if (program !== "git") return HARMLESS_PROGRAMS.has(program);
  const { at, verb } = readGitArguments(args);
  const rest = args.slice(at + 1);
  if (verb === "config") return !has(/^(?:-f|--file|--blob)/);
  if (verb === "grep") return rest.filter((arg) => !arg.startsWith("-")).length === 1 && !rest.includes("--");
  if (verb === "rm") return rest.includes("--cached");
  return (
    HARMLESS_GIT.has(verb) &&
    !(verb === "log" && rest.some((arg) => /^(?:-p|-u|--patch.*|-[SGL].*|--follow)$/.test(arg)))
  );
}

/** What options begin with: no other word is asked about below. */
const OPTION_START = /^[-/]/;

/** The words of a command that may be files, and the files it is redirected from and to. */
export function findFileOperands(command: Command): FileOperand[] {
  const { program, args, dynamic, redirects, patched } = command;
  const harmless = isHarmless(command);
  const found: FileOperand[] = patched.flatMap(({ file_path, moved_to }) =>
    [file_path, ...(moved_to ? [moved_to] : [])].map((text) => ({ text })),
  );
  for (const { operator, target, dynamic: live } of redirects)
    if (!operator.startsWith(harmless ? "<" : "<<") && !/^(?:\d+|-)$/.test(target))
      found.push({
        ...toOperand(target, live),
        isFile: true,
        ...(operator.startsWith(">") && isMakingKey(command) && { isCreated: true }),
      });
  if (harmless) return found;
  found.push(...findSearchedNames(command));
  for (const { text } of listScriptFiles(command)) found.push({ text, isFile: true });
  if (TRANSFER_PROGRAMS.has(program)) found.push(...findTransfers(command));
  const git = program === "git" ? readGitArguments(args) : undefined;
  const row = git ? `git ${git.verb}` : program;
  const isUsed = (option: string) =>
    USED_FILE_OPTIONS.has(option) || /^(?:uses|settings)$/.test(optionKind(row, option) ?? "");
  const usesKeys = !READING_PROGRAMS.has(program);
  const isKeyOption = (option: string) =>
    usesKeys &&
    (KEY_OPTION.test(option.toLowerCase()) ||
      (option === "-i" && !handlesFiles(command)) ||
      (option === "--ssh" && /^(?:docker|podman)$/.test(program)) ||
      (option === "--set-file" && program === "helm") ||
      (option === "--from-file" && isKeepingSecret(command)) ||
      (option === "-in" && isPublicOutput(command)));
  // Before the pattern, so that a number is not taken for it: `grep -nA 3 x file`.
  const isValueOption = (option: string) =>
    !TEXT_OPTIONS.has(option) &&
    (optionKind(row, option) === "text" ||
      (/^-[A-Za-z]{2,}$/.test(option) && optionKind(row, `-${option.at(-1)}`) === "text"));
  const isOutputOption = (option: string) => usesKeys && OUTPUT_OPTION.test(option);
  const isCode = (option: string) => /^(?:code|source)$/.test(optionKind(row, option) ?? "");
  const runsCode = isInterpreter(program);
  if (runsCode) for (const { text } of redirects) found.push(...findLiterals(text ?? ""));
  let first = takesPattern(row);
  for (let at = git ? git.at + 1 : 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!OPTION_START.test(arg) && !(runsCode && arg === "eval")) {
      if (first) first = false;
      else found.push(...toOperands(arg, dynamic[at]));
      continue;
    }
    // `--key=x`, `-ikey`, `-pe`
    const [option = ""] = arg.split("=", 1);
    const letters = /^-[^-]/.test(arg) ? [arg.slice(0, 2), `-${arg.at(-1)}`] : [];
    if (isCode(option) || letters.some(isCode)) first = false;
    if (runsCode && (arg === "eval" || [arg, ...letters.slice(1)].some((one) => optionKind(row, one) === "code")))
      found.push(...findLiterals(args[++at] ?? ""));
    else if (first && isValueOption(arg)) at++;
    else if (optionKind(row, arg) === "makes" || isDownloadOption(program, arg) || isOutputOption(arg))
      found.push({ text: args[++at] ?? "", isCreated: true });
    else if (arg !== option && isOutputOption(option))
      found.push({ text: arg.slice(option.length + 1), isCreated: true });
    else if (isManifestUse(command, arg) && /\.ya?ml$/i.test(args[at + 1] ?? "")) at++;
    else if (
      TEXT_OPTIONS.has(arg) ||
      isUsed(arg) ||
      (/^(?:log|diff|show)$/.test(git?.verb ?? "") && /^-[SG]$/.test(arg))
    ) {
      at++;
      first &&= arg !== "-e" && arg !== "--regexp";
    } else if (arg.startsWith("-") && isKeyOption(option)) {
      if (arg !== option) found.push({ ...toOperand(arg, dynamic[at]), isKeyUse: true });
      else if (!/^-|^$/.test(args[at + 1] ?? ""))
        found.push({ ...toOperand(args[++at] ?? "", dynamic[at]), isKeyUse: true });
    } else if (arg.startsWith("-") && (TEXT_OPTIONS.has(option) || isUsed(option) || isUsed(arg.slice(0, 2)))) continue;
    else if (first && !arg.startsWith("-")) first = false;
    else found.push(toOperand(arg, dynamic[at]));
  }
  return found;
}

/** What the requests of a file transfer name, which stand in one word or on the input: `put .env`. */
const findTransfers = ({ args, redirects }: Command): FileOperand[] =>
  [...args, ...redirects.map(({ operator, target, text }) => (operator === "<<<" ? target : (text ?? "")))]
    .filter((word) => /\s/.test(word))
    .flatMap((word) => word.split(/[\s;"']+/).map((text) => ({ text })));

/** A word as what it may be: with what stands before a variable that may be empty, `.env$x`. */
const toOperands = (text: string, live: string | undefined): FileOperand[] => {
  const operand = toOperand(text, live);
  if (live === undefined || !/[$`]/.test(live)) return [operand];
  const value = resolveWord({ text, dynamic: live }, { home: "~", current: "." });
  return value.kind === "below" ? [operand, { text: value.text }] : [operand];
};

const toOperand = (text: string, live: string | undefined): FileOperand => ({
  text,
  ...(live !== undefined && /(?<!\\)[*?[]/.test(live) && { pattern: true }),
});

const findLiterals = (code: string): FileOperand[] => [
  ...[...findStrings(code)].flatMap(([start, end]) =>
    end - start > 2 && end - start <= MAX_STRING_LENGTH + 2
      ? { text: code.slice(start + 1, end - 1), isFile: true as const }
      : [],
  ),
  ...listJoinedStrings(code).flatMap((text) =>
    text.length <= MAX_STRING_LENGTH ? { text, isFile: true as const } : [],
  ),
];

/** Options of a search that choose the files which it looks into: `--include=.env`, `-g .env`. */
const CHOOSING_OPTION = /^(?:--include|--glob|--iglob|-g)$/;
const SEARCHES = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ugrep", "ack", "ag"]);

/** The names of files that a search is told to look into. What a pattern with `!` leaves out is not among them. */
function findSearchedNames({ program, args }: Command): FileOperand[] {
  if (!SEARCHES.has(program) || args.some((arg) => arg === "--files" || TELLS_NO_LINE.test(arg))) return [];
  const isRegex = program === "ag" || program === "ack";
  const values = args.flatMap((arg, at) => {
    const [option = ""] = arg.split("=", 1);
    if (isRegex) return arg === "-G" || option === "--file-search-regex" ? (args[at + 1] ?? "") : [];
    if (CHOOSING_OPTION.test(arg)) return args[at + 1] ?? "";
    if (CHOOSING_OPTION.test(option)) return arg.slice(option.length + 1);
    return /^-g./.test(arg) ? arg.slice(2) : [];
  });
  return values
    .filter((value) => !value.startsWith("!"))
    .map((value) => (isRegex ? value.replace(/[\\^$]/g, "") : value))
    .map((text) => ({ text, isFile: true, ...(/[*?[]/.test(text) && { pattern: true }) }));
}

/** A word without the URLs in it of keys and certificates that are for all to fetch. */
const removePublicUrls = (word: string): string =>
  word.includes("://")
    ? word
        .split(/([\s"',;]+)/)
        .map((part) => {
          const at = part.search(/(?:https?|ftp):\/\//i);
          return at >= 0 && isPublicUrl(part.slice(at)) ? part.slice(0, at) : part;
        })
        .join("")
    : word;

/**
 * The parts of a word that may be paths: `@.env`, `file=@.env`, `host:.env`, `HEAD:.env`, `a,b`; not what stands before
 * "=".
 */
export function splitPaths(word: string): string[] {
  if (!/[=:@,;]/.test(word)) return word === "" ? [] : [word];
  const parts = removePublicUrls(word).split(/([=:@,;])/);
  return [...new Set([word, ...parts.filter((_, at) => at % 2 === 0 && parts[at + 1] !== "=")])].filter(Boolean);
}
