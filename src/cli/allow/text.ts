import type { StoredDeniedCall } from "../../call/exceptions/denied-calls.ts";
import type { ExceptionRecord } from "../../call/exceptions/record.ts";
import { formatTime } from "../../operate/log/describe.ts";
import { escapeLine } from "../../operate/text.ts";
import { formatPath, formatTable, type PageLayout } from "../terminal/layout.ts";
import type { ExceptionsReport, ListedException } from "../../operate/policy/exceptions.ts";
import { formatConfigCommand } from "../config/draft.ts";
import type { ConfigException } from "./config-exceptions.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const LABEL_WIDTH = 9;
const formatField = (label: string, text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : [`${label.padEnd(LABEL_WIDTH)} ${escapeLine(text)}`];

/** Summarizes what an exception allows. */
export function describeSubject({ pause, call, rule, match, project, once }: ExceptionRecord): string {
  if (pause) return "all hooks except those that guard the policy itself";
  const subject = call
    ? (match ?? `a call that ${call.verdicts.map(({ hook }) => hook).join(" and ")} stopped`)
    : `the rule ${rule}`;
  const scope = project === undefined ? "" : ` anywhere in ${formatPath(project)}`;
  return `${subject}${scope}${once ? ", once" : ""}`;
}

/** Formats the prompt that asks the user to confirm an exception. */
export function formatQuestion(record: ExceptionRecord, deniedCall: StoredDeniedCall | undefined): string[] {
  const { call, rule, reason, until, once, project, confirmed } = record;
  return [
    "This will be allowed:",
    "",
    ...(deniedCall
      ? describeWait(deniedCall)
      : record.pause
        ? formatField("pause", describeSubject(record))
        : formatField("rule", rule)),
    ...formatField("anywhere", project),
    ...(call?.files ?? []).flatMap(({ named, path, content }) =>
      formatField(
        "file",
        `${named}${named === path ? "" : ` → ${path}`}${content ? ` (contents ${content.slice(0, 12)})` : ""}`,
      ),
    ),
    ...formatField("until", `${formatTime(until)}${once ? ", for one call" : ""}`),
    ...formatField("terminal", confirmed),
    ...formatField("because", reason),
  ];
}

const describeWait = ({ shown, host, tool, cwd, verdicts }: StoredDeniedCall): string[] => [
  ...formatField("call", shown ?? "(not shown, because the log doesn't store contents)"),
  ...formatField("host", `${host}, ${tool}`),
  ...formatField("folder", cwd),
  ...verdicts.flatMap(({ rule, hook, reason }) => formatField("stopped", `${rule ?? hook}: ${reason ?? ""}`)),
];

function formatListedException({ exception, state, end, why }: ListedException): string[] {
  const { id, by, made, reason, scope, path, confirmed } = exception;
  return [
    `${id}  ${state}${why === undefined ? "" : `: ${why}`}`,
    ...formatField("  allows", describeSubject(exception)),
    ...formatField("  until", formatTime(new Date(end).toISOString())),
    ...formatField(
      "  made",
      `${formatTime(made)}${by ? ` by ${by}` : ""}${confirmed ? ` in ${confirmed}` : ""}${scope === "managed" ? `, managed (${path})` : ""}`,
    ),
    ...formatField("  because", reason),
  ];
}

const formatConfigException = ({
  rule,
  match,
  project,
  reason,
  until,
  file,
  scope,
  key,
}: ConfigException): string[] => [
  `${key} in ${formatPath(file)}`,
  ...formatField("  allows", describeConfigured(rule, match, project)),
  ...formatField("  until", until ?? "removed (no expiry date)"),
  ...formatField("  because", reason),
  ...formatField("  remove", formatConfigCommand("unset", scope, [key])),
];

const describeConfigured = (rule: string, match: string | undefined, project: string | undefined): string =>
  `${match ?? `everything that ${rule} matches`}${match === undefined ? "" : ` (${rule})`}${project === undefined ? "" : ` in ${formatPath(project)}`}`;

/** Formats exceptions, and denied calls that can be allowed, for the terminal. */
export function formatExceptions(
  { exceptions, voids, configured }: ExceptionsReport & { configured: readonly ConfigException[] },
  deniedCalls: readonly StoredDeniedCall[],
  page: Pick<PageLayout, "width">,
): string {
  const parts = [
    exceptions.length > 0
      ? exceptions.flatMap(formatListedException)
      : [
          configured.length === 0
            ? "No exceptions."
            : `No exceptions created with allow; ${configured.length} in config files:`,
        ],
    configured.flatMap(formatConfigException),
    voids.map(({ path, flaw }) => `ignored: ${path}: ${flaw}`),
    deniedCalls.length === 0
      ? []
      : [
          `Recently denied; to allow a call: ${getOwnCommand()} allow ID`,
          ...formatTable(
            deniedCalls.map(({ id, time, host, shown = "", verdicts: [first] }) =>
              [id, formatTime(time), host, first?.rule ?? first?.hook ?? "", shown].map(escapeLine),
            ),
            { ...page, indent: 2, columns: [{}, {}, {}, {}, { fit: "cut" }] },
          ),
        ],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

/** Formats an exception as one line for `status` and `doctor`. */
export const summarizeException = ({ exception, state, end }: ListedException): string =>
  `exception ${exception.id} (${state}): ${describeSubject(exception)}, until ${formatTime(new Date(end).toISOString())}: ${exception.reason}`;
