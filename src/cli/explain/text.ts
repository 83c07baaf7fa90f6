import { describeDecision, formatTime } from "../log/text.ts";
import { escapeInvisible, escapeLine, formatPath, labelLines, wrapText } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import type { Explanation } from "./explain.ts";

const LABEL_WIDTH = 11;

/** An explanation for people. All that a model may have chosen has its control characters shown. */
export function formatExplanation(
  explanation: Explanation,
  { width, paint }: Pick<TerminalOutput, "width" | "paint">,
): string {
  const { line, verdict, rule, settings, today, untried, ways, isChanged, command } = explanation;
  const field = (label: string, texts: readonly (string | undefined)[]) => {
    const shown = texts.filter((text) => text !== undefined && text !== "") as string[];
    const lines = shown.flatMap((text) => wrapText(escapeLine(text), width - LABEL_WIDTH - 2));
    return labelLines(`  ${label}`, lines, LABEL_WIDTH);
  };
  const head = line
    ? `${line.id}  ${formatTime(line.time)}  ${[line.host, line.host_version, line.event ?? line.native_event, line.tool].filter(Boolean).join(" ")}: ${describeDecision(line)}`
    : `today: ${verdict.decision}`;
  return `${[
    paint(1, escapeLine(head)),
    ...field("call", [command ?? (line?.asked === undefined ? undefined : JSON.stringify(line.asked))]),
    ...field("matched", [verdict.subject]),
    ...(command !== undefined && verdict.subject !== undefined ? markSubject(command, verdict.subject, width) : []),
    ...field("hook", [verdict.hook]),
    ...field("rule", [verdict.rule]),
    ...field("catches", [rule && (rule.finds ?? rule.patterns?.map((one) => one || "(any arguments)").join(" | "))]),
    ...field("reason", [verdict.reason]),
    ...field("others", [
      line?.others
        ?.map(({ hook, decision, rule: other }) => `${hook}: ${decision}${other ? ` (${other})` : ""}`)
        .join("; "),
    ]),
    ...field("changed", [line?.changed?.join(", ")]),
    ...field("failed", line?.failures?.map(({ hook, failure }) => (hook ? `${hook}: ${failure}` : failure)) ?? []),
    ...field("lost", line?.losses ?? []),
    ...field("logged", line?.messages?.map(({ hook, text }) => `${hook}: ${text}`) ?? []),
    ...field("who", [
      line &&
        [line.user, line.project && formatPath(line.project), line.session && `session ${line.session}`]
          .filter(Boolean)
          .join(", "),
    ]),
    ...field("policy", [
      line?.policy &&
        `${line.policy.name} ${line.policy.version}, hash ${line.policy.hash}${isChanged ? "; it has changed since, and what follows is today's" : ""}`,
    ]),
    ...(rule
      ? field("set by", [
          ...rule.setBy.map(({ file, action }) => `${action}: ${formatPath(file)}`),
          ...(rule.setBy.length === 0
            ? [`${rule.action}: ${rule.source === "built-in" ? "the hook itself" : formatPath(rule.source)}`]
            : []),
          ...(rule.lockedBy === undefined ? [] : [`locked by ${formatPath(rule.lockedBy)}`]),
          ...rule.exceptions.map(({ match = "everything", file }) => `except ${match}: ${formatPath(file)}`),
        ])
      : []),
    ...field(
      "settings",
      settings.map(
        ({ name, value, scope, file }) =>
          `${name} = ${value === undefined ? "nothing" : JSON.stringify(value)} (${scope ? `${scope}: ${formatPath(file ?? "")}` : "default"})`,
      ),
    ),
    ...field("told", line ? [`${line.host ?? "the host"}: ${line.decision}`] : []),
    ...(today ?? []).flatMap(({ hosts, decision, reason }, at) =>
      field(at === 0 ? "today" : "", [`${hosts.join(", ")}: ${decision}${reason ? ` (${reason})` : ""}`]),
    ),
    ...(untried === undefined ? [] : field("today", [`not tried: ${untried}`])),
    ...ways.flatMap(({ text, command: typed }, at) => [
      ...field(at === 0 ? "to allow" : "", [text]),
      // Uncut, to be copied.
      ...(typed === undefined ? [] : [`${" ".repeat(LABEL_WIDTH)}  ${escapeInvisible(typed)}`]),
    ]),
  ].join("\n")}\n`;
}

/** Marks the words that were judged below the line that they stand in, if both fit. */
function markSubject(command: string, subject: string, width: number): string[] {
  const at = command.indexOf(subject);
  if (at < 0 || /[^\x20-\x7e]/.test(command) || command.length > width - LABEL_WIDTH - 2) return [];
  return [`${" ".repeat(LABEL_WIDTH)}${command}`, `${" ".repeat(LABEL_WIDTH + at)}${"^".repeat(subject.length)}`];
}
