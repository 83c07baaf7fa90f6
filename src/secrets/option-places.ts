import { type MappedText, type ShellWord, splitWords } from "./quotes.ts";
import type { Secret } from "./scan.ts";
import { isSecretValue, nameKind, type NameStrength, rateName, readLiteral } from "./secret-names.ts";

/** Where a program takes a secret. */
interface SecretOptions {
  /** Words one of which has to stand before. */
  after?: readonly string[];
  /** Options whose value is the next word, or stands behind `=`. */
  options?: readonly string[];
  /** Options whose value is in the same word: `-pSECRET`. */
  attached?: readonly string[];
  /** Options with `user:password`, and what stands between the two. */
  pairs?: readonly string[];
  between?: string;
  /** Words one of which has to stand anywhere behind the program. */
  with?: readonly string[];
  /** Short options without a value, which may stand in one word with others: `-su`. */
  flags?: string;
  /** Operands are `NAME=SECRET`. */
  assignments?: true;
  /** The words that are no options are secrets, but for the first ones. */
  operandsFrom?: number;
  /** It reads a secret from stdin. */
  stdin?: boolean;
}

/** Programs by their names; several entries of one count together. */
const PROGRAMS: readonly (readonly [names: string, places: SecretOptions])[] = [
  [
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mycli mariadb mariadb-dump mariadb-admin",
    { attached: ["-p"] },
  ],
  ["mysqladmin mariadb-admin", { after: ["password"], operandsFrom: 0 }],
  ["sshpass", { options: ["-p"], attached: ["-p"] }],
  [
    "docker podman nerdctl buildah skopeo helm oras crane regctl az acr oc twine heroku",
    { after: ["login", "upload"], options: ["-p"], attached: ["-p"] },
  ],
  ["docker podman nerdctl buildah helm oras", { after: ["--password-stdin"], stdin: true }],
  ["skopeo podman buildah", { pairs: ["--creds", "--src-creds", "--dest-creds"] }],
  [
    "curl",
    {
      pairs: ["-u", "-U", "-E", "--user", "--proxy-user", "--cert", "--proxy-cert"],
      flags: "#012346BGIJLMNORSZafgijklnpqsv",
    },
  ],
  ["curl http https xh xhs", { pairs: ["-b", "--cookie"], between: "=" }],
  ["http https xh xhs hey", { pairs: ["-a", "--auth"] }],
  ["ab", { pairs: ["-A", "-P"] }],
  ["redis-cli valkey-cli keydb-cli", { options: ["-a"] }],
  ["redis-cli valkey-cli", { after: ["AUTH", "auth", "requirepass", "masterauth"], operandsFrom: 0 }],
  ["mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", { options: ["-p"], attached: ["-p"] }],
  ["ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare", { options: ["-w"], attached: ["-w"] }],
  ["smbclient rpcclient smbmap smbget net", { pairs: ["-U", "--user"], between: "%" }],
  ["net", { after: ["use", "user"], operandsFrom: 2 }],
  [
    "mosquitto_pub mosquitto_sub mosquitto_rr sqlcmd bcp osql isql tsql ipmitool",
    { options: ["-P"], attached: ["-P"] },
  ],
  [
    "mosquitto_passwd htpasswd",
    { after: ["-b", "-nb", "-bn", "-cb", "-bc", "-bB", "-Bb", "-nbB", "-bnB", "-nBb", "-cbB"], operandsFrom: 2 },
  ],
  ["htpasswd", { after: ["-nb", "-bn", "-nbB", "-bnB", "-nBb"], operandsFrom: 1 }],
  ["7z 7za 7zr 7zz rar unrar", { attached: ["-p", "-hp"] }],
  ["zip unzip", { options: ["-P"], attached: ["-P"] }],
  ["openssl", { options: ["-k", "-K"] }],
  ["openssl mkpasswd", { after: ["passwd", "mkpasswd"], operandsFrom: 0 }],
  ["vault bao", { after: ["login"], operandsFrom: 0 }],
  ["cargo snyk ngrok", { after: ["login", "auth", "authtoken", "add-authtoken"], operandsFrom: 0 }],
  ["plink pscp psftp putty klink", { options: ["-pw"] }],
  ["xfreerdp xfreerdp3 wfreerdp psexec psexec64 winrs", { options: ["/p", "-p"], attached: ["/p:", "-p:"] }],
  ["rdesktop ncftp ncftpget ncftpput cqlsh signtool certutil", { options: ["-p", "/p"] }],
  ["lftp", { pairs: ["-u", "--user"], between: "," }],
  ["sqlplus expdp impdp sqlldr rman sqlcl", { pairs: [""], between: "/" }],
  ["schtasks", { options: ["/rp"] }],
  ["cmdkey", { attached: ["/pass:"] }],
  ["snmpget snmpwalk snmpset snmpbulkwalk", { options: ["-c", "-A", "-X"] }],
  ["security", { options: ["-w", "-p"] }],
  ["ssh-keygen", { options: ["-N", "-P"] }],
  ["wpa_passphrase", { operandsFrom: 1 }],
  ["rclone", { after: ["obscure"], operandsFrom: 0 }],
  ["ansible-vault", { after: ["encrypt_string"], operandsFrom: 0 }],
  ["bw", { after: ["unlock"], operandsFrom: 0 }],
  ["bw", { after: ["login"], operandsFrom: 1 }],
  ["nuget dotnet", { after: ["push"], options: ["-k", "-ApiKey"] }],
  ["gh glab fly flyctl", { after: ["secret", "secrets", "variable"], stdin: true }],
  ["fly flyctl doppler supabase railway", { after: ["secrets"], assignments: true }],
  ["doppler", { after: ["set"], operandsFrom: 1 }],
  ["netlify ntl", { after: ["env:set"], operandsFrom: 1 }],
  ["pulumi", { after: ["set"], with: ["--secret"], operandsFrom: 1 }],
  ["vault bao", { after: ["kv"], assignments: true }],
  ["aws", { with: ["SecureString", "--type=SecureString"], options: ["--value"] }],
  ["az", { after: ["keyvault"], options: ["--value"] }],
  ["kubectl oc", { after: ["secret"], pairs: ["--from-literal"], between: "=", stdin: true }],
  ["docker podman", { after: ["secret"], stdin: true }],
  ["pass gopass", { after: ["insert"], stdin: true }],
  ["gcloud", { after: ["secrets"], stdin: true }],
  ["vercel", { after: ["env"], stdin: true }],
  ["gh glab", { after: ["secret", "variable"], options: ["-b", "--body"] }],
  ["gh", { after: ["--with-token"], stdin: true }],
  ["vercel", { options: ["-t"] }],
  ["convertto-securestring", { operandsFrom: 0, options: ["-String"] }],
  ["sudo doas", { after: ["-S", "-kS", "-Sk"], stdin: true }],
  ["chpasswd passwd smbpasswd cryptsetup kinit su vault gpg wrangler", { stdin: true }],
];

