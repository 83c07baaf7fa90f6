import { isObject } from "../../protocol/object.ts";
import { formatTextDiff } from "../../operate/machine/plan.ts";
import { readEnd } from "../../policy/describe.ts";
import {
  type Mode,
  readModes,
  readModeStatement,
  resolveMode,
  summarizeModes,
  type TimedMode,
} from "../../policy/modes.ts";
import { readConfigDocument } from "../../policy/read.ts";
import { type ConfigSource, listConfigSources, listModeSources, listSharedSources } from "../../policy/sources.ts";
import type { ConfigChange, PlannedChange } from "../config/change.ts";

/** What `--mode` comes to. */
export interface ModePlan {
  /** What is in force afterwards, of all that nothing more specific is said about. */
  whole: TimedMode;
  /** The file that says it. */
  file: string;
  /** Absent: the file says so already, or another one decides. */
  change?: PlannedChange;
  /** No hook and no rule has a mode of its own in which it denies. */
  isDenyingNothing: boolean;
  /** What people should know about it, a line each. */
  notes: readonly string[];
}

/**
 * Plans the change of the mode in the file of a scope; all else that the file says about modes stays.
 * @throws Error where the administrators' file decides the mode, and says another one, or the file can't be changed.
 */
export async function planMode(mode: Mode, scope: "managed" | "user"): Promise<ModePlan> {
  const [managed, user] = listSharedSources();
  const source = scope === "managed" ? managed : user;
  const document = await readConfigDocument(source);
  if (scope === "user" && (await isDecidedBy(managed))) {
    await refuseOtherMode(mode, managed);
    const note = `the mode in ${user.path} has no effect: ${managed.path} decides it`;
    const others = Object.values(summarizeModes(await readModes([managed]))?.others ?? {});
    const isDenyingNothing = mode !== "enforce" && !others.includes("enforce");
    return { whole: { mode }, file: managed.path, isDenyingNothing, notes: document?.mode === undefined ? [] : [note] };
  }
  const changes = await listChanges(mode, scope, document?.mode);
  if (changes.length === 0) return describeMode(mode, source, document?.mode);
  const { COMPILED_HOOKS } = await import("../find-hooks.ts");
  const { planChanges } = await import("../config/change.ts");
  const sources = listConfigSources(process.cwd());
  const change = await planChanges(changes, COMPILED_HOOKS, process.cwd(), sources);
  return { ...(await describeMode(mode, source, change.draft.document.mode)), change };
}

/** Whether the managed file is there, and does not let users set modes. */
const isDecidedBy = async (managed: ConfigSource): Promise<boolean> =>
  listModeSources().some(({ scope }) => scope === "managed") && !(await readModes([managed])).users;

async function refuseOtherMode(mode: Mode, managed: ConfigSource): Promise<void> {
  const { whole } = await readModes([managed]);
  const now = resolveMode(whole, Date.now());
  if (now === mode) return;
  throw new Error(
    `${managed.path} decides the mode here (${now}); whoever owns it can let you set it: "mode": { "users": true }`,
  );
}

/** The values to set and to remove, so that a mode is in force from now on. */
async function listChanges(mode: Mode, scope: "managed" | "user", given: unknown): Promise<ConfigChange[]> {
  // Where no file says anything, it is enforced.
  if (given === undefined && mode === "enforce" && resolveMode((await readModes()).whole, Date.now()) === mode)
    return [];
  if (!isObject(given)) return given === mode ? [] : [{ key: "mode", value: mode, scope }];
  const { mode: current = "enforce", until } = given;
  // An end that is yet to come holds for the new mode as well; enforcement has none.
  const isStale = until !== undefined && (mode === "enforce" || !(readEnd(until) > Date.now()));
  const isSet = current === mode && (given.mode !== undefined || until === undefined);
  return [
    ...(isSet ? [] : [{ key: "mode.mode", value: mode, scope }]),
    ...(isStale ? [{ key: "mode.until", scope }] : []),
  ];
}

/**
 * Says what a file's `mode` comes to.
 * @throws Error if something in it keeps the mode from being in force.
 */
async function describeMode(mode: Mode, source: ConfigSource, given: unknown): Promise<ModePlan> {
  const { value: statement, problems } = readModeStatement(given ?? mode);
  const { path: file } = source;
  const whole = { mode: statement.mode, ...(statement.until !== undefined && { until: statement.until }) };
  if (whole.mode !== mode)
    throw new Error(
      `${file}: ${["mode", ...(problems[0]?.path ?? [])].join(".")}: ${problems[0]?.message}; correct it first, everything is enforced until then`,
    );
  const others = summarizeModes({ whole, source, statement })?.others ?? {};
  const named = Object.entries(others).map(([name, one]) => `${name} (${one})`);
  const decided = source.scope === "managed" && statement.users ? await readModes() : undefined;
  const user = decided?.source?.scope === "user" ? decided.source.path : undefined;
  return {
    whole,
    file,
    isDenyingNothing: mode !== "enforce" && !Object.values(others).includes("enforce"),
    notes: [
      ...(named.length > 0 ? [`${file} has other modes for ${named.join(", ")}; they stay`] : []),
      ...(user === undefined ? [] : [`here ${user} decides the mode, which ${file} lets users set`]),
    ],
  };
}

/** Formats the change of the config file as a unified diff; empty where nothing changes. */
export const formatModeDiff = ({ change }: ModePlan): string =>
  change ? formatTextDiff(change.source.path, change.found.text, change.draft.text).trimEnd() : "";

export const formatTimedMode = ({ mode, until }: TimedMode): string =>
  until === undefined ? mode : `${mode} until ${until}, then enforce`;

/** Says which mode it would be, or is. */
export function formatMode(plan: ModePlan, when: "planned" | "done"): string {
  const { isDenyingNothing, notes } = plan;
  const text =
    when === "planned"
      ? `The mode would be ${formatTimedMode(plan.whole)}.`
      : `Mode: ${formatTimedMode(plan.whole)}.${isDenyingNothing ? " Nothing is denied." : ""}`;
  return [text, ...notes.map((note) => `  - ${note}`)].join("\n");
}

/** The same as data. */
export const toModeData = (plan: ModePlan) => ({
  ...plan.whole,
  file: plan.file,
  changed: plan.change !== undefined,
  diff: formatModeDiff(plan),
  notes: plan.notes,
});
