import type { Hook } from "../../protocol/hook.ts";
import { findNearestName } from "../../protocol/name-suggestions.ts";
import { listSchemaKeys, type Schema } from "../../protocol/schema.ts";
import { checkedOptions, type Settings as Said, settingsFor } from "../../run/config.ts";
import { type ConfigScope, type ConfigSource, configSources } from "../../run/settings.ts";
import { type OptionDescription, describeOptions } from "./schema.ts";

/** An option of a hook, and what it is set to. */
interface ResolvedOption extends Partial<Omit<OptionDescription, "name">> {
  name: string;
  /** As the hook gets it; absent where nothing sets it. */
  value?: unknown;
  /** The config file that says so; absent: the default. */
  scope?: ConfigScope;
  file?: string;
  /** A project's file has a say in it only where the project is trusted. */
  trusted?: true;
}

/** A hook's options in a folder. */
export interface HookOptionReport {
  settings: ResolvedOption[];
  /** Whose schema it is, where that does not tell its options. */
  vendor?: string;
  /** What the project's file sets in vain, since nobody trusts it. */
  ignored: readonly string[];
  /** What files set that the hook does not have. */
  unknown: readonly { name: string; file: string; near?: string }[];
  /** The file that keeps weaker ones out, and what those set in vain. */
  lock?: { file: string; ignored: { file: string; options: string[] }[] };
  /** Why the hook would fail at each of its events here. */
  problem?: string;
}

/** The options of a hook in a folder, each with its value and the file it comes from. */
export async function resolveHookOptions(hook: Hook, name: string, cwd: string): Promise<HookOptionReport> {
  const { options: schema } = hook;
  if (!schema) return { settings: [], ignored: [], unknown: [] };
  const described = describeOptions(schema);
  const { options, from, ignored, unknown, lock, problem } = await checkConfiguredOptions(hook, schema, name, cwd);
  const names = new Set([...(described ?? []).map((one) => one.name), ...Object.keys(options)]);
  const settings = [...names].map((key): ResolvedOption => {
    const source = from[key];
    const known = described?.find((one) => one.name === key);
    // Where something is wrong, the schema has not filled in what nobody sets.
    const value = options[key] ?? known?.default;
    return {
      name: key,
      ...known,
      ...(value !== undefined && { value: toJsonValue(value) }),
      ...(source && { scope: source.scope, file: source.path }),
      ...(hook.trustedOptions?.includes(key) && { trusted: true }),
    };
  });
  return {
    settings,
    ignored,
    unknown,
    ...(lock && { lock: { file: lock.path, ignored: await listLockedOutOptions(name, lock, cwd) } }),
    ...(!described && { vendor: schema["~standard"].vendor }),
    ...(problem !== undefined && { problem }),
  };
}

/** What files that are locked out say of a hook. One that can't be read is told of elsewhere. */
async function listLockedOutOptions(
  name: string,
  lock: ConfigSource,
  cwd: string,
): Promise<{ file: string; options: string[] }[]> {
  const found: { file: string; options: string[] }[] = [];
  for (const source of configSources(cwd)) {
    if (source.scope === "managed" || source.scope === lock.scope) continue;
    const { values } = await settingsFor(name, [source]).catch(() => ({ values: {} }));
    const options = Object.keys(values);
    if (options.length > 0) found.push({ file: source.path, options });
  }
  return found;
}

/** What the config files say, as the schema gives it; where it is not as that wants it, what they say. */
async function checkConfiguredOptions(
  { trustedOptions }: Hook,
  schema: Schema,
  name: string,
  cwd: string,
): Promise<
  Omit<Said, "values"> &
    Pick<HookOptionReport, "unknown"> & { options: Readonly<Record<string, unknown>>; problem?: string }
> {
  const sources = configSources(cwd);
  let found: Said = { values: {}, from: {}, ignored: [] };
  try {
    found = await settingsFor(name, sources, trustedOptions);
    const { options, wrong, unknown: names } = await checkedOptions(name, schema, found, sources);
    const unknown = names.map((key) => describeUnknownSetting(key, schema, found));
    if (wrong.length === 0) return { ...found, unknown, options: options as Record<string, unknown> };
    const values = Object.fromEntries(Object.entries(found.values).filter(([key]) => !names.includes(key)));
    return { ...found, unknown, options: values, problem: wrong.join("\n") };
  } catch (error) {
    return { ...found, unknown: [], options: found.values, problem: (error as Error).message };
  }
}

function describeUnknownSetting(name: string, schema: Schema, { from }: Said): HookOptionReport["unknown"][number] {
  const near = findNearestName(name, listSchemaKeys(schema) ?? []);
  return { name, file: from[name]?.path ?? "", ...(near !== undefined && { near }) };
}

/** A value as JSON has it; what that has no word for, as text. */
function toJsonValue(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (Bun.deepEquals(copy, value)) return copy;
  } catch {
    // It has no form as JSON.
  }
  return Bun.inspect(value).replaceAll(/\s*\n\s*/g, " ");
}
