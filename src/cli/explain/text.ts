import { describeDecision, formatTime, formatWithheld, isWithheld, nameCaller } from "../../operate/log/describe.ts";
import { escapeInvisible, escapeLine } from "../../operate/text.ts";
import { formatPath, type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import type { ListedRule } from "../rules/report.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { type DisabledRule, formatDisabledRule } from "../try/turned-off-rules.ts";
import { formatEnforceCommand, formatModeOrigin } from "../try/withheld-text.ts";
import { formatConfigChange } from "../config/suggested-change.ts";
import type { Explanation } from "./explanation.ts";
import type { UserException } from "./user-exceptions.ts";
import type { EffectiveException } from "./working-exceptions.ts";

const LABEL_WIDTH = 11;

/** Formats a label with wrapped text. Returns an empty list if there is no text. */
type FormatField = (label: string, texts: readonly (string | undefined)[]) => string[];

/** Formats an explanation for the terminal. Control characters in model-supplied text are made visible. */
export function formatExplanation(explanation: Explanation, { width, paint }: PageLayout): string {
  const { line, verdict, rule, command } = explanation;
  const field: FormatField = (label, texts) => {
    const parts = texts.filter((text) => text !== undefined && text !== "") as string[];
    return parts.length === 0
      ? []
      : wrapLabeled(`  ${label}`, parts.map(escapeLine).join("\n"), LABEL_WIDTH, { width });
  };
  return `${[
    paint(1, escapeLine(formatHead(explanation))),
    ...field("reason", verdict.reason?.split("\n") ?? []),
    ...formatWaysToAllow(explanation.ways, field, width),
    ...formatAllowances(explanation, field),
    ...field("chosen", formatChoice(explanation)),
    ...field("call", [command ?? (line?.asked === undefined ? undefined : JSON.stringify(line.asked))]),
    ...field("matched", [verdict.subject]),
    ...(command !== undefined && verdict.subject !== undefined
      ? underlineSubject(command, verdict.subject, width)
      : []),
    ...field("hook", [verdict.hook]),
    ...field("rule", [verdict.rule]),
    ...field("catches", [
      rule && (rule.finds ?? rule.patterns?.map((pattern) => pattern || "(any arguments)").join(" | ")),
    ]),
    ...field(
      "mode",
      verdict.withheld ? [formatModeOrigin(verdict.withheld), formatEnforceCommand(verdict.withheld)] : [],
    ),
    ...(line ? formatLogFields(line, explanation.isChanged, field) : []),
    ...(rule ? field("set by", listRuleOrigins(rule, explanation.turnedOffRules?.[0])) : []),
    ...field("settings", explanation.settings.filter(({ scope }) => scope !== undefined).map(formatSetting)),
    ...field("told", line ? [`${line.host ?? "the host"}: ${line.decision}`] : []),
    ...formatCurrentAnswers(explanation, field),
  ].join("\n")}\n`;
}

function formatHead({ line, verdict, excepted, turnedOffRules: [offRule] = [] }: Explanation): string {
  if (!line)
    return `today: ${verdict.decision}${
      excepted
        ? `; ${excepted.rule} would ${excepted.decision} without the exception below`
        : offRule
          ? `; ${offRule.rule} would ${offRule.decision}, but is off`
          : verdict.decision === "none"
            ? "; no rule or hook stops the call"
            : ""
    }`;
  const { id, time, host_version, event = line.native_event, tool } = line;
  const call = [nameCaller(line), host_version, event, tool].filter(Boolean).join(" ");
  return `${id}  ${formatTime(time)}  ${call}: ${isWithheld(line) ? formatWithheld(line) : describeDecision(line)}`;
}

/** Formats what lets the call through: rules that are off, exceptions and pauses. */
const formatAllowances = (
  { line, excepted, turnedOffRules = [], userExceptions = [] }: Explanation,
  field: FormatField,
): string[] => [
  ...field("off", turnedOffRules.flatMap(formatDisabledRule)),
  ...field("excepted", [
    ...(line?.exceptions ?? []).map((exception) => `the exception ${exception} allowed this call`),
    ...(excepted?.exceptions ?? []).flatMap(formatEffectiveException),
    ...userExceptions.flatMap(formatUserException),
  ]),
];

/** Names a config exception that allows the call, and the command that removes it. */
const formatEffectiveException = ({ rule, match, file, scope, key, until, reason }: EffectiveException): string[] => [
  `${key} in ${formatPath(file)} allows ${match === undefined ? `everything that ${rule} matches` : `"${match}"`}, ${until === undefined ? "with no expiry date" : `until ${until}`}: ${reason}`,
  `to remove it: ${formatConfigChange({ key, scope }, process.cwd())}`,
];

/** Names an exception or a pause that allows the call, and the command that ends it. */
const formatUserException = ({ id, until, reason, once, pause, rule }: UserException): string[] => [
  `${pause ? "a pause" : `the exception ${id}`} lets ${pause ? "all calls" : once ? "this call" : rule === undefined ? "such calls" : `calls that break ${rule}`} through ${once ? "once, " : ""}until ${formatTime(until)}: ${reason}`,
  `to end it: ${getOwnCommand()} allow revoke ${id}`,
];

/** Describes which denial was chosen, and how to explain another. Empty if the user named a line. */
function formatChoice({ chosen, line }: Explanation): string[] {
  if (chosen === undefined || !line) return [];
  const folder = line.cwd ?? line.project;
  const denial =
    chosen === "last-in-project"
      ? "the last denial in this project"
      : `the last denial, in ${folder === undefined ? "an unknown" : "another"} project`;
  return [
    folder === undefined ? denial : `${denial}: ${formatPath(folder)}`,
    `to list denials: ${getOwnCommand()} log --denied; to explain a denial: ${getOwnCommand()} explain ID`,
  ];
}

/** Formats details that only the log contains. */
function formatLogFields(line: LogLine, isChanged: boolean, field: FormatField): string[] {
  const { others = [], changed = [], failures = [], losses = [], messages = [], user, project, session, policy } = line;
  const change = isChanged ? "; the policy has changed since then, and all other lines show the current policy" : "";
  return [
    ...field("others", [
      others.map(({ hook, decision, rule }) => `${hook}: ${decision}${rule ? ` (${rule})` : ""}`).join("; "),
    ]),
    ...field("changed", [changed.join(", ")]),
    ...field(
      "failed",
      failures.map(({ hook, failure }) => (hook ? `${hook}: ${failure}` : failure)),
    ),
    ...field("lost", losses),
    ...field(
      "logged",
      messages.map(({ hook, text }) => `${hook}: ${text}`),
    ),
    ...field("who", [
      [user, project && formatPath(project), session && `session ${session}`].filter(Boolean).join(", "),
    ]),
    ...field("policy", [policy && `${policy.name} ${policy.version}, hash ${policy.hash}${change}`]),
  ];
}

const listRuleOrigins = (
  { id, action, enabled, source, setBy, lockedBy, exceptions }: ListedRule,
  offRule: DisabledRule | undefined,
): string[] => [
  ...setBy.map((setting) => `${setting.action}: ${formatPath(setting.file)}`),
  ...(setBy.length === 0 && offRule?.rule === id && offRule.origin
    ? [`off: "${offRule.origin.key}" in ${formatPath(offRule.origin.file)}`]
    : setBy.length === 0
      ? [`${enabled ? action : "off"}: ${source === "built-in" ? "the hook itself" : formatPath(source)}`]
      : []),
  ...(lockedBy === undefined ? [] : [`locked by ${formatPath(lockedBy)}`]),
  ...exceptions.map(({ match = "everything", file }) => `except ${match}: ${formatPath(file)}`),
];

const formatSetting = ({ name, value, scope, file }: Explanation["settings"][number]): string =>
  `${name} = ${value === undefined ? "nothing" : JSON.stringify(value)} (${scope}: ${formatPath(file ?? "")})`;

/** Formats the answer that each host would receive now. */
const formatCurrentAnswers = ({ today = [], untried }: Explanation, field: FormatField): string[] => [
  ...today.flatMap(({ hosts, decision, reason, withheld, newInput }, at) => {
    const names = today.length === 1 && hosts.length > 1 ? "every host" : hosts.join(", ");
    const effect = newInput && decision === "none" ? "rewrite" : decision;
    const input = newInput ? `; new input: ${JSON.stringify(newInput)}` : "";
    return field(at === 0 ? "today" : "", [`${names}: ${withheld ?? effect}${reason ? ` (${reason})` : ""}${input}`]);
  }),
  ...(untried === undefined ? [] : field("today", [`not tried: ${untried}`])),
];

const formatWaysToAllow = (ways: Explanation["ways"], field: FormatField, width: number): string[] =>
  ways.flatMap(({ text, command, lines }, at) => [
    ...field(at === 0 ? "options" : "", [text]),
    // Don't truncate the command, because users copy it.
    ...(command === undefined ? [] : lines && COMMAND_INDENT.length + command.length > width ? lines : [command]).map(
      (line) => `${COMMAND_INDENT}${escapeInvisible(line)}`,
    ),
  ]);
const COMMAND_INDENT = " ".repeat(LABEL_WIDTH + 2);

/** Underlines the judged words below the command line, if both fit. */
function underlineSubject(command: string, subject: string, width: number): string[] {
  const at = command.indexOf(subject);
  if (at < 0 || /[^\x20-\x7e]/.test(command) || command.length > width - LABEL_WIDTH - 2) return [];
  return [`${" ".repeat(LABEL_WIDTH)}${command}`, `${" ".repeat(LABEL_WIDTH + at)}${"^".repeat(subject.length)}`];
}
