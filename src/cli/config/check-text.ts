import type { PageLayout } from "../terminal/layout.ts";
import { formatTestedRules, hasFailed } from "../rules/test-text.ts";
import { escapeInvisible, formatCount } from "../../operate/text.ts";
import type { CheckedFile, ConfigCheckReport } from "./check-report.ts";

/** Formats `config check` for the terminal like compiler output: one line per finding and a summary per file. */
export const formatCheckReport = ({ files }: ConfigCheckReport, paint: PageLayout["paint"]): string =>
  files.map((file) => formatCheckedFile(file, paint)).join("\n");

function formatCheckedFile({ file, scope, ok, findings, rules }: CheckedFile, paint: PageLayout["paint"]): string {
  const fileName = escapeInvisible(file);
  const lines = findings.map(({ level, line, column, path, message }) => {
    const text = escapeInvisible(`${path === "" ? "" : `${path}: `}${message}`);
    return `${fileName}:${line}:${column}: ${level === "red" ? "" : `${paint(35, "note")}: `}${text}`;
  });
  const problems = findings.filter(({ level }) => level === "red").length;
  const failedCount = rules.filter(hasFailed).length;
  const examples = rules.reduce((sum, rule) => sum + rule.examples.length, 0);
  const sum = [
    ok ? paint(32, "ok") : paint(31, "not ok"),
    ...(problems > 0 ? [formatCount(problems, "problem")] : []),
    ...(rules.length > 0 ? [`${formatCount(rules.length, "rule")}, ${formatCount(examples, "example")}`] : []),
    ...(failedCount > 0 ? [`${formatCount(failedCount, "rule")} failed`] : []),
  ].join(", ");
  const parts = [lines, formatTestedRules(rules, paint), [`${fileName}: ${sum} (as a ${scope} file)`]];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}
