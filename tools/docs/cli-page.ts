import type { Definition } from "clipanion";
import { CALL_EXIT_CODES, CALL_FLAGS } from "../../src/cli/help/host-call.ts";
import { formatOption, formatUsage, getCommandName, splitParagraphs } from "../../src/cli/help/command-page.ts";
import { groupCommands } from "../../src/cli/help/overview.ts";
import { createCli } from "../../src/cli/main.ts";
import { formatTable } from "./table.ts";

const quoteCode = (text: string) => `\`${text}\``;
const formatTerms = (head: string, terms: readonly (readonly [term: string, text: string])[]) =>
  formatTable([[head, "Meaning"], ...terms.map(([term, text]) => [quoteCode(term), text])]);

/** In prose, `<` would begin a tag. */
const escapeTags = (text: string) => text.replaceAll(/(`[^`]*`)|</g, (sign, code?: string) => code ?? `\\${sign}`);

function formatCommand(command: Definition): string {
  const { description = "", details = "", options, examples = [] } = command;
  return [
    `## ${getCommandName(command)}`,
    description.trim(),
    ["```", formatUsage(command), "```"].join("\n"),
    ...(options.length === 0
      ? []
      : [
          formatTerms(
            "Option",
            options.map(({ definition, description: text = "" }) => [formatOption(definition), text.trim()]),
          ),
        ]),
    ...splitParagraphs(details).filter(Boolean).map(escapeTags),
    examples.length === 1 ? "Example:" : "Examples:",
    ["```", ...examples.flatMap(([label, line]) => [`# ${label.trim()}`, line]), "```"].join("\n"),
  ].join("\n\n");
}

/** The page of all commands, from their usages. */
export function formatCliPage(): string {
  const groups = groupCommands(createCli().definitions()).map(([title, commands]): string =>
    [
      `- ${title}: ${commands
        .map((command) => `[${getCommandName(command)}](#${getCommandName(command).replaceAll(/[^\w-]+/g, "-")})`)
        .join(", ")}`,
    ].join("\n"),
  );
  const commands = groupCommands(createCli().definitions()).flatMap(([, members]) => members);
  return `${[
    "# Commands",
    "Which commands and options are there, and what does a host's config call?",
    "This page is generated from the commands by `npm run docs`. `bridge-hooks COMMAND --help` shows the same at a terminal.",
    groups.join("\n"),
    ...commands.map(formatCommand),
    "## Called by a host",
    "`install` writes this line into the configs of hosts. The event comes as JSON on stdin; the answer goes to stdout, stderr and the exit code.",
    ["```", "bridge-hooks --host ID [FLAGS]", "```"].join("\n"),
    formatTerms("Flag", CALL_FLAGS),
    formatTerms("Exit code", CALL_EXIT_CODES),
  ].join("\n\n")}\n`;
}
