import { listSecretOptions, type SecretOptions } from "./option-programs.ts";
import { type MappedString, type ShellWord, splitWords } from "./quotes.ts";
import type { Secret } from "./scan.ts";
import { isSecretValue, getSecretKind, type NameStrength, rateName, readLiteral } from "./secret-names.ts";

const getProgram = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/^[[({]/, "")
    .replace(/\.exe$/, "");

/** Maximum depth of nested command lines, such as `bash -c "mysql -pSECRET"`. */
const MAX_DEPTH = 3;

/** Finds secrets in the options that known programs use for them, and in any option whose name suggests a secret. */
export function findOptionSecrets(text: MappedString, depth = 0): Secret[] {
  const secrets: Secret[] = [];
  const words = splitWords(text);
  const commands = listCommands(words);
  for (const [at, command] of commands.entries()) {
    findNamedOptions(command.words, secrets);
    findProgramOptions(command, secrets);
    if (command.words.some(({ isHereDocument }) => isHereDocument))
      findInHereDocument(commands.slice(at, at + MAX_HERE_LINES), secrets);
  }
  if (depth < MAX_DEPTH)
    for (const word of words) if (/\s/.test(word.text)) secrets.push(...findOptionSecrets(word, depth + 1));
  return secrets;
}

const MAX_HERE_LINES = 50;
/** Programs for which a here-document contains a script or data rather than a secret. */
const SCRIPT_READERS = /^(?:su|gpg|vault|bao|kubectl|oc)$/;

/**
 * Finds secrets in the lines of a here-document, as in `chpasswd <<EOF` and `cat <<EOF | chpasswd`. For `sudo -S`, only
 * the first line counts.
 */
function findInHereDocument(commands: readonly Command[], secrets: Secret[]): void {
  let reader = commands[0];
  while (reader && !acceptsSecretOnStdin(reader)) reader = reader.next;
  const program = getProgram(
    reader?.words.find(({ text }) => listSecretOptions(getProgram(text)) !== undefined)?.text ?? "",
  );
  if (program === "" || SCRIPT_READERS.test(program)) return;
  const first = commands.findIndex(endsLine) + 1;
  if (first === 0) return;
  const end = commands[0]?.words.find(({ isHereDocument }) => isHereDocument)?.text;
  for (const { words } of commands.slice(first)) {
    if (words.length === 1 && words[0]?.text === end) return;
    for (const word of words) if (isSecretWord(word, 0, "strong")) addPart(secrets, "password", word);
    if (endsLine({ words }) && /^(?:sudo|doas)$/.test(program)) return;
  }
}

const endsLine = ({ words }: Command): boolean => words.at(-1)?.endsCommand === "line";

/** Returns whether the rest of a word, starting at `from`, is a secret. */
function isSecretWord({ text, isLiteral }: ShellWord, from: number, strength: NameStrength): boolean {
  const value = text.slice(from);
  return isSecretValue(isLiteral(from) ? readLiteral(value) : value, strength);
}

interface Command {
  words: readonly ShellWord[];
  /** The next command in the pipeline. */
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

const addPart = (secrets: Secret[], kind: string, word: ShellWord, from = 0) => {
  if (from >= word.text.length) return;
  const start = from === 0 ? word.locate(0) : word.locate(from);
  secrets.push({ kind, start, end: Math.max(start + 1, word.locate(word.text.length - 1) + 1) });
};

const OPTION_WORD = /^(?:--?|\/)[A-Za-z][\w.-]{1,60}$/;

/** Finds options such as `--password SECRET`, regardless of the program. */
function findNamedOptions(words: readonly ShellWord[], secrets: Secret[]): void {
  for (let at = 0; at + 1 < words.length; at++) {
    const option = (words[at] as ShellWord).text;
    const value = words[at + 1] as ShellWord;
    if (!OPTION_WORD.test(option) || option.startsWith("/") || /^--?\w/.test(value.text)) continue;
    const strength = rateName(option);
    const isForm = /^(?:id|src|source|type|env)=/.test(value.text);
    if (!isForm && isSecretWord(value, 0, strength)) addPart(secrets, getSecretKind(option), value);
  }
}

const MAX_COMMAND_WORDS = 200;

function findProgramOptions({ words, next }: Command, secrets: Secret[]): void {
  if (
    next &&
    acceptsSecretOnStdin(next) &&
    /^(?:echo|printf|print|write-output)$/.test(getProgram(words[0]?.text ?? ""))
  )
    for (const word of words.slice(1))
      if (word.text.length > 1 && isSecretWord(word, 0, "strong") && !word.text.startsWith("-"))
        addPart(secrets, "password", word);
  const ends = new Map<string, number>();
  for (const [at, word] of words.entries()) {
    const program = getProgram(word.text);
    const optionSets = listSecretOptions(program);
    // The words after an earlier occurrence of this program name have already been checked.
    if (!optionSets || at < (ends.get(program) ?? 0)) continue;
    ends.set(program, at + MAX_COMMAND_WORDS);
    for (const places of optionSets) findInCommand(words.slice(at + 1, at + 1 + MAX_COMMAND_WORDS), places, secrets);
  }
}

const acceptsSecretOnStdin = ({ words }: Command): boolean =>
  words.some(({ text }, at) =>
    (listSecretOptions(getProgram(text)) ?? []).some(
      ({ stdin, after }) => stdin && (!after || words.slice(at + 1).some((one) => after.includes(one.text))),
    ),
  );

/** Returns the words of a command to search for the given options. */
function listSearchedWords(
  words: readonly ShellWord[],
  { after, with: requiredWords, flags }: SecretOptions,
): ShellWord[] {
  const start = after ? words.findIndex(({ text }) => after.includes(text)) + 1 : 0;
  if ((after && start === 0) || (requiredWords && !words.some(({ text }) => requiredWords.includes(text)))) return [];
  const remainingWords = words.slice(start);
  return flags === undefined ? remainingWords : remainingWords.map((word) => removeFlags(word, flags));
}

function findInCommand(all: readonly ShellWord[], places: SecretOptions, secrets: Secret[]): void {
  const { options = [], pairs = [], operandsFrom, stdin } = places;
  const words = listSearchedWords(all, places);
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const { text } = word;
    if (word.isHereString && stdin) addPart(secrets, "password", word);
    const value = words[at + 1];
    if (options.includes(text) && value) addValue(value, 0, undefined, secrets);
    else if (pairs.includes(text) && value) addValue(value, 0, getSeparator(places), secrets);
    else {
      findInWord(word, places, secrets);
      if (!text.startsWith("-") && !word.isHereString && !word.isHereDocument) operands.push(word);
      continue;
    }
    at++;
  }
  const operand = operandsFrom === undefined ? undefined : operands[operandsFrom];
  if (operand) addValue(operand, 0, undefined, secrets);
  if (places.assignments) for (const one of operands) addValue(one, 0, "=", secrets);
}

/** Removes the flags bundled before the last short option: `-su` becomes `-u`. */
function removeFlags(word: ShellWord, flags: string): ShellWord {
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

const getSeparator = ({ between = ":" }: SecretOptions): string => between;

/** Finds an option and its value in the same word, such as `-pSECRET` or `--user=NAME:SECRET`. */
function findInWord(word: ShellWord, places: SecretOptions, secrets: Secret[]): void {
  const { options = [], attached = [], pairs = [] } = places;
  const { text } = word;
  const isAssigned = (one: string) => one !== "" && text.startsWith(`${one}=`);
  const option = options.find(isAssigned);
  if (option !== undefined) addValue(word, option.length + 1, undefined, secrets);
  const attachedOption = attached.find(
    (one) => text.startsWith(one) && text.length > one.length && text[one.length] !== "=",
  );
  if (attachedOption !== undefined) addValue(word, attachedOption.length, undefined, secrets);
  const pair = pairs.find(isAssigned);
  if (pair !== undefined) addValue(word, pair.length + 1, getSeparator(places), secrets);
  const attachedPair = pairs.find((one) => /^-\w$/.test(one) && text.startsWith(one) && text.length > 2);
  if (attachedPair !== undefined) addValue(word, attachedPair.length, getSeparator(places), secrets);
  if (pairs.includes("") && /^[\w.-]{1,60}\/[^\s/@]{1,100}(?:@|$)/.test(text)) addOracleCredentials(word, secrets);
}

function addOracleCredentials(word: ShellWord, secrets: Secret[]): void {
  const from = word.text.indexOf("/") + 1;
  const at = word.text.indexOf("@", from);
  const end = at < 0 ? word.text.length : at;
  if (end > from) secrets.push({ kind: "password", start: word.locate(from), end: word.locate(end - 1) + 1 });
}

/**
 * Adds an option's value if it is a secret.
 * @param between the separator between the username and the secret, if there is a username
 */
function addValue(word: ShellWord, from: number, between: string | undefined, secrets: Secret[]): void {
  const at = between === undefined ? from : word.text.indexOf(between, from);
  if (at < 0) return;
  const secretStart = between === undefined ? from : at + between.length;
  if (isSecretWord(word, secretStart, "strong")) addPart(secrets, "password", word, secretStart);
}
