import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyOptions } from "../../../src/call/options.ts";
import type { HostAnswer } from "../../../src/protocol/host/host.ts";
import { createHookEntry, type Hook, type HookDescriptor } from "../../../src/protocol/hook.ts";
import { filterHooks, readPlainCall } from "../../../src/call/screen.ts";
import { readCall } from "../../../src/call/screen/shape-table.ts";
import { hosts } from "../../../src/hosts/index.ts";
import type { CallIndex } from "../../../src/protocol/concerns.ts";
import { findHostId } from "../../../src/call/screen/find-host.ts";
import { createCallIndex } from "../../../src/call/screen/call-index.ts";
import { concernsNoHook } from "../../../src/call/screen/concerns-no-hook.ts";
import { parseQuickly, readEntryFlags } from "../../../src/call/screen/read-quickly.ts";
import { openQuickSystem } from "../../../src/system/quick-system.ts";
import type { QuickSystem } from "../../../src/system/quick-types.ts";
import { answerCall } from "../../support/answer-call.ts";
import { addAliases, createGenerator } from "./generate-calls.ts";
import { createProject, type ScoreProject } from "../../score/project.ts";
import { ROOT } from "../../support/fixtures.ts";

/**
 * Compares the quick path with the full path on generated calls. For every call that the quick path answers, the full
 * path must give a neutral answer: empty stderr, the host's neutral document on stdout, and exit code 0. Only the
 * warning about another host's entry may be missing, because it's printed only when a hook runs.
 */
const OTHER_HOST = /^bridge-hooks: [^\n]*: [^\n]* called bridge-hooks with --host [^\n]*\n?$/;

const STARTER_HOOKS = [
  "block-destructive",
  "format-after-edit",
  "protect-hooks",
  "protect-secrets",
  "redact-output",
  "session-context",
  "verify-before-stop",
];

export interface DifferentialResult {
  calls: number;
  /** Number of calls answered by the quick path. */
  taken: number;
  /** How many hooks were skipped, over all calls. */
  unasked: number;
  /**
   * Calls that the quick path answers although the full path objects, and calls whose answer changes when hooks are
   * skipped.
   */
  wrong: string[];
}

export async function loadStarterHooks(): Promise<HookDescriptor[]> {
  return Promise.all(
    STARTER_HOOKS.map(async (name) =>
      createHookEntry(((await import(`${ROOT}/hooks/${name}.ts`)) as { default: Hook }).default, name),
    ),
  );
}

/** Creates a random generator. The same seed gives the same sequence on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Gives the full path an hour. Otherwise a hook could run out of time on a busy machine, and its failure wouldn't be
 * neutral, although the quick path, which ignores the time, would still be right.
 */
const UNHURRIED: AnyOptions = { timeoutMs: 3_600_000 };

/** How both paths answer a call. */
interface Comparison {
  isTaken: boolean;
  /** Whether the full path's answer is neutral; undefined if it didn't run. */
  isNeutral?: boolean;
  said?: HostAnswer;
}

/** @returns a function that runs both paths. By default, the full path runs only if the quick path answers the call. */
export function prepareComparison(
  entries: readonly HookDescriptor[],
): (argv: readonly string[], text: string, isAlwaysAsked?: boolean) => Promise<Comparison> {
  const index = createCallIndex(entries);
  const system = openQuickSystem();
  return async (argv, text, isAlwaysAsked = false) => {
    const quick = system && (await answerQuickly(argv, text, index, system));
    const isTaken = quick !== undefined;
    if (!isTaken && !isAlwaysAsked) return { isTaken };
    const said = await answerCall(entries, UNHURRIED, argv, { env: process.env, read: () => text });
    const neutral = quick ?? hosts.find(({ id }) => id === argv[1])?.neutralOutput;
    const isNeutral = said.stdout === neutral && said.stderr.replace(OTHER_HOST, "") === "" && said.exit_code === 0;
    return { isTaken, said, isNeutral };
  };
}

/** @param count the number of calls to test. */
export async function compareWays(count: number, seed: number): Promise<DifferentialResult> {
  const project = createProject();
  try {
    addAliases(project);
    const compare = prepareComparison(await loadStarterHooks());
    const result: DifferentialResult = { calls: 0, taken: 0, unasked: 0, wrong: [] };
    const compareFiltered = prepareFilterComparison(await loadStarterHooks());
    if (!openQuickSystem()) return result;
    const generate = await createGenerator(project, createRandom(seed));
    const configs = createConfigs(project);
    for (; result.calls < count; result.calls++) {
      if (result.calls % CALLS_A_CONFIG === 0) configs[(result.calls / CALLS_A_CONFIG) % configs.length]?.();
      const { argv, text } = generate();
      const { isTaken, isNeutral, said } = await compare(argv, text);
      if (isTaken) result.taken++;
      else if (result.calls % FILTERED_CALLS === 0) {
        const { unasked, difference } = await compareFiltered(argv, text);
        result.unasked += unasked;
        if (difference !== undefined) result.wrong.push(difference);
      }
      if (isTaken && !isNeutral)
        result.wrong.push(`${argv.join(" ")} ${text.slice(0, 2000)}\n  ${JSON.stringify(said).slice(0, 500)}`);
    }
    return result;
  } finally {
    project.remove();
  }
}

