import type { Definition } from "clipanion";
import { CALL_EXIT_CODES, CALL_FLAGS } from "../../src/cli/help/host-call.ts";
import { formatOption, formatUsage, getCommandName, splitParagraphs } from "../../src/cli/help/command-page.ts";
import { groupCommands } from "../../src/cli/help/overview.ts";
import { hosts } from "../../src/hosts/index.ts";
import { createCli } from "../../src/cli/main.ts";
import { quoteCode } from "./markdown.ts";

type Option = Definition["options"][number];

/** Minimum number of commands that share an option for the page to explain the option once at the top. */
const MIN_SHARED = 3;

const formatTerms = (terms: readonly (readonly [term: string, text: string])[]) =>
  terms.map(([term, text]) => `- ${quoteCode(term)}: ${text}`).join("\n");

/** Escapes `<` outside code, where it would start a tag. */
const escapeTags = (text: string) => text.replaceAll(/(`[^`]*`)|</g, (sign, code?: string) => code ?? `\\${sign}`);

const HOST_IDS = hosts.map(({ id }) => id).join(", ");

/** Replaces the list of hosts, which several options repeat. */
const shortenHosts = (text: string) => text.replace(HOST_IDS, "an ID of [Hosts](../hosts/README.md)");

const describeOption = ({ definition, description = "" }: Option): [term: string, text: string] => [
  formatOption(definition),
  shortenHosts(description.trim()),
];

/** Options with the same meaning in several commands. */
function listSharedOptions(commands: readonly Definition[]): Option[] {
  const groups = Map.groupBy(
    commands.flatMap(({ options }) => options),
    ({ definition, description }) => `${definition}\n${description}`,
  );
  return [...groups.values()].flatMap((group) => (group.length < MIN_SHARED ? [] : (group[0] as Option)));
}

const isSame = (one: Option) => (other: Option) =>
  one.definition === other.definition && one.description === other.description;

/** Formats a command's options. Shared options appear only by name. */
function formatOptions(options: readonly Option[], shared: readonly Option[]): string[] {
  const [common, own] = [true, false].map((wanted) =>
    options.filter((option) => shared.some(isSame(option)) === wanted),
  ) as [Option[], Option[]];
  const named = common.map(({ definition }) => quoteCode(formatOption(definition))).join(", ");
  return [
    ...(own.length === 0 ? [] : [formatTerms(own.map(describeOption))]),
    ...(common.length === 0 ? [] : [`${own.length === 0 ? "Takes" : "Also takes"} ${named}.`]),
  ];
}

function formatCommand(command: Definition, shared: readonly Option[]): string {
  const { description = "", details = "", options, examples = [] } = command;
  return [
    `## ${getCommandName(command)}`,
    description.trim(),
    ["```", formatUsage(command), "```"].join("\n"),
    ...formatOptions(options, shared),
    ...splitParagraphs(details).filter(Boolean).map(escapeTags),
    ["```", ...examples.map(([label, line]) => `${line}   # ${label.trim()}`), "```"].join("\n"),
  ].join("\n\n");
}

/** Formats the page of all commands from their usages. */
export function formatCliPage(): string {
  const groups = groupCommands(createCli().definitions());
  const commands = groups.flatMap(([, members]) => members);
  const shared = listSharedOptions(commands);
  const linkCommand = (command: Definition) =>
    `[${getCommandName(command)}](#${getCommandName(command).replaceAll(/[^\w-]+/g, "-")})`;
  return `${[
    "# Commands",
    "The commands and options of bridge-hooks. `npm run docs` generates this page from the commands; at a terminal `--help` shows the same.",
    ["```sh", "bridge-hooks install --help", "```"].join("\n"),
    groups.map(([title, members]) => `- ${title}: ${members.map(linkCommand).join(", ")}`).join("\n"),
    "## Shared options",
    formatTerms(shared.map(describeOption)),
    ...commands.map((command) => formatCommand(command, shared)),
    "## Called by a host",
    "`install` writes this line into the hosts' configs. The event comes as JSON on stdin; the answer goes to stdout, stderr and the exit code.",
    ["```", "bridge-hooks --host ID [FLAGS]", "```"].join("\n"),
    `Flags:\n\n${formatTerms(CALL_FLAGS)}`,
    `Exit codes:\n\n${formatTerms(CALL_EXIT_CODES)}`,
  ].join("\n\n")}\n`;
}
