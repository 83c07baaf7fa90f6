import type { Definition } from "clipanion";
import { CALL_FLAGS } from "../../src/cli/help/host-call.ts";
import { formatOption, formatUsage, getCommandName, splitParagraphs } from "../../src/cli/help/command-page.ts";
import { groupCommands } from "../../src/cli/help/overview.ts";
import { hosts } from "../../src/hosts/index.ts";
import { createCli } from "../../src/cli/main.ts";
import { toFlagName } from "../../src/call/options.ts";
import { quoteCode } from "./markdown.ts";

type Option = Definition["options"][number];

/** If at least this many commands share an option, the page explains it only once, at the top. */
const MIN_SHARED = 2;

const formatTerms = (terms: readonly (readonly [term: string, text: string])[]) =>
  terms.map(([term, text]) => `- ${quoteCode(term)}: ${text}`).join("\n");

/** Escapes `<` outside code, where it would start a tag. */
const escapeTags = (text: string) => text.replaceAll(/(`[^`]*`)|</g, (sign, code?: string) => code ?? `\\${sign}`);

const HOST_IDS = hosts.map(({ id }) => id).join(", ");

/** Replaces the list of host IDs, which would otherwise be repeated for several options. */
const shortenHosts = (text: string) => text.replace(HOST_IDS, "an ID of [Hosts](../hosts/README.md)");

/**
 * Describes an option of one command. Leaves out the list of host IDs: the shared option of the same name links to it.
 */
const describeOwnOption = ({ definition, description = "" }: Option): [term: string, text: string] => [
  formatOption(definition),
  description.trim().replace(`: ${HOST_IDS}`, ""),
];
const describeSharedOption = ({ definition, description = "" }: Option): [term: string, text: string] => [
  formatOption(definition),
  shortenHosts(description.trim()),
];

/** The hosts' own flags. They're explained in the section about host calls. */
const HOST_FLAGS = new Set(hosts.flatMap(({ options }) => Object.keys(options).map(toFlagName)));
const HOST_CALLS = "Called by a host";

const isHostFlag = ({ definition }: Option) => HOST_FLAGS.has(definition.split(" ")[0] as string);

/**
 * Lists options that have the same meaning in several commands. If an option has more than one meaning, lists the most
 * common one.
 */
function listSharedOptions(commands: readonly Definition[]): Option[] {
  const groups = Map.groupBy(
    commands.flatMap(({ options }) => options.filter((option) => !isHostFlag(option))),
    ({ definition, description }) => `${definition}\n${description}`,
  );
  const byFrequency = [...groups.values()]
    .filter(({ length }) => length >= MIN_SHARED)
    .sort((a, b) => b.length - a.length);
  const shared = byFrequency.map((group) => group[0] as Option);
  return shared.filter(
    ({ definition }, index) => shared.findIndex((option) => option.definition === definition) === index,
  );
}

const isSame = (one: Option) => (other: Option) =>
  one.definition === other.definition && one.description === other.description;

/** Formats a command's options. Shared options appear only by name. */
function formatOptions(options: readonly Option[], shared: readonly Option[]): string[] {
  const [sharedOptions, ownOptions] = [true, false].map((isShared) =>
    options.filter((option) => !isHostFlag(option) && shared.some(isSame(option)) === isShared),
  ) as [Option[], Option[]];
  const hasHostFlags = options.some(isHostFlag);
  const optionNames = sharedOptions.map(({ definition }) => quoteCode(definition.replace(/[ ,].*/, ""))).join(", ");
  return [
    ...(ownOptions.length === 0 ? [] : [formatTerms(ownOptions.map(describeOwnOption))]),
    ...(sharedOptions.length === 0 ? [] : [`${ownOptions.length === 0 ? "Takes" : "Also takes"} ${optionNames}.`]),
    ...(hasHostFlags ? [`Also takes the hosts' own flags, listed under [${HOST_CALLS}](#called-by-a-host).`] : []),
  ];
}

/** Whether a command takes arguments besides options. If not, the examples are enough to show the usage. */
const hasOperands = (command: Definition) => !/^[\w- ]+(?: \[OPTIONS\])?$/.test(formatUsage(command));

/** Formats a command's examples. A single example needs no label: the command's description says enough. */
const formatExamples = (examples: readonly (readonly [label: string, line: string])[]) =>
  examples.length === 1
    ? `Example: ${quoteCode(examples[0]?.[1] ?? "")}`
    : ["```", ...examples.map(([label, line]) => `${line}   # ${label.trim()}`), "```"].join("\n");

function formatCommand(command: Definition, shared: readonly Option[]): string {
  const { description = "", details = "", options, examples = [] } = command;
  return [
    `## ${getCommandName(command)}`,
    description.trim(),
    ...(hasOperands(command) ? [quoteCode(formatUsage(command))] : []),
    ...formatOptions(options, shared),
    ...splitParagraphs(details).filter(Boolean).map(escapeTags),
    formatExamples(examples),
  ].join("\n\n");
}

/** Formats the page that documents all commands, from their definitions. */
export function formatCliPage(): string {
  const groups = groupCommands(createCli().definitions());
  const commands = groups.flatMap(([, members]) => members);
  const shared = listSharedOptions(commands);
  const linkCommand = (command: Definition) =>
    `[${getCommandName(command)}](#${getCommandName(command).replaceAll(/[^\w-]+/g, "-")})`;
  return `${[
    "# Commands",
    "`npm run docs` generates this page from the commands. In a terminal, `bridge-hooks COMMAND --help` shows the same text.",
    groups.map(([title, members]) => `- ${title}: ${members.map(linkCommand).join(", ")}`).join("\n"),
    "## Shared options",
    formatTerms(shared.map(describeSharedOption)),
    ...commands.map((command) => formatCommand(command, shared)),
    `## ${HOST_CALLS}`,
    "`install` writes this command to the hosts' configs. It reads the event as JSON from stdin, and answers on stdout and stderr and with its [exit code](exit-codes.md).",
    quoteCode("bridge-hooks --host ID [FLAGS]"),
    `Flags:\n\n${formatTerms(CALL_FLAGS.map(([flag, meaning]) => [flag, shortenHosts(meaning)]))}`,
  ].join("\n\n")}\n`;
}