const CALLS_A_CONFIG = 250;
/** One in this many calls is answered twice: by all hooks, and by only the relevant ones. */
const FILTERED_CALLS = 5;

/**
 * @returns a function that answers a call with and without the hook filter, and reports how many hooks were skipped.
 */
export function prepareFilterComparison(entries: readonly HookDescriptor[]) {
  const index = createCallIndex(entries);
  const indexes = Object.fromEntries(entries.map((entry) => [entry.name, createCallIndex([entry])]));
  const system = openQuickSystem();
  return async (argv: readonly string[], text: string): Promise<{ unasked: number; difference?: string }> => {
    const flags = readEntryFlags(argv);
    const payload = flags && parseQuickly(text);
    const read = payload && flags.host ? readCall(flags.host, flags.event, payload, process.env) : undefined;
    if (!read || !system) return { unasked: 0 };
    let unasked = 0;
    const judgement = { index, system, env: process.env, ownName: "bridge-hooks" };
    const isConcerned = filterHooks(read.call, judgement, indexes);
    const loadHookFilter = async () => (hook: string) => {
      const is = isConcerned(hook);
      if (!is) unasked++;
      return is;
    };
    const world = { env: process.env, read: () => text };
    const all = await answerCall(entries, UNHURRIED, argv, world);
    const some = await answerCall(entries, UNHURRIED, argv, { ...world, loadHookFilter });
    // Config errors are reported only once per session, so stderr isn't compared.
    const format = ({ stdout, exit_code }: HostAnswer) => JSON.stringify([stdout, exit_code]);
    return format(all) === format(some)
      ? { unasked }
      : { unasked, difference: `${argv.join(" ")} ${text.slice(0, 2000)}\n  ${format(all)}\n  ${format(some)}` };
  };
}

/** Returns functions that each write a config file or remove it. Most calls are compared without one. */
function createConfigs({ cwd, home }: ScoreProject): (() => void)[] {
  const [project, user] = [join(cwd, ".bridge-hooks.json"), join(home, ".config/bridge-hooks/config.json")];
  mkdirSync(join(home, ".config/bridge-hooks"), { recursive: true });
  const texts = [
    "{}",
    '{"$schema":"./x.json","hooks":{}}',
    '{"hooks":{"format-after-edit":{"formatters":{"*.ts":["prettier"]}},"verify-before-stop":{"command":"npm test"}}}',
    '{"hooks":{"block-destructive":{},"protect-hooks":{},"protect-secrets":{}}}',
    '{"hooks":{"protect-hooks":{"protect":["src/**"]},"protect-secrets":{"files":["*.ts"]}}}',
    '{"hooks":{"block-destructive":5}}',
    '{"hooks":[]}',
    '{"hooks":{"__proto__":{}}}',
    '{"rules":{"acme/no-npm":{"commands":["npm"],"reason":"no"}},"hooks":{}}',
    '{"locked":true}',
    '{"hooks":{"block-destructive":{"allow":["terraform destroy *"]},"protect-hooks":{"allow":["src/**"]}}}',
    '{"hooks":{"protect-secrets":{"allow":["*.txt"],"ignore":["gcp-key"]}},"locked":["block-destructive"],"trusted":["**"]}',
    '{"hooks":{"block-destructive":{"allow":[5]}}}',
    '{"hooks":{"block-destructive":{"allow":"x"},"protect-secrets":{"allow":[""]}}}',
    '{"rules":{"git/push-force":{"action":"ask"},"system/shutdown":{"enabled":false},"secrets/in-text":{"action":"deny"}}}',
    '{"rules":{"downloads/run-unread":{"enabled":true},"downloads/pipe-to-shell":{"action":"ask"}}}',
    '{"rules":{"downloads/pipe-to-shell":{"enabled":false}},"exceptions":[{"rule":"git/*","reason":"ours"}]}',
    '{"rules":{"acme/no-npm":{"program":"npm|cargo","pattern":["test","run *"],"reason":"no"}}}',
    '{"rules":{"acme/no-make":{"program":"MAKE","pattern":"**","reason":"no","action":"ask"}},"trusted":["**"]}',
    '{"rules":{"acme/any":{"program":"g*","pattern":"<disk>","reason":"no"},"acme/other":{"program":"docker.*","reason":"no"}}}',
    '{"rules":{"Acme/wrong":{"program":"ls","reason":"no"}}}',
    '{"rules":{"acme/wrong":{"program":"l s","reason":"no"}}}',
    '{"rules":{"acme/wrong":{"program":"zz","pattern":"!x","reason":"no"}}}',
    '{"rules":{"acme/wrong":{"program":"zz","pattern":"a||b","reason":"no"}}}',
    '{"rules":{"acme/wrong":{"program":"zz","reason":"","extra":1}}}',
    '{"rules":{"acme/wrong":{"enabled":1}},"exceptions":[{"rule":"git/*"}]}',
    '{"exceptions":[{"rule":"secrets/read-file","match":".env","reason":"x","until":"2026-13-01"}]}',
    '{"rules":5,"exceptions":5,"trusted":5}',
    '{"mode":{"hooks":{"protect-secrets":"observe"}},"rules":{"acme/x":{}}}',
    '{"unknown":1}',
    '{"hooks":{"redact-output":{"allow":["*.txt"],"ignore":["github-token"]}},"trusted":["**"]}',
    '{"hooks":{"redact-output":{"ignore":"x"}}}',
    ...listLongConfigs(),
    ...listCallRuleConfigs(),
    "",
    "{ // a comment\n}",
  ];
  return texts.flatMap((text) =>
    [project, user].flatMap((path) => [
      () => writeFileSync(path, text),
      ...[1, 2].map(() => () => rmSync(path, { force: true })),
    ]),
  );
}

