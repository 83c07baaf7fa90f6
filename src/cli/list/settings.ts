import type { Hook } from "../../core/hook.ts";
import type { Schema } from "../../core/schema.ts";
import { checkedOptions, type ConfigScope, configSources, type Settings as Said, settingsFor } from "../../run/config.ts";
import { type Described, optionsIn } from "./schema.ts";

/** An option of a hook, and what it is set to. */
export interface Setting extends Partial<Omit<Described, "name">> {
  name: string;
  /** As the hook gets it; absent where nothing sets it. */
  value?: unknown;
  /** The config file that says so; absent: the default. */
  scope?: ConfigScope;
  file?: string;
}

/** A hook's options in a folder. */
export interface Settings {
  settings: Setting[];
  /** Whose schema it is, where that does not tell its options. */
  vendor?: string;
  /** What the project's file sets in vain, since nobody trusts it. */
  ignored: readonly string[];
  /** Why the hook would fail at each of its events here. */
  problem?: string;
}

/** The options of a hook in a folder, each with its value and the file it comes from. */
export async function settingsOf(hook: Hook, name: string, cwd: string): Promise<Settings> {
  const { options: schema } = hook;
  if (!schema) return { settings: [], ignored: [] };
  const described = optionsIn(schema);
  const { options, from, ignored, problem } = await said(hook, schema, name, cwd);
  const names = new Set([...(described ?? []).map((one) => one.name), ...Object.keys(options)]);
  const settings = [...names].map((key): Setting => {
    const source = from[key];
    return {
      name: key,
      ...described?.find((one) => one.name === key),
      ...(options[key] !== undefined && { value: sayable(options[key]) }),
      ...(source && { scope: source.scope, file: source.path }),
    };
  });
  return { settings, ignored, ...(!described && { vendor: schema["~standard"].vendor }), ...(problem !== undefined && { problem }) };
}

/** What the config files say, as the schema gives it; where it is not as that wants it, what they say. */
async function said(
  { trusted_options }: Hook,
  schema: Schema,
  name: string,
  cwd: string,
): Promise<Omit<Said, "values"> & { options: Readonly<Record<string, unknown>>; problem?: string }> {
  const sources = configSources(cwd);
  let found: Said = { values: {}, from: {}, ignored: [] };
  try {
    found = await settingsFor(name, sources, trusted_options);
    const { options, wrong } = await checkedOptions(name, schema, found, sources);
    if (wrong.length > 0) return { ...found, options: found.values, problem: wrong.join("\n") };
    return { ...found, options: options as Record<string, unknown> };
  } catch (error) {
    return { ...found, options: found.values, problem: (error as Error).message };
  }
}

/** A value as JSON has it; what that has no word for, as text. */
function sayable(value: unknown): unknown {
  try {
    const said: unknown = JSON.parse(JSON.stringify(value));
    if (Bun.deepEquals(said, value)) return said;
  } catch {
    // It has no form as JSON.
  }
  return Bun.inspect(value).replaceAll(/\s*\n\s*/g, " ");
}
