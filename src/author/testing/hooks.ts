import { basename } from "node:path";
import {
  createHookEntry,
  type Hook,
  HOOK_FIELDS,
  type HookDescriptor,
  listAuthoredFields,
} from "../../protocol/hook.ts";
import { parseMatcher } from "../../protocol/match.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { listSchemaKeys } from "../../protocol/schema.ts";
import { parseHookOptions } from "../../policy/merge.ts";
import { findModuleFile } from "./hook-modules.ts";

/** A hook, or a module whose default export is a hook. */
export type HookModule = Hook | { readonly default: Hook };

/** A hook, with the options that a test gave it. */
export interface PreparedHook {
  entry: HookDescriptor;
  /** The options that the handler received; undefined until the handler is called. */
  options: unknown;
}

/**
 * @param fallbackName The name for an unnamed hook.
 * @param configuredSettings The settings that config files would contain for the hook.
 * @throws Error if the value isn't a hook.
 */
export function prepareHook(module: HookModule, fallbackName: string, configuredSettings: unknown): PreparedHook {
  const hook = checkHook(unwrapHook(module));
  const name = getHookName(hook, fallbackName);
  const { options: schema, ...rest } = hook;
  const knownSettings = schema && listSchemaKeys(schema);
  const unknownSetting =
    knownSettings && Object.keys(configuredSettings ?? {}).find((key) => !knownSettings.includes(key));
  if (unknownSetting !== undefined)
    throw new Error(
      `the hook "${name}": unknown setting "${unknownSetting}"${suggestName(unknownSetting, knownSettings ?? []) || `; known: ${knownSettings?.join(", ")}`}`,
    );
  if (configuredSettings !== undefined && !schema)
    throw new Error(`the hook "${name}" has no options; pass a schema to defineHook`);
  const preparedHook: PreparedHook = { options: {}, entry: createHookEntry(rest, name, load) };
  async function load(): Promise<Hook> {
    if (schema)
      preparedHook.options = await parseHookOptions(name, schema, {
        values: (configuredSettings ?? {}) as Record<string, unknown>,
        sources: {},
      });
    return {
      ...rest,
      handler: (event, context) =>
        hook.handler(event, { ...(context as object), options: preparedHook.options } as never),
    };
  }
  return preparedHook;
}

/**
 * Prepares several hooks. `configured` is keyed by hook name.
 * @throws Error if a value isn't a hook, or if a name in `configured` is unknown.
 */
export function prepareHooks(
  modules: readonly HookModule[],
  configured: Readonly<Record<string, unknown>> = {},
): PreparedHook[] {
  const names = modules.map((module, at) => getHookName(checkHook(unwrapHook(module)), `hook ${at + 1}`));
  const unknownName = Object.keys(configured).find((name) => !names.includes(name));
  if (unknownName !== undefined)
    throw new Error(
      `unknown hook "${unknownName}"${suggestName(unknownName, names) || `; known: ${names.join(", ")}`}`,
    );
  return modules.map((module, at) => prepareHook(module, names[at] as string, configured[names[at] as string]));
}

/** Returns the name that the build would assign. An unnamed hook is named after its file. */
function getHookName(hook: Hook, defaultName: string): string {
  if (hook.name !== undefined) return hook.name;
  const file = findModuleFile(hook);
  return file === undefined ? defaultName : basename(file).replace(/\.[cm]?[jt]s$/, "");
}

const unwrapHook = (module: HookModule): Hook =>
  (module as { default?: Hook } | undefined)?.default ?? (module as Hook);

function checkHook(hook: Hook): Hook {
  if (typeof hook?.handler !== "function")
    throw new Error("simulate needs a hook, or a module with a hook as its default export");
  const unknownField = Object.keys(hook).find((field) => !(HOOK_FIELDS as readonly string[]).includes(field));
  if (unknownField !== undefined)
    throw new Error(
      `defineHook has no field "${unknownField}"${suggestName(unknownField, listAuthoredFields()) || `; known: ${listAuthoredFields().join(", ")}`}`,
    );
  parseMatcher(hook.matcher ?? "");
  return hook;
}
