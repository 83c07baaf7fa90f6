import { splitCommand } from "../../src/protocol/host/quote.ts";
import { hasContinuingDenial, pickCell } from "../../src/protocol/capability.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import { defineHook, createHookEntry, type FailurePolicy, type HookDescriptor } from "../../src/protocol/hook.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type { CommandResult, AnswerVerdict } from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { detectHost } from "../../src/call/identify/detect.ts";
import { fixtures } from "../support/fixtures.ts";
import { type DocumentPath, listPaths, setProperty, getValue } from "./mutate.ts";

/** A malformed or hostile call. */
export interface AttackCase {
  host: string;
  /** Native event name given in the host's entry. */
  native_event: string;
  hook: keyof typeof HOOKS;
  argv: readonly string[];
  /** Input on stdin. */
  text: string;
  /** The response returned by the "answer" hook. */
  response?: unknown;
  /** The verdict the host must reach from the answer. */
  wanted?: WantedVerdict;
}

/** `held`: the call doesn't run. It is denied or, under the failure policy "allow", ends with an error message. */
export type WantedVerdict = "denied" | "held" | "not denied";

/** The "marked" hook denies any call with this string in a field that policies inspect. */
export const MARKER = "attack: deny this";

const createHook = (handler: (event: never) => unknown) =>
  [createHookEntry(defineHook({ event: EVENTS, handler: handler as () => IHookResponse }), "attack")] as const;
const denial = { decision: "deny", reason: "attack says no" } as const;
let givenResponse: unknown;

/** Hooks a case can use. */
export const HOOKS = {
  none: [],
  deny: createHook(() => denial),
  marked: createHook(({ input, prompt }: Payload) =>
    JSON.stringify([input, prompt]).includes(MARKER) ? denial : undefined,
  ),
  throw: createHook(() => {
    throw new Error("attack broke");
  }),
  answer: createHook(() => givenResponse),
} satisfies Record<string, readonly HookDescriptor[]>;

export function getHooks({ hook: name, response }: AttackCase): readonly HookDescriptor[] {
  givenResponse = response;
  return HOOKS[name];
}

/** A host, the handlers its entries run, and a function that interprets answers the way the host does. */
export interface AttackTarget {
  host: Host;
  handler: (native_event: string, on_error: FailurePolicy) => Payload;
  verdict: (native_event: string, result: CommandResult, handler: Payload) => AnswerVerdict;
}

export const targets: readonly AttackTarget[] = await Promise.all(
  hosts.map(async (host) => {
    const setup = await host.setup();
    const handler = (native_event: string, on_error: FailurePolicy) =>
      setup.buildHandler({ native_event, on_error, program: "/bridge-hooks", scope: "user", platform: "linux" });
    return { host, handler, verdict: (await host.loadDoctor()).judgeAnswer };
  }),
);
export const getTarget = (id: string): AttackTarget => targets.find(({ host }) => host.id === id) as AttackTarget;

/** Returns the arguments in an installed entry. */
export function installedArguments({ handler }: AttackTarget, native_event: string, on_error: FailurePolicy): string[] {
  const { command, args } = handler(native_event, on_error);
  return args ? (args as string[]) : (splitCommand(String(command), "sh", {}) as string[]).slice(1);
}

/** Returns the failure policy that the arguments specify. */
export function getPolicy(argv: readonly string[]): FailurePolicy {
  const at = argv.lastIndexOf("--on-error");
  return at >= 0 && argv[at + 1] === "deny" ? "deny" : "allow";
}

