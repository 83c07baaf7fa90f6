import { words } from "../../src/protocol/host/quote.ts";
import { continues, pick } from "../../src/protocol/capability.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import { defineHook, entryOf, type FailurePolicy, type HookEntry } from "../../src/protocol/hook.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type { Result, Verdict } from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";
import { withoutNulls } from "../../src/hosts/wire.ts";
import { detect } from "../../src/run/detect.ts";
import { fixtures } from "../support/fixtures.ts";
import { type Path, pathsIn, put, valueAt } from "./mutate.ts";

/** A call with something wrong about it. */
export interface Case {
  host: string;
  /** The event that the host's entry stands at. */
  native_event: string;
  hook: keyof typeof HOOKS;
  argv: readonly string[];
  /** What comes on stdin. */
  text: string;
  /** What the hook "answer" returns. */
  response?: unknown;
  /** What the host has to make of the answer. */
  wanted?: Wanted;
}

/** `held`: denied, or under the policy "allow" a failure that is told. */
export type Wanted = "denied" | "held" | "not denied";

/** What the hook "marked" denies, wherever policies look. */
export const MARKER = "attack: deny this";

const hook = (handler: (event: never) => unknown) =>
  [entryOf(defineHook({ event: EVENTS, handler: handler as () => IHookResponse }), "attack")] as const;
const denial = { decision: "deny", reason: "attack says no" } as const;
let given: unknown;

/** The hooks of a call. */
export const HOOKS = {
  none: [],
  deny: hook(() => denial),
  marked: hook(({ input, prompt }: Payload) => (JSON.stringify([input, prompt]).includes(MARKER) ? denial : undefined)),
  throw: hook(() => {
    throw new Error("attack broke");
  }),
  answer: hook(() => given),
} satisfies Record<string, readonly HookEntry[]>;

export function hooksOf({ hook: name, response }: Case): readonly HookEntry[] {
  given = response;
  return HOOKS[name];
}

/** A host with what its entries look like and how it reads an answer. */
export interface Target {
  host: Host;
  handler: (native_event: string, on_error: FailurePolicy) => Payload;
  verdict: (native_event: string, result: Result, handler: Payload) => Verdict;
}

export const targets: readonly Target[] = await Promise.all(
  hosts.map(async (host) => {
    const setup = await host.setup();
    const handler = (native_event: string, on_error: FailurePolicy) =>
      setup.handler({ native_event, on_error, program: "/bridge-hooks", scope: "user", platform: "linux" });
    return { host, handler, verdict: (await host.check()).verdict };
  }),
);
export const targetOf = (id: string): Target => targets.find(({ host }) => host.id === id) as Target;

/** The arguments that `install` gives an entry. */
export function installedArguments({ handler }: Target, native_event: string, on_error: FailurePolicy): string[] {
  const { command, args } = handler(native_event, on_error);
  return args ? (args as string[]) : (words(String(command), "sh", {}) as string[]).slice(1);
}

/** The policy that the arguments give. */
export function policyIn(argv: readonly string[]): FailurePolicy {
  const at = argv.lastIndexOf("--on-error");
  return at >= 0 && argv[at + 1] === "deny" ? "deny" : "allow";
}

/** The events before something that can still be stopped. */
export const GATES: readonly string[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/** Whether a failure can end in a denial at an event. */
export function canDeny(host: Host, native_event: string): boolean {
  const row = rowOf(host, native_event);
  return !continues(row) && pick(row.deny, undefined).support !== "unenforceable";
}

/** A host's events before something that can still be stopped. */
export const gatesOf = (host: Host): string[] =>
  Object.keys(host.capabilities).filter((name) => GATES.includes(rowOf(host, name).event) && canDeny(host, name));

/** The event's name where a payload is sent under it. */
const EVENT_KEYS = ["hook_event_name", "hookEventName", "event"];
const signKeys = hosts.flatMap(({ signs }) => signs.flatMap(({ all = [], any = [] }) => [...all, ...any]));
/** What says which tool is called, at which event, and whose payload it is. */
export const IDENTITY: readonly string[] = [
  ...EVENT_KEYS,
  ...signKeys,
  "tool_name",
  "tool",
  "mcp",
  "mcp_server",
  "mcp_context",
];
/** What says whether a part of a prompt is its text. */
export const KINDS: readonly string[] = ["type", "synthetic"];

/** Signs that hold a tool's input. */
const INPUTS = ["toolArgs"];

/** Whether a text is, for all that it says, a call of this host at this event: else another answer may be right. */
export async function isOwn(host: Host, native_event: string, text: string): Promise<boolean> {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return true;
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return true;
  const clean = withoutNulls(payload as Payload);
  const found = await detect(hosts, clean, { env: {} }, host);
  return "host" in found && found.host === host && host.eventName(clean, native_event) === native_event;
}

/** Where a value is that policies look at: what is put there reaches `input` or `prompt`. */
export function triggersOf(host: Host, { native_event, text }: Seed): Path[] {
  const row = rowOf(host, native_event);
  if (!GATES.includes(row.event) || !canDeny(host, native_event)) return [];
  const paths = pathsIn(JSON.parse(text));
  // An approval of an edit is the host's own text: nobody puts a second path beside its path.
  if (paths.some((path) => path.at(-1) === "diff")) return [];
  return paths.filter((path) => {
    const payload: Payload = JSON.parse(text);
    if (
      typeof valueAt(payload, path) !== "string" ||
      path.some((key) => [...IDENTITY, ...KINDS].includes(key) && !INPUTS.includes(key))
    )
      return false;
    put(valueAt(payload, path.slice(0, -1)) as Payload, path.at(-1) as string, MARKER);
    try {
      const { input, prompt } = host.decode(withoutNulls(payload), native_event, row).event as unknown as Payload;
      return JSON.stringify([input, prompt]).includes(MARKER);
    } catch {
      return false;
    }
  });
}

/** A recorded payload for an event. Without one, a payload of another event under this name. */
export interface Seed {
  native_event: string;
  file: string;
  text: string;
}

/** The name that a recorded payload was sent under. */
export function nameOf({ file, payload, host }: (typeof fixtures)[number]): string {
  const said = payload.hook_event_name ?? payload.event ?? payload.hookEventName;
  return typeof said === "string"
    ? said
    : host.eventName(withoutNulls(payload), /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);
}

/** The same call of a tool that the host is not known to have. */
function unknownTool(native_event: string, file: string, payload: Payload): Seed[] {
  const text = JSON.stringify(payload, (key, value) =>
    ["tool_name", "toolName", "tool"].includes(key) && /^\w+$/.test(value) ? "deployer" : value,
  );
  return text.includes('"deployer"') ? [{ native_event, file: `${file}, of an unknown tool`, text }] : [];
}

export function seedsOf(host: Host): Seed[] {
  const recorded = fixtures
    .filter((fixture) => fixture.host === host)
    .map((fixture) => ({ ...fixture, native_event: nameOf(fixture) }));
  return Object.keys(host.capabilities).flatMap((native_event): Seed[] => {
    const own = recorded.filter((fixture) => fixture.native_event === native_event);
    if (own.length > 0)
      return own.flatMap(({ file, text, payload }) => [
        { native_event, file, text },
        ...unknownTool(native_event, file, payload),
      ]);
    const { event } = rowOf(host, native_event);
    const like = recorded.find((fixture) => rowOf(host, fixture.native_event).event === event) ?? recorded[0];
    const payload = { ...like?.payload };
    for (const key of EVENT_KEYS) if (key in payload) payload[key] = native_event;
    return [{ native_event, file: `like ${like?.file}`, text: JSON.stringify(payload) }];
  });
}
