import { escapeInvisible, formatCount } from "../../operate/text.ts";
import { padText, type PageLayout } from "../terminal/layout.ts";
import type { RuleTestReport, TestedExample, TestedRule } from "./test-report.ts";

const INDENT = "     ";
const EXPECTED_WIDTH = "allow".length + 2;
const MAX_ID_WIDTH = 40;

/** Formats `rules test` for the terminal: the file's errors, a line per rule, and a summary. */
export function formatTestReport(
  { file, findings, rules }: RuleTestReport,
  { paint }: Pick<PageLayout, "paint">,
): string {
  const findingLines = findings.map(({ level, line, column, path, message }) => {
    const text = escapeInvisible(`${path === "" ? "" : `${path}: `}${message}`);
    return `${escapeInvisible(file)}:${line}:${column}: ${level === "red" ? "" : `${paint(35, "note")}: `}${text}`;
  });
  const lines = formatTestedRules(rules, paint);
  const problems = findings.filter(({ level }) => level === "red").length;
  const failedCount = rules.filter(hasFailed).length;
  const examples = rules.reduce((sum, rule) => sum + rule.examples.length, 0);
  const total = [
    `${formatCount(rules.length, "rule")}, ${formatCount(examples, "example")}`,
    problems > 0 ? formatCount(problems, "problem") : undefined,
    failedCount > 0 ? `${formatCount(failedCount, "rule")} failed` : undefined,
  ].filter((part) => part !== undefined);
  const parts = [findingLines, lines, [`${escapeInvisible(file)}: ${total.join(", ")}`]].filter(
    (part) => part.length > 0,
  );
  return `${parts.map((part) => part.join("\n")).join("\n\n")}\n`;
}

/** Whether examples of a rule fail. Errors in an invalid rule are reported as findings. */
export const hasFailed = ({ ok, examples }: TestedRule): boolean => !ok && examples.length > 0;

/** Formats a line per valid rule and per failed example. */
export function formatTestedRules(rules: readonly TestedRule[], paint: PageLayout["paint"]): string[] {
  const width = Math.min(MAX_ID_WIDTH, Math.max(0, ...rules.map(({ id }) => id.length)));
  return rules
    .filter((rule) => rule.ok || hasFailed(rule))
    .flatMap((rule) => {
      const sign = rule.ok ? paint(32, "ok  ") : paint(31, "FAIL");
      const heading = `${sign} ${padText(escapeInvisible(rule.id), width)}  ${describeResult(rule)}`;
      return [heading, ...rule.examples.filter(({ ok }) => !ok).map(formatFailure)];
    });
}

function describeResult({ examples }: TestedRule): string {
  if (examples.length === 0) return "no examples; the rule is untested";
  const failedCount = examples.filter((example) => !example.ok).length;
  if (failedCount > 0) return `${failedCount} of ${formatCount(examples.length, "example")} failed`;
  const lacksDenyExample = examples.every(({ expected }) => expected === "allow");
  return `${formatCount(examples.length, "example")}${lacksDenyExample ? ", but no deny example; the rule is untested" : ""}`;
}

const OUTCOME_FORMATTERS: Readonly<Record<TestedExample["outcome"], (cause?: string) => string>> = {
  caught: () => "is caught",
  passes: () => "passes",
  other: (cause) => `${cause} catches it first`,
  missed: (cause) => `does not match; ${cause} catches it`,
  fails: (cause) => cause ?? "a hook fails",
};

const formatFailure = ({ line, expected, outcome, what }: TestedExample) =>
  `${INDENT}${padText(expected, EXPECTED_WIDTH)}${escapeInvisible(`${line.replaceAll("\n", "⏎")}: ${OUTCOME_FORMATTERS[outcome](what)}`)}`;
