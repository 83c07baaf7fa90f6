import { continues, pick, type Row } from "../core/capability.ts";
import type { AnyEvent } from "../core/event.ts";
import type { FailurePolicy, HookEntry } from "../core/hook.ts";
import { type Answer, type Decoded, type Host, type Payload, rowOf, type Settings, type World } from "../core/host.ts";
import { lower } from "../core/lower.ts";
import { merge } from "../core/merge.ts";
import type { IHookResponse } from "../core/response.ts";
import { hosts } from "../hosts/index.ts";
import { withoutNulls } from "../hosts/wire.ts";
import { detect } from "./detect.ts";
import { dispatch, oneLine, type Outcome, policyOf, wanted } from "./dispatch.ts";
import { type AnyOptions, readOptions, settingsOf } from "./options.ts";

const DEADLINE_MS = 5_000;

/** What a call knows of itself; it grows while the call goes on, so that a failure is told in the right form. */
interface Call {
  /** The named or detected host. */
  host?: Host;
  native_event: string;
  policy: FailurePolicy;
  settings: Settings;
}

/**
 * One hook call: reads the payload, runs the hooks that fit, and gives the host's answer. Never throws.
 * @param entries every hook, in the order in which they run.
 * @param explicit options from code; they win over `argv`.
 */
export async function respond(entries: readonly HookEntry[], explicit: AnyOptions, argv: readonly string[], world: World): Promise<Answer> {
  const { options: given, problem } = readOptions(argv, hosts);
  const options: AnyOptions = { ...given, ...explicit };
  const named = hostOf(options.host);
  const call: Call = {
    host: named,
    native_event: options.event ?? "",
    policy: options.onError ?? "allow",
    settings: named ? settingsOf(named, options) : {},
  };
  try {
    if (problem) throw new Error(problem);
    if (options.host && !named) throw new Error(`unknown host "${options.host}"; known: ${hosts.map(({ id }) => id).join(", ")}`);
    return await answer(entries, options, call, world);
  } catch (error) {
    return failed(call, [oneLine(error)]);
  }
}

async function answer(entries: readonly HookEntry[], options: AnyOptions, call: Call, world: World): Promise<Answer> {
  const deadline = performance.now() + (options.timeout_ms ?? DEADLINE_MS);
  const raw = parse(world.read((options.timeout_ms ?? DEADLINE_MS) / 2), call);
  const payload = withoutNulls(raw);
  const found = detect(hosts, payload, world.env, call.host);
  if ("problem" in found) throw new Error(found.problem);
  const { host, contradicted } = found;
  call.host = host;
  call.settings = settingsOf(host, options);
  call.native_event = host.eventName(payload, options.event);
  const row = rowOf(host, call.native_event);
  const warnings: string[] = [];
  if (contradicted) {
    const { standsDown } = await import("./double.ts");
    if (await standsDown(host, contradicted, call.native_event, payload, world)) return { stdout: host.neutral, stderr: "", exit_code: 0 };
    warnings.push(
      `called with --host ${contradicted.id} by ${host.name}; answered as ${host.id}. Give ${host.name} an entry of its own with --host ${host.id}`,
    );
  }
  const decoded = host.decode(payload, call.native_event, row);
  decoded.event._native = raw;
  const hooks = wanted(entries, decoded.event);
  const allowed = options.max_continuations ?? 1;
  const outcomes = continues(row)
    ? await dispatchStop(hooks, decoded, allowed, deadline, warnings, world)
    : await dispatch(hooks, decoded.event, deadline);
  return conclude(outcomes, decoded.event, row, call as Call & { host: Host }, warnings);
}

async function dispatchStop(
  hooks: readonly HookEntry[],
  decoded: Decoded,
  allowed: number,
  deadline: number,
  warnings: string[],
  { env }: World,
) {
  if (hooks.length === 0) return [];
  const { continuationsOf, limitContinuations } = await import("./stop.ts");
  const continuations = continuationsOf(decoded, env);
  const outcomes = await dispatch(hooks, { ...decoded.event, continuations: continuations.count } as AnyEvent, deadline);
  warnings.push(...limitContinuations(outcomes, continuations, allowed));
  return outcomes;
}

