import { mergeResponses } from "../../protocol/merge.ts";
import { escapeInvisible } from "../../operate/text.ts";
import { type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import {
  colorWord,
  describeProblem,
  FIELD_LABELS,
  formatAllowed,
  listHostNames,
  nameDecision,
} from "./decision-words.ts";
import type { CallReport, TryHostReport } from "./report.ts";

/** A host's call, with the host's display name. */
export type HostCall = CallReport & { host: string; shown: string };

/** Maps each text to the calls it concerns. */
type CallsByMessage = Map<string, HostCall[]>;

/** Returns the decision that all hosts agree on, or undefined if they disagree or some don't report the event. */
export function findCommonDecision(calls: readonly HostCall[], reports: readonly TryHostReport[]): string | undefined {
  const [decision, ...others] = new Set(calls.map(nameDecision));
  return others.length > 0 || reports.some(({ silence }) => silence !== undefined) ? undefined : decision;
}

/** Formats the decision, if all hosts agree on it, and the hooks' answers, without repeating any text. */
export function formatSummary(
  calls: readonly HostCall[],
  reports: readonly TryHostReport[],
  page: PageLayout,
): string[] {
  const decision = findCommonDecision(calls, reports);
  const texts: CallsByMessage = new Map();
  for (const call of calls)
    for (const text of listAnswerTexts(call)) texts.set(text, [...(texts.get(text) ?? []), call]);
  return [
    ...(decision === undefined ? [] : [`decision: ${colorWord(decision, page.paint)} on ${nameHosts(calls, reports)}`]),
    ...[...texts].flatMap(([text, concerned]) => {
      const hosts = concerned.length === calls.length ? "" : ` (${nameHosts(concerned, reports)})`;
      const label = text.slice(0, text.indexOf(": ") + 2);
      return wrapLabeled(label, escapeInvisible(`${text.slice(label.length)}${hosts}`), label.length, page);
    }),
  ];
}

/** Lists the merged response of a call's hooks, one labeled text per field, without repeating any text. */
function listAnswerTexts({ hooks }: HostCall): string[] {
  const merged = mergeResponses(hooks.map(({ response }) => response));
  const { reason: withheldReason } = mergeResponses(hooks.flatMap((hook) => hook.withheld?.response ?? []));
  const { decision: _, rule: __, subject: ___, ...fields } = merged;
  // In warn mode, the message and the context for the model quote the withheld reason.
  const isQuote = (text: string) =>
    withheldReason !== undefined && text.startsWith("bridge-hooks: ") && text.endsWith(withheldReason);
  const shown = Object.entries({ reason: withheldReason, ...fields }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)] as const],
  );
  return [
    ...shown
      .filter(([, text], at) => !isQuote(text) && shown.findIndex(([, other]) => other === text) === at)
      .map(([name, text]) => `${FIELD_LABELS[name] ?? name}: ${text}`),
    ...hooks.flatMap(({ allowed }) => (allowed ? [`allowed: ${formatAllowed(allowed)}`] : [])),
  ];
}

/**
 * Formats warnings about lost answers and failures, without repeating any text. Texts that differ by host are
 * shortened.
 */
export function formatCallNotes(
  calls: readonly HostCall[],
  reports: readonly TryHostReport[],
  page: PageLayout,
): string[] {
  const groups = Map.groupBy(calls.flatMap(listNoteTexts), ({ text }) => text.split("; ", 1)[0] as string);
  return [...groups].flatMap(([clause, notes]) => {
    const isSame = new Set(notes.map(({ text }) => text)).size === 1;
    const hosts = nameHosts([...new Set(notes.map(({ call }) => call))], reports);
    const text = isSame ? (notes[0]?.text ?? "") : `${clause}; to see why: --host ID`;
    return wrapLabeled(`${page.paint(35, "note")}   `, escapeInvisible(`${hosts}: ${text}`), 7, page);
  });
}

const listNoteTexts = (call: HostCall): { text: string; call: HostCall }[] =>
  [
    ...call.warnings.map((warning) =>
      warning.replace("bridge-hooks: ", "").replace(`${call.host} ${call.native_event}: `, ""),
    ),
    ...[describeProblem(call)].filter((problem) => problem !== undefined),
  ].map((text) => ({ text, call }));

/** Names the hosts of these calls: `every host`, or their IDs. */
function nameHosts(calls: readonly HostCall[], reports: readonly TryHostReport[]): string {
  const names = listHostNames(calls, reports);
  const isEveryHost = reports.length > 1 && reports.every(({ host }) => names.includes(host));
  return isEveryHost ? "every host" : names.join(", ");
}
