import { basename } from "node:path";
import { entryOf, type Hook, HOOK_FIELDS, type HookEntry, knownFields } from "../../protocol/hook.ts";
import { alternatives } from "../../protocol/match.ts";
import { hint } from "../../protocol/near.ts";
import { keysOf } from "../../protocol/schema.ts";
import { fitOptions } from "../../run/config.ts";
import { fileOf } from "./blame.ts";

/** A hook, or the module that has it as its default export. */
export type HookModule = Hook | { readonly default: Hook };

/** A hook whose options come from a test. */
export interface Tested {
  entry: HookEntry;
  /** What its handler got, once it was called. */
  options: unknown;
}

/**
 * @param named what it is called where it has no name.
 * @param said what config files would say of it.
 * @throws Error when it is none.
 */
export function testedHook(module: HookModule, named: string, said: unknown): Tested {
  const hook = checkedHook(hookIn(module));
  const name = nameOf(hook, named);
  const { options: schema, ...rest } = hook;
  const known = schema && keysOf(schema);
  const strange = known && Object.keys(said ?? {}).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw new Error(
      `the hook "${name}": unknown setting "${strange}"${hint(strange, known ?? []) || `; known: ${known?.join(", ")}`}`,
    );
  if (said !== undefined && !schema)
    throw new Error(`the hook "${name}" takes no options; give defineHook a schema of them`);
  const tested: Tested = { options: {}, entry: entryOf(rest, name, load) };
  async function load(): Promise<Hook> {
    if (schema)
      tested.options = await fitOptions(name, schema, { values: (said ?? {}) as Record<string, unknown>, from: {} });
    return {
      ...rest,
      handler: (event, context) => hook.handler(event, { ...(context as object), options: tested.options } as never),
    };
  }
  return tested;
}

/**
 * Several of them; what config files would say is by their names.
 * @throws Error when one is none, or a name is nobody's.
 */
export function testedHooks(modules: readonly HookModule[], said: Readonly<Record<string, unknown>> = {}): Tested[] {
  const names = modules.map((module, at) => nameOf(checkedHook(hookIn(module)), `hook ${at + 1}`));
  const unknown = Object.keys(said).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no hook "${unknown}"${hint(unknown, names) || `; known: ${names.join(", ")}`}`);
  return modules.map((module, at) => testedHook(module, names[at] as string, said[names[at] as string]));
}

/** As the build names it: a hook without a name has its file's. */
function nameOf(hook: Hook, otherwise: string): string {
  if (hook.name !== undefined) return hook.name;
  const file = fileOf(hook);
  return file === undefined ? otherwise : basename(file).replace(/\.[cm]?[jt]s$/, "");
}

const hookIn = (module: HookModule): Hook => (module as { default?: Hook } | undefined)?.default ?? (module as Hook);

function checkedHook(hook: Hook): Hook {
  if (typeof hook?.handler !== "function")
    throw new Error("simulate takes a hook, or a module with one as its default export");
  const unknown = Object.keys(hook).find((field) => !(HOOK_FIELDS as readonly string[]).includes(field));
  if (unknown !== undefined)
    throw new Error(
      `defineHook knows no field "${unknown}"${hint(unknown, knownFields()) || `; known: ${knownFields().join(", ")}`}`,
    );
  alternatives(hook.matcher ?? "");
  return hook;
}