/** Events that precede an action and can still prevent it. */
export const GATE_EVENTS: readonly string[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/** Whether a failure on this event can deny the action. */
export function canDeny(host: Host, native_event: string): boolean {
  const row = getCapabilityRow(host, native_event);
  return !hasContinuingDenial(row) && pickCell(row.deny, undefined).support !== "unenforceable";
}

/** Lists a host's native events that precede an action and can still prevent it. */
export const listGateEvents = (host: Host): string[] =>
  Object.keys(host.capabilities).filter(
    (name) => GATE_EVENTS.includes(getCapabilityRow(host, name).event) && canDeny(host, name),
  );

/** Payload keys that hold the event name. */
const EVENT_KEYS = ["hook_event_name", "hookEventName", "event"];
const signKeys = hosts.flatMap(({ signs }) => signs.flatMap(({ all = [], any = [] }) => [...all, ...any]));
/** Payload keys that identify the tool, the event and the host. */
export const IDENTITY_KEYS: readonly string[] = [
  ...EVENT_KEYS,
  ...signKeys,
  "tool_name",
  "tool",
  "mcp",
  "mcp_server",
  "mcp_context",
];
/** Payload keys whose values say whether part of a prompt is text. */
export const KIND_KEYS: readonly string[] = ["type", "synthetic"];

/** Those `IDENTITY_KEYS` that hold a tool's input. */
const INPUT_KEYS = ["toolArgs", "toolInput"];

/**
 * Whether a changed payload is still recognizable as this host's call for this event. If it isn't, a different answer
 * may be correct.
 */
export async function isOwnPayload(host: Host, native_event: string, text: string): Promise<boolean> {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return true;
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return true;
  const clean = omitNulls(payload as Payload);
  const found = await detectHost(hosts, clean, { env: {} }, host);
  return "host" in found && found.host === host && host.getEventName(clean, native_event) === native_event;
}

/** Lists the paths of values that policies inspect: a string placed there ends up in `input` or `prompt`. */
export function findTriggers(host: Host, { native_event, text }: SeedPayload): DocumentPath[] {
  const row = getCapabilityRow(host, native_event);
  if (!GATE_EVENTS.includes(row.event) || !canDeny(host, native_event)) return [];
  const paths = listPaths(JSON.parse(text));
  // A payload with a `diff` asks to approve an edit. The host generates it, so an attacker can't add a second path.
  if (paths.some((path) => path.at(-1) === "diff")) return [];
  return paths.filter((path) => {
    const payload: Payload = JSON.parse(text);
    if (
      typeof getValue(payload, path) !== "string" ||
      path.some((key) => [...IDENTITY_KEYS, ...KIND_KEYS].includes(key) && !INPUT_KEYS.includes(key))
    )
      return false;
    setProperty(getValue(payload, path.slice(0, -1)) as Payload, path.at(-1) as string, MARKER);
    try {
      const { input, prompt } = host.decodePayload(omitNulls(payload), native_event, row).event as unknown as Payload;
      return JSON.stringify([input, prompt]).includes(MARKER);
    } catch {
      return false;
    }
  });
}

/** A recorded payload of this event, or a payload of another event renamed to this one. */
export interface SeedPayload {
  native_event: string;
  file: string;
  text: string;
}

/** Returns the event name a payload was recorded under. */
export function getEventName({ file, payload, host }: (typeof fixtures)[number]): string {
  const name = payload.hook_event_name ?? payload.event ?? payload.hookEventName;
  return typeof name === "string"
    ? name
    : host.getEventName(omitNulls(payload), /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);
}

/** Returns the same call with an unknown tool name. */
function unknownTool(native_event: string, file: string, payload: Payload): SeedPayload[] {
  const text = JSON.stringify(payload, (key, value) =>
    ["tool_name", "toolName", "tool"].includes(key) && /^\w+$/.test(value) ? "deployer" : value,
  );
  return text.includes('"deployer"') ? [{ native_event, file: `${file}, of an unknown tool`, text }] : [];
}

export function listSeeds(host: Host): SeedPayload[] {
  const recorded = fixtures
    .filter((fixture) => fixture.host === host)
    .map((fixture) => ({ ...fixture, native_event: getEventName(fixture) }));
  return Object.keys(host.capabilities).flatMap((native_event): SeedPayload[] => {
    const own = recorded.filter((fixture) => fixture.native_event === native_event);
    if (own.length > 0)
      return own.flatMap(({ file, text, payload }) => [
        { native_event, file, text },
        ...unknownTool(native_event, file, payload),
      ]);
    const { event } = getCapabilityRow(host, native_event);
    const like =
      recorded.find((fixture) => getCapabilityRow(host, fixture.native_event).event === event) ?? recorded[0];
    const payload = { ...like?.payload };
    for (const key of EVENT_KEYS) if (key in payload) payload[key] = native_event;
    return [{ native_event, file: `like ${like?.file}`, text: JSON.stringify(payload) }];
  });
}
