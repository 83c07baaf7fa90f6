import type { EventName, EventOf } from "./event.ts";
import type { IHookResponse } from "./response.ts";
import type { OutputOf, Schema } from "./schema.ts";
import type { Tool } from "./tool.ts";

/** What a handler gets besides the event. */
export interface HookContext<Options = unknown> {
  /** The hook's settings from the config files, as its schema gives them; `{}` without a schema. */
  options: Options;
  /** Writes a line to the log file in the state directory (`hooks.log`); `try` and tests show it. Never reaches the host. */
  log: (message: string) => void;
  /** Aborted when the call's time is up. */
  signal: AbortSignal;
}

export type HookResult = IHookResponse | null | undefined | void;

/** A handler; it may be async. */
export type Handler<E extends EventName = EventName, T extends Tool = Tool, Options = unknown> = (
  event: EventOf<E, T>,
  context: HookContext<Options>,
) => HookResult | Promise<HookResult>;

/** What to do when a hook, or the bridge itself, fails. */
export type FailurePolicy = "allow" | "deny";

/** When a hook runs. All of it is data, so the build can read it and a call loads only the modules that fit. */
export interface HookMeta {
  /** In messages; default: the file's name. */
  name?: string;
  description?: string;
  event: EventName | readonly EventName[];
  /** Unified tools; absent: all. Only for events about tool calls. */
  tool?: Tool | readonly Tool[];
  /**
   * Tool names as hosts write them: `Bash`, `Edit|Write`, `mcp__memory__.*`, `*`; and `Bash(git push*)` for calls of which one
   * simple command fits (`cd x && sudo git push` does), of the shell or of an MCP tool that takes a shell line.
   */
  matcher?: string;
  /** Lower runs first; equal ones run by file name. Default 0. */
  order?: number;
  /** Default: the call's `--on-error`. */
  onError?: FailurePolicy;
  /** Milliseconds at most for this hook; the call's own time is shared by the hooks still to run. */
  timeoutMs?: number;
  /** How often in a row this hook may make the agent go on at Stop. Default 1. */
  maxContinuations?: number;
}

/** A hook, whatever its events: what `defineHook` returns. */
export interface Hook extends HookMeta {
  /** The settings that config files may give it. */
  options?: Schema;
  /**
   * Those of them that a project's file has no say in, unless the user or the company trusts the project: commands to run, what
   * loosens a guard. Who clones a repository has not asked for what is written there.
   */
  trustedOptions?: readonly string[];
  /** Files that belong to it, as `./name` from its module's folder: an executable holds them. */
  files?: readonly string[];
  /** The hook with what is in its files, by their names: nothing is read from the module's folder then. */
  carrying?: (contents: Readonly<Record<string, Uint8Array>>) => Hook;
  handler: (event: never, context: HookContext<never>) => HookResult | Promise<HookResult>;
}

/**
 * One hook. The default export of a module in `hooks/`.
 * @param hook with `options`, a schema (zod, valibot, or any Standard Schema) of the hook's settings in the config files.
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
    handler: Handler<E, T, OutputOf<S>>;
  },
): Hook {
  return hook as Hook;
}

/** The options of a hook without a schema. */
export type NoOptions = Readonly<Record<never, never>>;

/** Every field of a hook. */
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
  "options",
  "trustedOptions",
  "files",
  "carrying",
  "handler",
] as const satisfies (keyof Hook)[];

/** The fields that people write; the others are made by what gives them a hook. */
export const listAuthoredFields = () => HOOK_FIELDS.filter((field) => field !== "files" && field !== "carrying");

/** A hook as a call sees it before its module is loaded. */
export interface HookDescriptor extends Omit<HookMeta, "event" | "tool"> {
  name: string;
  events: readonly EventName[];
  tools?: readonly Tool[];
  /** It comes with bridge-hooks. Absent: somebody's own. */
  origin?: "starter";
  /** What it says is known from an earlier process of the same call. */
  settled?: true;
  load: () => Promise<Hook>;
}

const toList = <V>(value: V | readonly V[]): readonly V[] => (Array.isArray(value) ? value : [value as V]);

/** What a hook says of itself besides its events and tools: all of it data. */
const DESCRIPTOR_FIELDS = ["description", "matcher", "order", "onError", "timeoutMs", "maxContinuations"] as const;

/** The entry of a hook; `name` is used where the hook has none. */
export function createHookEntry(
  hook: Hook,
  name: string,
  load: () => Promise<Hook> = async () => hook,
): HookDescriptor {
  const said = Object.fromEntries(
    DESCRIPTOR_FIELDS.filter((field) => hook[field] !== undefined).map((field) => [field, hook[field]]),
  );
  return {
    ...said,
    name: hook.name ?? name,
    events: toList(hook.event),
    ...(hook.tool && { tools: toList(hook.tool) }),
    load,
  };
}

/** `order` first, then name: the same on every machine. */
export function compareHookOrder(
  a: Pick<HookDescriptor, "name" | "order">,
  b: Pick<HookDescriptor, "name" | "order">,
): number {
  return (a.order ?? 0) - (b.order ?? 0) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
