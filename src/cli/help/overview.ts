import type { Definition } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { type PageLayout, wrapText } from "../terminal/layout.ts";
import { GLOBAL_OPTIONS } from "../terminal/global-options.ts";
import { formatTerms, getCommandName } from "./command-page.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Command groups in help order. Each key is the `category` of its commands' usages. */
export const COMMAND_GROUPS = {
  write: "Write hooks",
  try: "Try them",
  install: "Install",
  operate: "Operate",
  more: "More",
  /** Commands that hosts call, which have their own page. */
  host: undefined,
} as const satisfies Readonly<Record<string, string | undefined>>;

/** Groups commands for the help and the reference. */
export function groupCommands(commands: readonly Definition[]): [group: string, commands: Definition[]][] {
  return Object.entries(COMMAND_GROUPS).map(([id, title = "Called by hosts"]) => [
    title,
    commands.filter(({ category }) => category?.trim() === id),
  ]);
}

const getSummary = ({ description = "" }: Definition) => description.trim().replace(/\.$/, "");

/** Formats the program's overview. */
export function formatOverview(commands: readonly Definition[], page: PageLayout): string {
  const listedCommands = commands.filter(({ category }) => category?.trim() !== "host");
  const column = Math.max(...listedCommands.map((command) => getCommandName(command).length));
  const parts = [
    wrapText(`bridge-hooks ${pkg.version}: ${pkg.description}`, page.width),
    [`${page.paint(1, "Usage:")} ${getOwnCommand()} COMMAND [OPTIONS]`],
    ...groupCommands(listedCommands)
      .filter(([, members]) => members.length > 0)
      .map(([title, members]) => [
        page.paint(1, `${title}:`),
        ...formatTerms(
          members.map((command) => [getCommandName(command).padEnd(column), getSummary(command)]),
          page,
        ),
      ]),
    [
      ...wrapText(`For options and examples: ${getOwnCommand()} COMMAND --help`, page.width),
      ...wrapText(
        `All commands accept ${GLOBAL_OPTIONS.map(([option]) => option).join(" and ")}; long output is shown in $PAGER or less.`,
        page.width,
      ),
      ...wrapText(`For the flags used in host configs: ${getOwnCommand()} help host-call`, page.width),
    ],
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
