import type { CapabilityField } from "./capability.ts";
import type { Concerns } from "./concerns.ts";
import type { EventName, EventOf } from "./event.ts";
import type { IHookResponse, InputPatch } from "./response.ts";
import type { Rule, RulePolicy } from "./rule.ts";
import type { OutputOf, Schema } from "./schema.ts";
import type { Tool } from "./tool.ts";

/** Information that a handler receives in addition to the event. */
export interface HookContext<Options = unknown> {
  /** The hook's settings from the config files, parsed by the hook's schema; `{}` without a schema. */
  options: Options;
  /** Rules and exceptions from the config files. A hook that declares no rules gets the default policy. */
  rules: RulePolicy;
  /**
   * Writes a message to the decision log, where `bridge-hooks log`, `try` and tests show it. The host never sees the
   * message.
   */
  log: (message: string) => void;
  /** Signal that is aborted once the call's time limit is reached. */
  signal: AbortSignal;
}

/**
 * Return type of a handler: a response, or `undefined` (or `null`) for no opinion. A handler without a `return`
 * statement is a type error, because it probably creates a response but forgets to return it.
 *
 * @template T the tools whose input the response may change.
 */
export type HookResult<T extends Tool = Tool> = IHookResponse<InputPatch<T>> | null | undefined;

/** A hook's handler, which may be async. */
export type Handler<E extends EventName = EventName, T extends Tool = Tool, Options = unknown> = (
  event: EventOf<E, T>,
  context: HookContext<Options>,
) => HookResult<T> | Promise<HookResult<T>>;

/** What happens to a call if a hook or the bridge itself fails. */
export type FailurePolicy = "allow" | "deny";

/**
 * Describes a hook and the conditions for running it. All fields are plain data, which the build reads so that a call
 * loads only the matching modules.
 */
export interface HookMeta {
  /** Name of the hook in messages. Defaults to the file name. */
  name?: string;
  description?: string;
  event: EventName | readonly EventName[];
  /** Unified tools; absent means all tools. Only for events about tool calls. */
  tool?: Tool | readonly Tool[];
  /**
   * Tool names as hosts write them: `Bash`, `Edit|Write`, `mcp__memory__.*`, `*`. `Bash(git push*)` matches calls that
   * contain a simple command of that form (including `cd x && sudo git push`), whether the shell runs it or an MCP tool
   * that accepts a shell command.
   */
  matcher?: string;
  /** Hooks with lower values run first; hooks with equal values are sorted by file name. Defaults to 0. */
  order?: number;
  /** What happens if this hook fails. Defaults to the value of `--on-error`, which `install` sets to `deny`. */
  onError?: FailurePolicy;
  /** Time limit of this hook in milliseconds. Other hooks share the remaining time of the call. */
  timeoutMs?: number;
  /**
   * Maximum number of times in a row that this hook may make the agent continue on Stop. Defaults to the host's own
   * limit, or 1.
   */
  maxContinuations?: number;
  /** Enforces the hook's decisions in every mode. Set this field on hooks that protect the policy itself. */
  enforced?: boolean;
  /**
   * Words and paths that a call must mention for the hook to run. Other calls don't load the hook. If absent, the hook
   * runs on every call.
   */
  concerns?: Concerns;
  /**
   * Declares that the hook has no side effects. Its response depends only on the event, its settings and files. The
   * hook writes nothing, sends nothing, and starts no program that writes or sends anything.
   * `bridge-hooks replay --history` runs only hooks with this flag on past calls.
   */
  pure?: boolean;
}

/** Names that rule patterns can reference. */
export interface RuleTerms {
  /** Names of operand sets, written `<disk>` in a pattern. */
  sets: readonly string[];
  /** Names of conditions, written `?changes` in a pattern. */
  conditions: readonly string[];
}

