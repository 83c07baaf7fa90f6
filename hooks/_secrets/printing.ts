import type { Command, Redirect } from "bridge-hooks";
import { removeClientCalls } from "./client-calls.ts";
import { findSecretInCode } from "./code.ts";
import { isEnvironmentFiltered, isHarmlessPattern, replaceLongForms } from "./environment-filters.ts";
import { PROGRAM_ALIASES, SECRET_OUTPUT } from "./keeper-rules.ts";
import { findPasswordStoreRequest, findPipedRequest } from "./keepers.ts";
import { splitPipelines } from "./pipelines.ts";
import { DUMP_VALUE_OPTION, DUMP_COMMANDS, ENVIRONMENT_REQUESTS, PS_ENVIRONMENT } from "./printing-rules.ts";
import { isSecretName, type NamedVariables, findNamedVariable, readNamedVariables } from "./named-variables.ts";

/** Expands to all or part of a variable's value, including `$env:X`, but not `${#X}` (the length) or `${X:+set}`. */
const VARIABLE_EXPANSION =
  /(?<!\\)\$(?:env:|(?=[{A-Z_]))(?:\{([A-Z_][A-Z0-9_]*)(?![A-Z0-9_]|:?\+)|([A-Z_][A-Z0-9_]*))/g;

/** Returns the first secret variable in a word as written, ignoring calls that only pass the variable to a service. */
const findSecretVariable = (word: string | undefined): string | undefined =>
  word && findVariable(removeClientCalls(word, (part) => findVariable(part) !== undefined));

function findVariable(word: string): string | undefined {
  for (const [, braced, bare] of word.matchAll(VARIABLE_EXPANSION)) {
    const name = braced ?? bare ?? "";
    if (isSecretName(name)) return name;
  }
  return undefined;
}

const getEnvironmentDump = (program: string): RegExp | undefined =>
  Object.hasOwn(DUMP_COMMANDS, program) ? DUMP_COMMANDS[program] : undefined;

/** PowerShell cmdlets that can list environment variables like the files on a drive. */
const FILE_LISTING_CMDLET = /^(?:get-childitem|gci|dir|ls)$/i;
const ENVIRONMENT_DRIVE = /^env:\\?\*?$/i;

/** Programs that load a settings file into another program's environment. */
const FILE_LOADER = /^(?:dotenv(?:-cli|x)?|env-cmd)$/;
/** How secrets' names begin. In cmd.exe, `set GITHUB` prints every variable whose name begins with GITHUB. */
const SECRET_PREFIX =
  /^(?:GITHUB|GH|GITLAB|AWS|AZURE|NPM|OPENAI|ANTHROPIC|SLACK|STRIPE|DATABASE|DB|REDIS|API|TOKEN|SECRET)/i;
/** A variable in a makefile recipe: `$(X)`. */
const MAKE_VARIABLE = /\$\(([A-Z_][A-Z0-9_]*)\)/g;

/** Returns a secret variable that the program expands by itself: `envsubst <<< '$X'`, `yq -n 'env(X)'`. */
function findExpandedVariable(program: string, args: readonly string[], stdin: string): string | undefined {
  if (program === "envsubst") return findSecretVariable(stdin) || undefined;
  if (program !== "yq" || args.some((arg) => /^(?:-i|--inplace)/.test(arg))) return undefined;
  for (const arg of args)
    for (const [, name = ""] of arg.matchAll(/\b(?:str)?env\(\s{0,9}(\w+)/g)) if (isSecretName(name)) return name;
  return undefined;
}

/** Whether an option or code makes a program print the environment. */
const isEnvironmentRequest = (program: string, texts: readonly string[]): boolean =>
  Object.hasOwn(ENVIRONMENT_REQUESTS, program) && texts.some((text) => ENVIRONMENT_REQUESTS[program]?.test(text));

/** A search that follows a pipe. Captures its pattern. */
const OUTPUT_SEARCH = /\|\s{0,9}(?:[ef]?grep|rg|ag)\s{1,9}(?:-\w{1,9}\s{1,9}){0,4}["']?([\w .^$=>-]{4,60})/;

/** Whether the output is searched only for lines that aren't about a secret. */
function searchesHarmlessLine(line: string): boolean {
  const [, expected] = OUTPUT_SEARCH.exec(line) ?? [];
  return expected !== undefined && !isSecretName(expected.trim().replace(/\W+/g, "_").toUpperCase());
}

/** Whether a cmdlet only checks whether a variable exists, or lists only harmless names: `gci env:*PATH*`. */
function isHarmlessCmdlet([cmdlet = "", path = ""]: readonly string[]): boolean {
  if (/^test-path$/i.test(cmdlet)) return true;
  const [, name] = FILE_LISTING_CMDLET.test(cmdlet) ? (/^env:[\\/]?(.*)$/i.exec(path) ?? []) : [];
  return name !== undefined && /[*?]/.test(name) && isHarmlessPattern(name.replace(/^\*|\*$/g, ""), isSecretName);
}

/** For a program whose purpose is to print the environment, describes which part of it the command prints. */
function findDumpedEnvironment({ program, args, words, stdin = "" }: Command): string | undefined {
  if (isHarmlessCmdlet(words)) return undefined;
  const dump = getEnvironmentDump(program);
  if (dump && args.every((arg, at) => dump.test(arg) || DUMP_VALUE_OPTION.test(args[at - 1] ?? ""))) return program;
  const secretName = /^(?:printenv|declare|typeset|export)$/.test(program) && args.find((arg) => isSecretName(arg));
  if (secretName && (program === "printenv" || args[0] === "-p")) return `${program} ${secretName}`;
  if (FILE_LISTING_CMDLET.test(program) && args.some((arg) => ENVIRONMENT_DRIVE.test(arg))) return `${program} env:`;
  if (program === "ps" && PS_ENVIRONMENT.test(args[0] ?? "")) return `ps ${args[0]}`;
  // In cmd.exe, `set X` prints all variables whose names start with X.
  const isPrefix = program === "printenv" && /^set$/i.test(words[0] ?? "");
  const prefix = isPrefix ? args.find((arg) => SECRET_PREFIX.test(arg)) : undefined;
  if (prefix !== undefined) return `set ${prefix}`;
  const name = findExpandedVariable(program, args, stdin);
  return name && `${program} $${name}`;
}

/** Describes the part of the environment that a command prints. */
function findPrintedEnvironment(
  command: Command,
  line: string,
  getNamedVariables: () => NamedVariables,
): string | undefined {
  const { program, args, dynamic, redirects, guessed, via } = command;
  if (guessed && !via.some((name) => FILE_LOADER.test(name))) return undefined;
  const dumpFinding = findDumpedEnvironment(command);
  if (dumpFinding !== undefined) return dumpFinding;
  if (isEnvironmentRequest(program, [...args, command.stdin ?? ""]) && !searchesHarmlessLine(line))
    return `the environment of ${program}`;
  if (/^(?:echo|printf|print)$/.test(program)) {
    const isMakeRecipe = via.some((name) => /^g?make$/.test(name));
    const dynamicWords = Object.values(dynamic).map((word) =>
      isMakeRecipe ? word.replace(MAKE_VARIABLE, "${$1}") : word,
    );
    const name =
      dynamicWords.map(findSecretVariable).find(Boolean) ??
      [...dynamicWords, ...args].map((word) => findNamedVariable(word, getNamedVariables())).find(Boolean);
    return name && `${program} $${name}`;
  }
  if (!FILTER_PROGRAM.test(program)) return undefined;
  for (const redirect of redirects) {
    const name =
      redirect.operator === "<<<" ? findSecretVariable(redirect.dynamic) : findDocumentVariable(redirect, line);
    if (name) return `${program} ${redirect.operator} $${name}`;
  }
  return undefined;
}

const FILTER_PROGRAM = /^(?:cat|tee|base64|xxd|od|hexdump|rev|tr|sed|awk|cut|head|tail|fold)$/;

/** Returns the first secret variable that a here-document expands. The original text shows which are escaped. */
function findDocumentVariable({ text, target }: Redirect, line: string): string | undefined {
  const name = findSecretVariable(text);
  if (name === undefined || !/^\w+$/.test(target)) return undefined;
  const hereDocument = readDocuments(line, target).join("\n");
  return hereDocument.includes("\\$") ? findSecretVariable(hereDocument) : hereDocument && name;
}

/** Returns the contents of the here-documents that use this delimiter. */
function readDocuments(line: string, end: string): string[] {
  const start = new RegExp(`<<-?[ \\t]*${end}\\b`);
  const documents: string[] = [];
  let isInside = false;
  for (const text of line.split("\n")) {
    if (!isInside) {
      isInside = start.test(text);
      if (isInside) documents.push("");
    } else if (text.replace(/^\t+/, "") === end) isInside = false;
    else documents.push(`${documents.pop()}${text}\n`);
  }
  return documents;
}

/** Commands that read a secret from stdin without printing it. */
const SECRET_CONSUMERS =
  /^(?:p?npm|yarn npm) (?:login|adduser)\b|^vault login -$|--(?:password|token|secret|passphrase)-stdin\b|--with-token\b|--stdin\b|--passphrase-fd|^(?:sha\d+sum|md5sum|shasum|wc|pbcopy|xclip|clip)\b|\bsecrets? (?:set|put|add|create|import)\b|\benv add\b|\bsecrets versions add\b|=\/dev\/stdin\b|=-(?:$| )|\bkv put\b|^(?:kubectl|oc|k) (?:apply|create|replace)\b.* -f ?-(?: |$)|^ssh-add -$|^gpg2? (?:--?[a-z][a-z-]{0,30} ){0,6}--import$|^tar -?(?=[a-z]*x)[a-z]*(?: -)?(?: -C \S+)?$/;
/** jq filters that print only JSON keys. */
const JSON_KEYS_FILTER =
  /^jq (?:--?\w[\w-]* )*(?:[.\w[\]-]+ ?\| ?)?(?:keys(?:_unsorted)?(?: ?\[\]| ?\| ?\.\[\])?|length|to_entries ?\[\] ?\.key)$/;
/** jq filters that print only keys, or a single output whose name doesn't suggest a secret. */
const OUTPUT_FILTER = new RegExp(`${JSON_KEYS_FILTER.source}|^jq (?!.*${SECRET_OUTPUT}\\b).*\\.(?!value\\b)[a-z]`);
/** jq filters that print only keys or resource metadata from a Terraform state. */
const STATE_FILTER = new RegExp(
  String.raw`${JSON_KEYS_FILTER.source}|^jq (?:-\w+ )*[.\w[\]| ]*\.(?:address|type|name|mode|provider(?:_name)?|serial|lineage|(?:terraform|format)_version)$`,
);
/** Filters that remove secrets from a program's JSON output. */
const JSON_FILTERS: Readonly<Partial<Record<string, RegExp>>> = {
  terraform: OUTPUT_FILTER,
};
const joinWords = ({ program, args }: Command) => [program, ...args].join(" ");

/** Tells whether a command's output is piped into a program that keeps the secret from being printed. */
type FilterTest = (at: number, finding: string) => boolean;

function createFilterTest(shellCommand: string, commands: readonly Command[]): FilterTest {
  const line = replaceLongForms(shellCommand);
  if (!line.includes("|")) return () => false;
  const resultsByFinding = new Map<string, boolean>();
  return (at, finding) => {
    const { program, args, words } = commands[at] as Command;
    const dumpArguments = getEnvironmentDump(program);
    if (dumpArguments && args.every((arg) => dumpArguments.test(arg))) {
      const [name = program] = FILE_LISTING_CMDLET.test(words[0] ?? "") || /^set$/i.test(words[0] ?? "") ? words : [];
      // Check all uses of the same program together.
      if (!resultsByFinding.has(name))
        resultsByFinding.set(
          name,
          isEnvironmentFiltered(line, name, name === program ? dumpArguments : ENVIRONMENT_DRIVE, isSecretName),
        );
      return resultsByFinding.get(name) === true;
    }
    const filter = / (?:show|state pull)$/.test(finding)
      ? STATE_FILTER
      : (JSON_FILTERS[PROGRAM_ALIASES[program] ?? program] ?? JSON_KEYS_FILTER);
    const isConsumed = commands.slice(at + 1).some((laterCommand) => {
      const words = joinWords(laterCommand);
      return SECRET_CONSUMERS.test(words) || filter.test(words);
    });
    return isConsumed && isOutputPiped(line, finding);
  };
}

/** Whether a command's output is piped into another program wherever the command occurs. */
function isOutputPiped(line: string, finding: string): boolean {
  const words = finding.split(/[\s${}]+/).filter(Boolean);
  const printed = splitPipelines(line).flatMap(({ stages }) => {
    const at = stages.findIndex((stage) => words.every((word) => stage.includes(word)));
    return at < 0 ? [] : [{ by: (stages[at] as string).trim(), rest: stages.slice(at + 1) }];
  });
  // If the command is nested, as in `sh -c 'a | b'`, the nested pipeline counts and not the one around it.
  const isOuter = (printingProgram: string) =>
    printed
      .slice(0, MAX_COMPARED_OCCURRENCES)
      .some((occurrence) => occurrence.by !== printingProgram && printingProgram.includes(occurrence.by));
  return printed.every(({ by, rest }) => {
    const consumerIndex = rest.findIndex((stage) => SECRET_CONSUMERS.test(stage.trim()));
    const precedingText = rest.slice(0, consumerIndex < 0 ? 1 : consumerIndex);
    return isOuter(by) || (rest.length > 0 && !precedingText.some((stage) => /^\s*tee\s/.test(stage)));
  });
}

/** Maximum number of occurrences of the same command to compare with each other. */
const MAX_COMPARED_OCCURRENCES = 50;

/** Removes `$(…)` and backtick substitutions from a shell command. */
function removeSubstitutions(line: string): string {
  let remainingText = line.replace(/`[^`]*`/g, " ");
  for (let previousText = ""; previousText !== remainingText;) {
    previousText = remainingText;
    remainingText = remainingText.replace(/\$\([^()]*\)/g, " ");
  }
  return remainingText;
}

const PRINTING_PROGRAM = /^(?:echo|printf|print|cat|tee)$/;

/**
 * Whether a command's output goes only into arguments of commands that don't print them: `curl -H "…$(gh auth token)"`.
 * Passing on the whole environment never counts.
 */
function isUsedByCommand(
  line: string,
  commands: readonly Command[],
  { program, words }: Command,
  includesEnvironment: boolean,
): boolean {
  if (!/\$\(|`/.test(line)) return false;
  // The shell command may use an alias instead of the cmdlet's name.
  const name = line.includes(program) ? program : (words[0] ?? program).replace(/\W/g, "\\$&");
  const word = new RegExp(`(?:^|[^\\w.-])${name}(?:$|[^\\w.-])`);
  // A command decoded from base64 doesn't appear in the shell command.
  if (!word.test(line) || word.test(removeSubstitutions(line))) return false;
  const isSubstituted = (dynamicWord: string) =>
    /\$\(|`/.test(dynamicWord) &&
    word.test(
      includesEnvironment ? dynamicWord : removeClientCalls(dynamicWord, (part) => findVariable(part) !== undefined),
    );
  return !commands.some(
    (candidate) =>
      (includesEnvironment || PRINTING_PROGRAM.test(candidate.program)) &&
      [
        ...Object.values(candidate.dynamic),
        ...candidate.redirects.map(({ dynamic, text }) => dynamic ?? text ?? ""),
      ].some(isSubstituted),
  );
}

/** Whether the finding is about the whole environment. */
const isWholeEnvironment = (finding: string, { program }: Command) =>
  (finding === program && Object.hasOwn(DUMP_COMMANDS, program)) || finding.startsWith("the environment");

/** A command that prints secrets. */
export interface PrintedSecret {
  finding: string;
  /** Whether the secret comes from a password store rather than the environment. */
  isStored: boolean;
}

/**
 * Restores the original words of a cmd.exe or PowerShell command, such as `gci env:`, which the parser turns into
 * `printenv`.
 */
const restoreWording = (finding: string, { program, words }: Command): string =>
  program === "printenv" && /^(?:set|type|cat|dir|ls|g[cip]|gci|get-\w+)$/i.test(words[0] ?? "")
    ? words.join(" ")
    : finding;

export function findPrintedSecret(
  line: string,
  commands: readonly Command[],
  isExcepted: (command: Command, isStored: boolean) => boolean,
): PrintedSecret | undefined {
  const isFiltered = createFilterTest(line, commands);
  let namedVariables: NamedVariables | undefined;
  const getNamedVariables = () => (namedVariables ??= readNamedVariables(line));
  for (const [at, command] of commands.entries()) {
    const isOneSetting = command.program === "php" && line.includes("phpinfo") && searchesHarmlessLine(line);
    const codeFinding = isOneSetting ? undefined : findSecretInCode(command, isSecretName);
    const environmentFinding = findPrintedEnvironment(command, line, getNamedVariables) ?? codeFinding;
    const finding = environmentFinding ?? findPasswordStoreRequest(command) ?? findPipedRequest(line, commands, at);
    if (finding === undefined || isExcepted(command, environmentFinding === undefined)) continue;
    if (isFiltered(at, finding)) continue;
    if (!isUsedByCommand(line, commands, command, isWholeEnvironment(finding, command)))
      return { finding: restoreWording(finding, command), isStored: environmentFinding === undefined };
  }
  return undefined;
}
