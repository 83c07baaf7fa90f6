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

/** The plan for `--mode`. */
export interface ModePlan {
  /** The general mode after the installation. Hooks and rules can have their own modes. */
  whole: TimedMode;
  /** The file that sets the mode. */
  file: string;
  /** The planned change. Absent if the file already sets this mode, or if another file decides the mode. */
  change?: PlannedChange;
  /** Whether nothing is denied, not even by a hook or rule with its own mode. */
  isDenyingNothing: boolean;
  notes: readonly string[];
}

/**
 * Plans to change the mode in a scope's config file without changing other mode settings.
 * @throws Error if the managed file sets a different mode, or if the file can't be changed.
 */
export async function planModeChange(mode: Mode, scope: "managed" | "user"): Promise<ModePlan> {
  const [managed, user] = listSharedSources();
  const source = scope === "managed" ? managed : user;
  const document = await readConfigDocument(source);
  if (scope === "user" && (await forbidsUserModes(managed))) {
    await refuseOtherMode(mode, managed);
    const note = `the mode in ${user.path} has no effect, because ${managed.path} sets it`;
    const otherModes = Object.values(summarizeModes(await readModes([managed]))?.others ?? {});
    const isDenyingNothing = mode !== "enforce" && !otherModes.includes("enforce");
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

/** Whether a managed file exists and doesn't let users set modes. */
const forbidsUserModes = async (managed: ConfigSource): Promise<boolean> =>
  listModeSources().some(({ scope }) => scope === "managed") && !(await readModes([managed])).users;

async function refuseOtherMode(mode: Mode, managed: ConfigSource): Promise<void> {
  const { general } = await readModes([managed]);
  const currentMode = resolveMode(general, Date.now());
  if (currentMode === mode) return;
  throw new Error(
    `${managed.path} sets the mode (${currentMode}); the file's owner can let you change the mode: "mode": { "users": true }`,
  );
}

/** Lists the values to set and remove so that a mode takes effect now. */
async function listChanges(mode: Mode, scope: "managed" | "user", modeSetting: unknown): Promise<ConfigChange[]> {
  // The default mode is enforce.
  if (modeSetting === undefined && mode === "enforce" && resolveMode((await readModes()).general, Date.now()) === mode)
    return [];
  if (!isObject(modeSetting)) return modeSetting === mode ? [] : [{ key: "mode", value: mode, scope }];
  const { mode: current = "enforce", until } = modeSetting;
  // A future end date still applies to the new mode, unless the new mode is enforce.
  const isStale = until !== undefined && (mode === "enforce" || !(readEnd(until) > Date.now()));
  const isSet = current === mode && (modeSetting.mode !== undefined || until === undefined);
  return [
    ...(isSet ? [] : [{ key: "mode.mode", value: mode, scope }]),
    ...(isStale ? [{ key: "mode.until", scope }] : []),
  ];
}

/**
 * Determines which mode a file's `mode` setting puts into effect.
 * @throws Error if an invalid value prevents the mode from taking effect.
 */
async function describeMode(mode: Mode, source: ConfigSource, modeSetting: unknown): Promise<ModePlan> {
  const { value: statement, problems } = readModeStatement(modeSetting ?? mode);
  const { path: file } = source;
  const whole = { mode: statement.mode, ...(statement.until !== undefined && { until: statement.until }) };
  if (whole.mode !== mode)
    throw new Error(
      `${file}: ${["mode", ...(problems[0]?.path ?? [])].join(".")}: ${problems[0]?.message}; fix this first, because everything is enforced until then`,
    );
  const modesByName = summarizeModes({ general: whole, source, statement })?.others ?? {};
  const otherModes = Object.entries(modesByName).map(([name, one]) => `${name} (${one})`);
  const effectiveModes = source.scope === "managed" && statement.users ? await readModes() : undefined;
  const user = effectiveModes?.source?.scope === "user" ? effectiveModes.source.path : undefined;
  return {
    whole,
    file,
    isDenyingNothing: mode !== "enforce" && !Object.values(modesByName).includes("enforce"),
    notes: [
      ...(otherModes.length > 0 ? [`${file} sets other modes for ${otherModes.join(", ")}, and they are kept`] : []),
      ...(user === undefined ? [] : [`${user} sets the mode here, which ${file} allows`]),
    ],
  };
}

/** Formats the config change as a unified diff, which is empty if nothing changes. */
export const formatModeDiff = ({ change }: ModePlan): string =>
  change ? formatTextDiff(change.source.path, change.content.text, change.draft.text).trimEnd() : "";

export const formatTimedMode = ({ mode, until }: TimedMode): string =>
  until === undefined ? mode : `${mode} until ${until}, then enforce`;

export function formatMode(plan: ModePlan, stage: "planned" | "done"): string {
  const { isDenyingNothing, notes } = plan;
  const text =
    stage === "planned"
      ? `The mode would be ${formatTimedMode(plan.whole)}.`
      : `Mode: ${formatTimedMode(plan.whole)}.${isDenyingNothing ? " Nothing is denied." : ""}`;
  return [text, ...notes.map((note) => `  - ${note}`)].join("\n");
}

/** Converts the plan to JSON data. */
export const toModeData = (plan: ModePlan) => ({
  ...plan.whole,
  file: plan.file,
  changed: plan.change !== undefined,
  diff: formatModeDiff(plan),
  notes: plan.notes,
});