/**
 * Lists config files with rules about calls: rules for files, tools and hosts that the calls contain, and invalid
 * rules.
 */
function listCallRuleConfigs(): string[] {
  const rules: object[] = [
    { path: "src/**", access: ["edit", "delete"] },
    { path: "**/*.ts", access: "read" },
    { path: ["docs/*.md", "~/.config/**"], access: ["read", "edit", "delete"], action: "warn" },
    { path: "src/lib/deep/**", access: "delete", action: "ask" },
    { tool: "Write|edit_file" },
    { tool: "Read", action: "ask" },
    { mcp: "*", tool: "delete_*", arguments: { path: "*" } },
    { url: "*.example.com/**", method: "POST|GET" },
    { url: "localhost" },
    { path: "src/**" },
    { path: "../x", access: "edit" },
    { url: "a b" },
  ];
  return rules.flatMap((rule) => {
    const one = { "acme/call": { reason: "it is live", ...rule } };
    const others = Array.from({ length: 200 }, (_, number) => [
      `acme/rule-${number}`,
      [
        { path: `services/area-${number}/gen/**`, access: "edit", reason: "it is live" },
        { url: `*.corp-${number}.example/**`, reason: "it is live" },
        { mcp: `server-${number}`, reason: "it is live" },
        { tool: `tool-${number}`, reason: "it is live" },
      ][number % 4],
    ]);
    return [JSON.stringify({ rules: one }), JSON.stringify({ rules: { ...Object.fromEntries(others), ...one } })];
  });
}

/**
 * Lists config files with too many rules to parse: valid files, one of them with a rule for a program that occurs in
 * commands, and invalid files.
 */
function listLongConfigs(): string[] {
  const rule = (number: number, change: object = {}) => [
    `acme/rule-${number}`,
    {
      program: `acme-tool-${number}`,
      pattern: ["prod !--dry-run", "** -e|--everywhere"],
      reason: "it is live",
      ...change,
    },
  ];
  const changes = [
    {},
    { program: "tool|npm" },
    { pattern: "a||b" },
    { pattern: ["!x"] },
    { reason: " " },
    { action: "off" },
  ];
  return changes.map((change, at) => {
    const rules = Array.from({ length: 160 }, (_, number) => rule(number, number === 80 ? change : {}));
    return JSON.stringify({ rules: Object.fromEntries(rules) }, null, at % 2);
  });
}

/** @returns the host's neutral document if the quick path answers the call. */
export async function answerQuickly(
  argv: readonly string[],
  text: string,
  index: CallIndex,
  system: QuickSystem,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const flags = readEntryFlags(argv);
  const payload = flags && parseQuickly(text);
  const host = flags?.host ?? (payload && (await findHostId(payload, env)));
  const read = payload && host ? readCall(host, flags.event, payload, env) : undefined;
  const plain = read && readPlainCall(read.call, env, system);
  if (!plain || !concernsNoHook(plain.call, { index, system, env: plain.env, ownName: "bridge-hooks" }))
    return undefined;
  return read.neutralOutput;
}

if (import.meta.main) {
  const [count = "100000", seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);
  const started = performance.now();
  const { calls, taken, unasked, wrong } = await compareWays(Number(count), Number(seed));
  for (const one of wrong.slice(0, 20)) console.log(one);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `seed ${seed}: ${calls} calls, ${taken} taken, ${unasked} hooks left out, ${wrong.length} wrong, ${seconds} s`,
  );
  process.exit(wrong.length === 0 ? 0 : 1);
}