/** A hook for any event, as returned by `defineHook`. */
export interface Hook extends HookMeta {
  /** Schema of the hook's settings in the config files. */
  options?: Schema;
  /**
   * Options that a project's config can set only if the user or an administrator trusts the project, such as commands
   * to run and anything that weakens the hook. Cloning a repository doesn't imply consent to its config.
   */
  trustedOptions?: readonly string[];
  /**
   * Options that list forbidden items. These lists are merged across all config files. For any other option, the file
   * with the highest precedence wins.
   */
  additiveOptions?: readonly string[];
  /**
   * Returns the rules that the hook enforces with these settings, for `bridge-hooks rules`. Never runs during a call,
   * so use `import()` to load modules that only this function needs.
   */
  rules?: (options: never) => readonly Rule[] | Promise<readonly Rule[]>;
  /**
   * Terms that patterns can use in rules added by config files. Set this field if the hook enforces such rules
   * (`context.rules.findAdded`).
   */
  ruleTerms?: RuleTerms;
  /** Files that the hook reads, as `./name` relative to the hook's module. The executable embeds the files. */
  files?: readonly string[];
  /**
   * Returns a copy of the hook that carries its files' contents, keyed by name, so that it reads nothing from the
   * module's directory.
   */
  carrying?: (contents: Readonly<Record<string, Uint8Array>>) => Hook;
  handler: (event: never, context: HookContext<never>) => HookResult | Promise<HookResult>;
}

/**
 * Defines a hook. Use it as the default export of a module in `hooks/`.
 * @param hook `options` is a schema (zod, valibot, or any Standard Schema) of the hook's settings in the config files.
 */
export function defineHook<
  const E extends EventName,
  const T extends Tool = Tool,
  S extends Schema = Schema<NoOptions>,
>(
  hook: Omit<HookMeta, "event" | "tool"> & {
    event: E | readonly E[];
    tool?: T | readonly T[];
    options?: S;
    trustedOptions?: readonly (keyof OutputOf<S> & string)[];
    additiveOptions?: readonly (keyof OutputOf<S> & string)[];
    rules?: (options: OutputOf<S>) => readonly Rule[] | Promise<readonly Rule[]>;
    ruleTerms?: RuleTerms;
    handler: Handler<E, T, OutputOf<S>>;
  },
): Hook {
  return hook as Hook;
}

/** Options of a hook without a schema. */
export type NoOptions = Readonly<Record<never, never>>;

export const HOOK_FIELDS = [
  "name",
  "description",
  "event",
  "tool",
  "matcher",
  "order",
  "onError",
  "timeoutMs",
  "maxContinuations",
  "enforced",
  "concerns",
  "pure",
  "options",
  "trustedOptions",
  "additiveOptions",
  "rules",
  "ruleTerms",
  "files",
  "carrying",
  "handler",
] as const satisfies (keyof Hook)[];

/** Lists the fields that authors write. The other fields are set by functions that build hooks. */
export const listAuthoredFields = () => HOOK_FIELDS.filter((field) => field !== "files" && field !== "carrying");

/** A hook's metadata, available before its module is loaded. */
export interface HookDescriptor extends Omit<HookMeta, "event" | "tool"> {
  name: string;
  events: readonly EventName[];
  tools?: readonly Tool[];
  /**
   * Response fields that carry this hook's messages. The hook gets no entry on hosts that honor none of these fields.
   * If a field is only sent in another way, no warning is printed.
   */
  announces?: readonly CapabilityField[];
  /** `starter` if the hook ships with bridge-hooks; absent for any other hook. */
  origin?: "starter";
  /** Set if an earlier process already got this hook's response to the same call. */
  settled?: true;
  /** How long, in milliseconds, the hook ran without responding in an earlier process for the same call. */
  spentMs?: number;
  load: () => Promise<Hook>;
}

const toList = <V>(value: V | readonly V[]): readonly V[] => (Array.isArray(value) ? value : [value as V]);

/** Fields of a hook that are copied to its descriptor unchanged. */
const DESCRIPTOR_FIELDS = [
  "description",
  "matcher",
  "order",
  "onError",
  "timeoutMs",
  "maxContinuations",
  "enforced",
  "concerns",
  "pure",
] as const;

/** Builds a hook's descriptor. `name` is used if the hook doesn't set one. */
export function createHookEntry(
  hook: Hook,
  name: string,
  load: () => Promise<Hook> = async () => hook,
): HookDescriptor {
  const fields = Object.fromEntries(
    DESCRIPTOR_FIELDS.filter((field) => hook[field] !== undefined).map((field) => [field, hook[field]]),
  );
  return {
    ...fields,
    name: hook.name ?? name,
    events: toList(hook.event),
    ...(hook.tool && { tools: toList(hook.tool) }),
    load,
  };
}

/** Orders hooks by `order`, then by name, so that the order is the same on every machine. */
export function compareHookOrder(
  a: Pick<HookDescriptor, "name" | "order">,
  b: Pick<HookDescriptor, "name" | "order">,
): number {
  return (a.order ?? 0) - (b.order ?? 0) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