const BY_NAME = new Map<string, SecretOptions[]>();
for (const [names, places] of PROGRAMS)
  for (const name of names.split(" ")) BY_NAME.set(name, [...(BY_NAME.get(name) ?? []), places]);

/** Names of programs that take secrets in ways of their own: where a text has none, they are not looked for. */
export const SECRET_PROGRAMS: readonly string[] = [...BY_NAME.keys()];

const getProgram = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/^[[({]/, "")
    .replace(/\.exe$/, "");

/** A line within a line: `bash -c "mysql -pSECRET"`. */
const MAX_DEPTH = 3;

/** The secrets in a text that are known by the option of a program, or by an option's name. */
export function findOptionSecrets(text: MappedText, depth = 0): Secret[] {
  const found: Secret[] = [];
  const words = splitWords(text);
  const commands = listCommands(words);
  for (const [at, command] of commands.entries()) {
    findNamedOptions(command.words, found);
    findProgramOptions(command, found);
    if (command.words.some(({ isHereDocument }) => isHereDocument))
      findInHereDocument(commands.slice(at, at + MAX_HERE_LINES), found);
  }
  if (depth < MAX_DEPTH)
    for (const word of words) if (/\s/.test(word.text)) found.push(...findOptionSecrets(word, depth + 1));
  return found;
}

const MAX_HERE_LINES = 50;
/** What these read from a document is a script or data. */
const SCRIPT_READERS = /^(?:su|gpg|vault|bao|kubectl|oc)$/;

/** The secrets in the lines of `chpasswd <<EOF` and `cat <<EOF | chpasswd`; `sudo -S` reads only the first one. */
function findInHereDocument(commands: readonly Command[], found: Secret[]): void {
  let reader = commands[0];
  while (reader && !readsSecret(reader)) reader = reader.next;
  const program = getProgram(reader?.words.find(({ text }) => BY_NAME.has(getProgram(text)))?.text ?? "");
  if (program === "" || SCRIPT_READERS.test(program)) return;
  const first = commands.findIndex(endsLine) + 1;
  if (first === 0) return;
  const end = commands[0]?.words.find(({ isHereDocument }) => isHereDocument)?.text;
  for (const { words } of commands.slice(first)) {
    if (words.length === 1 && words[0]?.text === end) return;
    for (const word of words) if (isSecretWord(word, 0, "strong")) addPart(found, "password", word);
    if (endsLine({ words }) && /^(?:sudo|doas)$/.test(program)) return;
  }
}

const endsLine = ({ words }: Command): boolean => words.at(-1)?.endsCommand === "line";

/** Whether a word is a secret from one of its characters on. */
function isSecretWord({ text, isLiteral }: ShellWord, from: number, strength: NameStrength): boolean {
  const value = text.slice(from);
  return isSecretValue(isLiteral(from) ? readLiteral(value) : value, strength);
}

interface Command {
  words: readonly ShellWord[];
  /** The command that its output goes to. */
  next?: Command;
}

function listCommands(words: readonly ShellWord[]): Command[] {
  const commands: Command[] = [];
  let from = 0;
  let isPiped = false;
  for (const [at, { endsCommand }] of words.entries()) {
    if (!endsCommand && at + 1 < words.length) continue;
    const command: Command = { words: words.slice(from, at + 1) };
    const last = commands.at(-1);
    if (isPiped && last) last.next = command;
    commands.push(command);
    isPiped = endsCommand === "pipe";
    from = at + 1;
  }
  return commands;
}

const addPart = (found: Secret[], kind: string, word: ShellWord, from = 0) => {
  if (from >= word.text.length) return;
  const start = from === 0 ? word.locate(0) : word.locate(from);
  found.push({ kind, start, end: Math.max(start + 1, word.locate(word.text.length - 1) + 1) });
};

const OPTION = /^(?:--?|\/)[A-Za-z][\w.-]{1,60}$/;

/** `--password SECRET`: whatever the program is. */
function findNamedOptions(words: readonly ShellWord[], found: Secret[]): void {
  for (let at = 0; at + 1 < words.length; at++) {
    const option = (words[at] as ShellWord).text;
    const value = words[at + 1] as ShellWord;
    if (!OPTION.test(option) || option.startsWith("/") || /^--?\w/.test(value.text)) continue;
    const strength = rateName(option);
    const isForm = /^(?:id|src|source|type|env)=/.test(value.text);
    if (!isForm && isSecretWord(value, 0, strength)) addPart(found, nameKind(option), value);
  }
}

const MAX_COMMAND_WORDS = 200;

function findProgramOptions({ words, next }: Command, found: Secret[]): void {
  if (next && readsSecret(next) && /^(?:echo|printf|print|write-output)$/.test(getProgram(words[0]?.text ?? "")))
    for (const word of words.slice(1))
      if (word.text.length > 1 && isSecretWord(word, 0, "strong") && !word.text.startsWith("-"))
        addPart(found, "password", word);
  const ends = new Map<string, number>();
  for (const [at, word] of words.entries()) {
    const program = getProgram(word.text);
    const known = BY_NAME.get(program);
    // The words behind were looked at already.
    if (!known || at < (ends.get(program) ?? 0)) continue;
    ends.set(program, at + MAX_COMMAND_WORDS);
    for (const places of known) findInCommand(words.slice(at + 1, at + 1 + MAX_COMMAND_WORDS), places, found);
  }
}

const readsSecret = ({ words }: Command): boolean =>
  words.some(({ text }, at) =>
    (BY_NAME.get(getProgram(text)) ?? []).some(
      ({ stdin, after }) => stdin && (!after || words.slice(at + 1).some((one) => after.includes(one.text))),
    ),
  );

/** The words of a command that may hold a secret at these places. */
function listPlaceWords(words: readonly ShellWord[], { after, with: needed, flags }: SecretOptions): ShellWord[] {
  const start = after ? words.findIndex(({ text }) => after.includes(text)) + 1 : 0;
  if ((after && start === 0) || (needed && !words.some(({ text }) => needed.includes(text)))) return [];
  const rest = words.slice(start);
  return flags === undefined ? rest : rest.map((word) => dropFlags(word, flags));
}

function findInCommand(all: readonly ShellWord[], places: SecretOptions, found: Secret[]): void {
  const { options = [], pairs = [], operandsFrom, stdin } = places;
  const words = listPlaceWords(all, places);
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const { text } = word;
    if (word.isHereString && stdin) addPart(found, "password", word);
    const value = words[at + 1];
    if (options.includes(text) && value) addValue(value, 0, undefined, found);
    else if (pairs.includes(text) && value) addValue(value, 0, getBetween(places), found);
    else {
      findInWord(word, places, found);
      if (!text.startsWith("-") && !word.isHereString && !word.isHereDocument) operands.push(word);
      continue;
    }
    at++;
  }
  const operand = operandsFrom === undefined ? undefined : operands[operandsFrom];
  if (operand) addValue(operand, 0, undefined, found);
  if (places.assignments) for (const one of operands) addValue(one, 0, "=", found);
}

/** A word without the short options before its last one: `-u` for `-su`. */
function dropFlags(word: ShellWord, flags: string): ShellWord {
  const { text, locate, isLiteral } = word;
  let count = 0;
  if (/^-\w/.test(text)) while (flags.includes(text[1 + count] ?? " ") && 2 + count < text.length) count++;
  if (count === 0) return word;
  return {
    ...word,
    text: `-${text.slice(1 + count)}`,
    locate: (at) => locate(at === 0 ? 0 : at + count),
    isLiteral: (at) => isLiteral(at + count),
  };
}

const getBetween = ({ between = ":" }: SecretOptions): string => between;

/** An option with its value in the same word: `-pSECRET`, `--user=NAME:SECRET`. */
function findInWord(word: ShellWord, places: SecretOptions, found: Secret[]): void {
  const { options = [], attached = [], pairs = [] } = places;
  const { text } = word;
  const isAssigned = (one: string) => one !== "" && text.startsWith(`${one}=`);
  const option = options.find(isAssigned);
  if (option !== undefined) addValue(word, option.length + 1, undefined, found);
  const joined = attached.find((one) => text.startsWith(one) && text.length > one.length && text[one.length] !== "=");
  if (joined !== undefined) addValue(word, joined.length, undefined, found);
  const pair = pairs.find(isAssigned);
  if (pair !== undefined) addValue(word, pair.length + 1, getBetween(places), found);
  const glued = pairs.find((one) => /^-\w$/.test(one) && text.startsWith(one) && text.length > 2);
  if (glued !== undefined) addValue(word, glued.length, getBetween(places), found);
  if (pairs.includes("") && /^[\w.-]{1,60}\/[^\s/@]{1,100}(?:@|$)/.test(text)) addOraclePair(word, found);
}

function addOraclePair(word: ShellWord, found: Secret[]): void {
  const from = word.text.indexOf("/") + 1;
  const at = word.text.indexOf("@", from);
  const end = at < 0 ? word.text.length : at;
  if (end > from) found.push({ kind: "password", start: word.locate(from), end: word.locate(end - 1) + 1 });
}

/** @param between what stands between a user and the secret. */
function addValue(word: ShellWord, from: number, between: string | undefined, found: Secret[]): void {
  const at = between === undefined ? from : word.text.indexOf(between, from);
  if (at < 0) return;
  const begin = between === undefined ? from : at + between.length;
  if (isSecretWord(word, begin, "strong")) addPart(found, "password", word, begin);
}
