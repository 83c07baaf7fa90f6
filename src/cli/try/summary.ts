import { mergeResponses } from "../../protocol/merge.ts";
import { getCells, pickCell } from "../../protocol/capability.ts";
import { getCapabilityRow, type Host } from "../../protocol/host/host.ts";
import { hosts } from "../../hosts/index.ts";
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
  { isRuleOff = false }: { isRuleOff?: boolean } = {},
): string[] {
  const decision = findCommonDecision(calls, reports);
  const texts: CallsByMessage = new Map();
  for (const call of calls)
    for (const text of listAnswerTexts(call)) texts.set(text, [...(texts.get(text) ?? []), call]);
  return [
    ...(decision === undefined ? [] : [formatDecision(decision, { calls, reports, isRuleOff }, page)]),
    ...[...texts].flatMap(([text, concerned]) => {
      const hosts = concerned.length === calls.length ? "" : ` (${nameHosts(concerned, reports)})`;
      const label = text.slice(0, text.indexOf(": ") + 2);
      return wrapLabeled(label, escapeInvisible(`${text.slice(label.length)}${hosts}`), label.length, page);
    }),
  ];
}

/** Formats the decision of all hosts. For no decision, adds the cause. */
function formatDecision(
  decision: string,
  { calls, reports, isRuleOff }: { calls: readonly HostCall[]; reports: readonly TryHostReport[]; isRuleOff: boolean },
  { paint }: PageLayout,
): string {
  if (decision !== "none") return `decision: ${colorWord(decision, paint)} on ${nameHosts(calls, reports)}`;
  const hooks = calls.flatMap((call) => call.hooks);
  const cause = hooks.some(({ allowed }) => allowed)
    ? "an exception allows the call"
    : hooks.some(({ failure }) => failure !== undefined)
      ? "a hook failed"
      : isRuleOff
        ? "the rule that would match is off"
        : "no rule or hook stops the call";
  return `decision: none (${cause})`;
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
 * shortened. Losses without an effect are left out unless the call is explained.
 */
export function formatCallNotes(
  calls: readonly HostCall[],
  reports: readonly TryHostReport[],
  page: PageLayout,
  { explain }: { explain: boolean },
): string[] {
  const notes = calls.flatMap((call) => listNoteTexts(call, explain));
  const groups = Map.groupBy(notes, ({ text }) => text.split("; ", 1)[0] as string);
  return [...groups].flatMap(([clause, equalNotes]) => {
    const isSame = new Set(equalNotes.map(({ text }) => text)).size === 1;
    const hosts = nameHosts([...new Set(equalNotes.map(({ call }) => call))], reports);
    const text = isSame ? (equalNotes[0]?.text ?? "") : `${clause}; to see why: --host ID`;
    return wrapLabeled(`${page.paint(35, "note")}   `, escapeInvisible(`${hosts}: ${text}`), 7, page);
  });
}

/** Lists a call's warnings without the host and the event that each of them names. */
export const listWarnings = ({ warnings, native_event }: CallReport, host: string): string[] =>
  warnings.map((warning) => warning.replace("bridge-hooks: ", "").replace(`${host} ${native_event}: `, ""));

/** Whether a warning says that the host gets a denial in another form, although the form has the same effect. */
function isHarmless(text: string, { host, native_event, payload }: HostCall): boolean {
  if (!text.startsWith('decision "deny" was sent in a different form')) return false;
  const row = getCapabilityRow(hosts.find(({ id }) => id === host) as Host, native_event, payload);
  return pickCell(getCells(row, "deny"), undefined).isEquivalent === true;
}

const listNoteTexts = (call: HostCall, explain: boolean): { text: string; call: HostCall }[] =>
  [
    ...listWarnings(call, call.host).filter((text) => explain || !isHarmless(text, call)),
    ...[describeProblem(call)].filter((problem) => problem !== undefined),
  ].map((text) => ({ text, call }));

/** Names the hosts of these calls: `every host`, or their IDs. */
function nameHosts(calls: readonly HostCall[], reports: readonly TryHostReport[]): string {
  const names = listHostNames(calls, reports);
  const isEveryHost = reports.length > 1 && reports.every(({ host }) => names.includes(host));
  return isEveryHost ? "every host" : names.join(", ");
}
