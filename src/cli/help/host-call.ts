import { hosts } from "../../hosts/index.ts";
import { DEADLINE_MS } from "../../call/context.ts";
import { toFlagName } from "../../call/options.ts";
import { type PageLayout, wrapText } from "../terminal/layout.ts";
import { formatTerms } from "./command-page.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** The flags of a hook call. */
export const CALL_FLAGS: readonly [flag: string, meaning: string][] = [
  ["--host ID", `The calling host: ${hosts.map(({ id }) => id).join(", ")} (default: detected from stdin)`],
  ["--event NAME", "The host's native event name, for payloads that lack it or can't be parsed"],
  ["--after NAME", "The earlier event NAME already covered the call, so only restrictions are sent"],
  [
    "--from plugin",
    "Marks a plugin's entry: if the host's own settings also have an entry, the plugin's entry only sends restrictions",
  ],
  [
    "--on-error allow|deny",
    "The answer if a hook or the call fails (default: allow, with exit code 1 and no decision)",
  ],
  [
    "--timeout-ms N",
    `The time limit for the whole call in milliseconds, including stdin (default ${DEADLINE_MS}); set by install`,
  ],
  [
    "--max-continuations N",
    "How many times in a row hooks may make the agent continue at Stop (default: the host's limit, or 1)",
  ],
  ...hosts.flatMap(({ name, options }) =>
    Object.entries(options).map(([option, { values, meaning }]): [string, string] => [
      `${toFlagName(option)} ${values.join("|")}`,
      `${name}: ${meaning} (default ${values[0]})`,
    ]),
  ),
];

/** The exit codes of a hook call. */
export const CALL_EXIT_CODES: readonly [code: string, meaning: string][] = [
  ["0", "proceed; also used for a failed call on a host that treats 1 as a denial"],
  ["1", "a hook or the call failed; no decision"],
  ["2", "block; also used for an unknown --host ID, unless --on-error is allow"],
];

/** Formats the help page for the command that goes into hosts' configs. */
export function formatHostCallPage(page: PageLayout): string {
  const { width, paint } = page;
  const parts = [
    wrapText(
      [
        "Hosts call bridge-hooks with this command, which install writes to their configs.",
        "It reads the event as JSON from stdin, and answers on stdout and stderr and with its exit code.",
      ].join(" "),
      width,
    ),
    [`${paint(1, "Usage:")} ${getOwnCommand()} --host ID [FLAGS]`],
    [paint(1, "Flags:"), ...formatTerms(CALL_FLAGS, page)],
    [paint(1, "Exit codes:"), ...formatTerms(CALL_EXIT_CODES, page)],
    wrapText(
      `Hosts that run plugins instead of commands start "serve" once; see ${getOwnCommand()} serve --help.`,
      width,
    ),
    [
      paint(1, "Example:"),
      `    ${getOwnCommand()} --host ${hosts[0]?.id} --event PreToolUse --on-error deny < payload.json`,
    ],
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
