import type { Hook } from "../../protocol/hook.ts";
import { findNearestName } from "../../protocol/name-suggestions.ts";
import { listSchemaKeys, type Schema } from "../../protocol/schema.ts";
import { validateHookOptions, type HookSettings as Said, mergeSettings } from "../../policy/merge.ts";
import { type ConfigScope, type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import { type OptionDescription, describeOptions } from "../../policy/check/option-schema.ts";

/** An option of a hook, and its value. */
interface ResolvedOption extends Partial<Omit<OptionDescription, "name">> {
  name: string;
  /** As the hook receives it; absent if nothing sets it. */
  value?: unknown;
  /** The config file that sets it; absent: the default applies. */
  scope?: ConfigScope;
  file?: string;
  /** A project's file can set it only if the project is trusted. */
  trusted?: true;
}

/** The options of a hook in a folder. */
export interface HookOptionReport {
  settings: ResolvedOption[];
  /** The vendor of the schema, if the schema does not reveal its options. */
  vendor?: string;
  /** Options that the project's file sets without effect, since the project is not trusted. */
  ignored: readonly string[];
  /** Options that config files set and the hook does not have. */
  unknown: readonly { name: string; file: string; near?: string }[];
  /** The file that locks weaker files out, and what those set without effect. */
  lock?: { file: string; ignored: { file: string; options: string[] }[] };
  /** Options that weaker files set without effect, since a stronger file locks them. */
  lockedOut?: readonly { name: string; file: string; by: string }[];
  /** Why the hook would fail at each of its events here. */
  problem?: string;
}

/** Resolves the options of a hook in a folder, each with its value and the file that sets it. */
export async function resolveHookOptions(hook: Hook, name: string, cwd: string): Promise<HookOptionReport> {
  const { options: schema } = hook;
  if (!schema) return { settings: [], ignored: [], unknown: [] };
  const described = describeOptions(schema);
  const {
    options,
    sources,
    ignored,
    unknown,
    lock,
    lockedOut = [],
    problem,
  } = await checkConfiguredOptions(hook, schema, name, cwd);
  const names = new Set([...(described ?? []).map((one) => one.name), ...Object.keys(options)]);
  const settings = [...names].map((key): ResolvedOption => {
    const source = sources[key];
    const known = described?.find((one) => one.name === key);
    // If an option is invalid, the schema has not filled in the defaults.
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
    lockedOut: lockedOut.map(({ key, ...where }) => ({ name: key, ...where })),
    ...(lock && { lock: { file: lock.path, ignored: await listLockedOutOptions(name, lock, cwd) } }),
    ...(!described && { vendor: schema["~standard"].vendor }),
    ...(problem !== undefined && { problem }),
  };
}

/** Lists what locked-out files set for a hook. Unreadable files are reported elsewhere. */
async function listLockedOutOptions(
  name: string,
  lock: ConfigSource,
  cwd: string,
): Promise<{ file: string; options: string[] }[]> {
  const found: { file: string; options: string[] }[] = [];
  for (const source of listConfigSources(cwd)) {
    if (source.scope === "managed" || source.scope === lock.scope) continue;
    const { values } = await mergeSettings(name, [source]).catch(() => ({ values: {} }));
    const options = Object.keys(values);
    if (options.length > 0) found.push({ file: source.path, options });
  }
  return found;
}

/** Reads the options from the config files: as parsed by the schema, or as written if they are invalid. */
async function checkConfiguredOptions(
  hook: Hook,
  schema: Schema,
  name: string,
  cwd: string,
): Promise<
  Omit<Said, "values"> &
    Pick<HookOptionReport, "unknown"> & { options: Readonly<Record<string, unknown>>; problem?: string }
> {
  const sources = listConfigSources(cwd);
  let found: Said = { values: {}, sources: {}, ignored: [] };
  try {
    found = await mergeSettings(name, sources, hook);
    const { options, wrong, unknown: names } = await validateHookOptions(name, schema, found, sources);
    const unknown = names.map((key) => describeUnknownSetting(key, schema, found));
    if (wrong.length === 0) return { ...found, unknown, options: options as Record<string, unknown> };
    const values = Object.fromEntries(Object.entries(found.values).filter(([key]) => !names.includes(key)));
    return { ...found, unknown, options: values, problem: wrong.join("\n") };
  } catch (error) {
    return { ...found, unknown: [], options: found.values, problem: (error as Error).message };
  }
}

function describeUnknownSetting(name: string, schema: Schema, { sources }: Said): HookOptionReport["unknown"][number] {
  const near = findNearestName(name, listSchemaKeys(schema) ?? []);
  return { name, file: sources[name]?.path ?? "", ...(near !== undefined && { near }) };
}

/** Converts a value to JSON; a value that JSON can't represent becomes text. */
export function toJsonValue(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (Bun.deepEquals(copy, value)) return copy;
  } catch {
    // The value can't be serialized as JSON.
  }
  return Bun.inspect(value).replaceAll(/\s*\n\s*/g, " ");
}