/** The outcomes of all hooks as the host's answer. */
function conclude(outcomes: readonly Outcome[], event: AnyEvent, row: Row, call: Call & { host: Host }, warnings: string[]): Answer {
  const { host, native_event, settings } = call;
  if (isSilent(outcomes)) return { stdout: host.neutral, stderr: told(call, warnings), exit_code: 0 };
  const failures = outcomes.filter(({ failure }) => failure !== undefined);
  const lines = failures.map(({ entry, failure }) => `hook "${entry.name}" failed: ${failure}`);
  const refusals: IHookResponse[] = failures
    .filter(({ entry }) => policyOf(entry, call.policy) === "deny" && canDeny(row, event.host_version))
    .map(({ entry, failure }) => ({
      decision: "deny",
      reason: `The hook "${entry.name}" failed (${failure}), and its policy is to deny then.`,
    }));
  const response = merge([...outcomes.map((outcome) => outcome.response), ...refusals]);
  const restricts = response.decision === "deny" || response.decision === "ask" || response.modified_input !== undefined;
  if (failures.some(({ entry }) => policyOf(entry, call.policy) === "allow") && !restricts) {
    return { stdout: host.neutral, stderr: told(call, [...warnings, ...lines]), exit_code: 1 };
  }
  const { lowered, losses } = lower(response, { host, row, event, settings });
  const { stdout, stderr, exit_code } = host.encode(lowered, row.shape, native_event, settings);
  const said = told(call, [...warnings, ...lines, ...losses.map((loss) => loss.message)]);
  return { stdout, stderr: [stderr, said].filter(Boolean).join("\n"), exit_code, restricts };
}

/** Whether no hook had anything to say, or failed. */
function isSilent(outcomes: readonly Outcome[]): boolean {
  for (const { response, failure } of outcomes) {
    if (failure !== undefined) return false;
    for (const _ in response) return false;
  }
  return true;
}

function hostOf(id: string | undefined): Host | undefined {
  for (const host of hosts) if (host.id === id) return host;
  return undefined;
}

/** The answer when the call itself failed: what the policy asked for, in the host's own terms. */
function failed(call: Call, lines: string[]): Answer {
  const { host, native_event, policy, settings } = call;
  const stderr = told(call, lines);
  if (policy === "allow") return { stdout: host?.neutral ?? "", stderr, exit_code: 1 };
  if (!host) return { stdout: "", stderr, exit_code: 2 };
  const row = rowOf(host, native_event);
  if (!canDeny(row, undefined)) return { stdout: host.neutral, stderr, exit_code: 0 };
  const denial = host.encode(
    { decision: "deny", reason: `bridge-hooks: ${lines.join("; ")}. Nothing was decided, so the policy (--on-error deny) blocks it.` },
    row.shape,
    native_event,
    settings,
  );
  return { ...denial, restricts: true, stderr: denial.stderr || stderr };
}

/** Whether a failure can end in a denial here. At Stop it must not: it would make the agent go on because of a fault. */
const canDeny = (row: Row, version: string | undefined) => !continues(row) && pick(row.deny, version).support !== "unenforceable";

/** Warnings as lines for stderr. */
function told({ host, native_event }: Call, lines: string[]): string {
  const place = [host?.id, native_event].filter(Boolean).join(" ");
  return lines.map((line) => `bridge-hooks: ${place ? `${place}: ` : ""}${line}`).join("\n");
}

const EVENT_NAME = /"hook_event_name"\s*:\s*"(\w{1,64})"/;

/** The payload; a broken one still tells its event's name where that can be read. */
function parse(text: string, call: Call): Payload {
  if (text.trim() === "") throw new Error("stdin is empty; a host sends one JSON object there");
  let payload: unknown;
  try {
    payload = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    call.native_event ||= EVENT_NAME.exec(text.slice(0, 65_536))?.[1] ?? "";
    throw new Error(`stdin is no JSON (${oneLine(error)}); a host sends one JSON object there`);
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new Error("stdin is JSON, but no object; a host sends one JSON object there");
  }
  return payload as Payload;
}
