import type { CapabilityField } from "./capability.ts";
import type { Concerns } from "./concerns.ts";
import type { EventName, EventOf } from "./event.ts";
import type { IHookResponse, InputPatch } from "./response.ts";
import type { Rule, RulePolicy } from "./rule.ts";
import type { OutputOf, Schema } from "./schema.ts";
import type { Tool } from "./tool.ts";

/** What a handler receives besides the event. */
export interface HookContext<Options = unknown> {
  /** The hook's settings from the config files, as parsed by its schema; `{}` without a schema. */
  options: Options;
  /** What the config files say about rules; the default policy for a hook that declares none. */
  rules: RulePolicy;
  /** Writes a message into the decision log; `bridge-hooks log`, `try` and tests show it. Never reaches the host. */
  log: (message: string) => void;
  /** Aborted when the call's time limit is reached. */
  signal: AbortSignal;
}

/**
 * What a handler returns: a response, or `undefined` (or `null`) for no opinion. A handler that returns nothing at all is
 * a type error: a response was made there, and `return` forgotten.
 *
 * @template T the tools whose input the response may change.
 */
export type HookResult<T extends Tool = Tool> = IHookResponse<InputPatch<T>> | null | undefined;

/** A handler; may be async. */
export type Handler<E extends EventName = EventName, T extends Tool = Tool, Options = unknown> = (
  event: EventOf<E, T>,
  context: HookContext<Options>,
) => HookResult<T> | Promise<HookResult<T>>;

/** What to do when a hook or the bridge itself fails. */
export type FailurePolicy = "allow" | "deny";

/** When a hook runs. All fields are data: the build reads them, and a call loads only the modules that match. */
export interface HookMeta {
  /** Shown in messages. Default: the file's name. */
  name?: string;
  description?: string;
  event: EventName | readonly EventName[];
  /** Unified tools; absent: all. Only for events about tool calls. */
  tool?: Tool | readonly Tool[];
  /**
   * Tool names as hosts write them: `Bash`, `Edit|Write`, `mcp__memory__.*`, `*`. `Bash(git push*)` matches calls with
   * such a simple command (including `cd x && sudo git push`), in the shell or in an MCP tool that takes a shell line.
   */
  matcher?: string;
  /** Lower values run first; equal ones run by file name. Default 0. */
  order?: number;
  /** What a failure of this hook does. Default: the value of `--on-error`, which `install` writes as `deny`. */
  onError?: FailurePolicy;
  /** Time limit of this hook in milliseconds; the remaining hooks share the call's own limit. */
  timeoutMs?: number;
  /** How many times in a row this hook may make the agent continue at Stop. Default: the host's own limit, or 1. */
  maxContinuations?: number;
  /** What the hook says counts in every mode: without it nothing would keep the policy itself as it is. */
  enforced?: boolean;
  /** What a call has to mention to concern the hook; other calls pass without it. Absent: every call does. */
  concerns?: Concerns;
  /**
   * The hook's response is all that it does, and follows from the event, its settings and files: it writes nothing, sends
   * nothing, and starts no program that would. `bridge-hooks replay --history` asks such hooks about past calls, and no
   * others.
   */
  pure?: boolean;
}

/** The names that the patterns of rules can have. */
export interface RuleTerms {
  /** `<disk>`: an operand that belongs to a set. */
  sets: readonly string[];
  /** `?changes`: a condition. */
  conditions: readonly string[];
}

/** A hook for any events, as returned by `defineHook`. */
export interface Hook extends HookMeta {
  /** Schema of the hook's settings in the config files. */
  options?: Schema;
  /**
   * Options that a project's config can set only if the user or the company trusts the project: commands to run, and
   * anything that weakens a guard. Cloning a repository does not imply consent to its config.
   */
  trustedOptions?: readonly string[];
  /**
   * Options that are lists of what is forbidden: the lists of all config files count together, while of another option the
   * strongest file's value counts.
   */
  additiveOptions?: readonly string[];
  /**
   * The rules that the hook enforces with these settings, for `bridge-hooks rules`. No call asks for them, so import
   * what only they need with `import()`.
   */
  rules?: (options: never) => readonly Rule[] | Promise<readonly Rule[]>;
  /** The hook enforces the rules that config files add (`context.rules.findAdded`): what their patterns can name. */
  ruleTerms?: RuleTerms;
  /** The hook's files, as `./name` relative to its module; the executable embeds them. */
  files?: readonly string[];
  /** Returns the hook with its files' contents, by name; nothing is then read from the module's directory. */
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

/** Fields that authors write; helpers that build hooks set the others. */
export const listAuthoredFields = () => HOOK_FIELDS.filter((field) => field !== "files" && field !== "carrying");

/** A hook's metadata, before its module is loaded. */
export interface HookDescriptor extends Omit<HookMeta, "event" | "tool"> {
  name: string;
  events: readonly EventName[];
  tools?: readonly Tool[];
  /**
   * The fields by which it tells what it tells, on hosts that honour one of them: others get no entry for it, and a field
   * that is sent another way is not worth a warning.
   */
  announces?: readonly CapabilityField[];
  /** The hook comes with bridge-hooks; absent for anybody's own. */
  origin?: "starter";
  /** An earlier process of the same call already has this hook's response. */
  settled?: true;
  /** How long it ran without an answer in an earlier process of the same call, in milliseconds. */
  spentMs?: number;
  load: () => Promise<Hook>;
}

const toList = <V>(value: V | readonly V[]): readonly V[] => (Array.isArray(value) ? value : [value as V]);

/** A hook's metadata besides its events and tools. */
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

/** Builds a hook's descriptor; `name` is used if the hook has none. */
export function createHookEntry(
  hook: Hook,
  name: string,
  load: () => Promise<Hook> = async () => hook,
): HookDescriptor {
  const declared = Object.fromEntries(
    DESCRIPTOR_FIELDS.filter((field) => hook[field] !== undefined).map((field) => [field, hook[field]]),
  );
  return {
    ...declared,
    name: hook.name ?? name,
    events: toList(hook.event),
    ...(hook.tool && { tools: toList(hook.tool) }),
    load,
  };
}

/** By `order`, then by name: the same on every machine. */
export function compareHookOrder(
  a: Pick<HookDescriptor, "name" | "order">,
  b: Pick<HookDescriptor, "name" | "order">,
): number {
  return (a.order ?? 0) - (b.order ?? 0) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
