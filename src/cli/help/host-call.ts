import { hosts } from "../../hosts/index.ts";
import { DEADLINE_MS } from "../../call/context.ts";
import { toFlagName } from "../../call/options.ts";
import { type Page, wrapText } from "../terminal/layout.ts";
import { formatTerms } from "./command-page.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** The flags of a hook call. */
export const CALL_FLAGS: readonly [flag: string, meaning: string][] = [
  ["--host ID", `The calling host: ${hosts.map(({ id }) => id).join(", ")} (default: detected from stdin)`],
  ["--event NAME", "The host's own name of the event, for payloads that lack it or can't be read"],
  ["--after NAME", "The host has already asked at this event: only a restriction is answered"],
  ["--from plugin", "The entry comes with a plugin: one in the host's settings reports the same call"],
  ["--on-error allow|deny", "The answer when a hook or the call fails (default allow: exit code 1, no decision)"],
  [
    "--timeout-ms N",
    `The time limit of the whole call in milliseconds, stdin included (default ${DEADLINE_MS}); install writes it`,
  ],
  [
    "--max-continuations N",
    "How often in a row hooks may make the agent go on at Stop (default: the host's own limit, or 1)",
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
  ["0", "go on; also a failed call of a host that takes 1 for a denial"],
  ["1", "a hook or the call failed, and nothing was decided"],
  ["2", "block; also for an unknown --host ID without --on-error allow"],
];

/** Formats the help page for the commands in hosts' configs. */
export function formatHostCallPage(page: Page): string {
  const { width, paint } = page;
  const parts = [
    wrapText(
      "How hosts call bridge-hooks: install writes this line into their configs. The event comes as JSON on stdin; the answer goes to stdout, stderr and the exit code.",
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
