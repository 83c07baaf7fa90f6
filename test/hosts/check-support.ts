import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { editorOf } from "../../src/cli/host-config/edit/entries.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { FailurePolicy, HookEntry } from "../../src/protocol/hook.ts";
import type { Host, Payload } from "../../src/protocol/host/host.ts";
import type {
  Check,
  ConfigFile,
  Examination,
  Finding,
  FoundFile,
  Place,
  Setup,
} from "../../src/protocol/host/install.ts";
import { respond } from "../../src/run/run.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";

export const checks: Record<string, Check> = {};
export const setups: Record<string, Setup> = {};
for (const host of hosts) {
  setups[host.id] = await host.setup();
  checks[host.id] = await host.check();
}
export const checkOf = (id: string) => checks[id] as Check;
export const setupOf = (id: string) => setups[id] as Setup;

export const temporary: string[] = [];
export const folder = () => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-check-")));
  temporary.push(made);
  return made;
};
process.on("exit", () => temporary.forEach((path) => rmSync(path, { recursive: true, force: true })));

export const put = (path: string, text: string | object) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
};

export const PROGRAM = "/opt/bridge-hooks/bridge-hooks";

/** The answer that a call gets when a hook responds so, and the entry that it stands in. */
export async function answerWith(host: Host, native_event: string, response: IHookResponse, on_error: FailurePolicy) {
  const row = (host.capabilities[native_event] as Host["unknown"])();
  const hook: HookEntry = {
    name: "hook",
    events: [row.event],
    load: async () => ({ event: [row.event], handler: () => response }),
  };
  // Nobody recorded some events; they have at most a file.
  const unrecorded = { event: native_event, hook_event_name: native_event, file_path: "a.ts", edits: [] };
  const sample = checkOf(host.id).sample(native_event) ?? unrecorded;
  const words = ["--host", host.id, "--event", native_event, "--on-error", on_error];
  const answer = await respond([hook], {}, words, { env: {}, read: () => sample });
  const entry = { native_event, program: PROGRAM, on_error, scope: "user", platform: "linux" } as const;
  return { row, answer, handler: setupOf(host.id).handler(entry) };
}

export const specific = (fields: object, more: object = {}) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields }, ...more });
export const DENY = { permissionDecision: "deny", permissionDecisionReason: "R" };
export const closed = { failClosed: true };
export const blocking = { onFailure: "block" };
export const denying = { args: ["--host", "opencode", "--on-error", "deny", "--event", "tool.execute.before"] };
export const resident = (exit_code: number, answer: object | null) =>
  JSON.stringify({ id: 1, exit_code, stderr: "no", answer });

/** As in OBSERVED: [host, event, what, stdout, stderr, exit code, handler, verdict and a word of its reason]. */
export type VerdictCase = [string, string, string, string, string, number | null, Payload, string];

export function testVerdicts(cases: readonly VerdictCase[]): void {
  for (const [id, native_event, what, stdout, stderr, exit_code, handler, expected] of cases)
    test(`${id} ${native_event}: ${what} is ${expected.split(" ")[0]}`, () => {
      const found = checkOf(id).verdict(native_event, { stdout, stderr, exit_code }, handler);
      const [kind, ...word] = expected.split(" ");
      expect(found.kind).toBe(kind as typeof found.kind);
      if (found.kind === "broken") expect(found.why).toContain(word.join(" "));
    });
}

export const good: Record<string, string> = {
  claude: '{ "hooks": {} }',
  codex:
    '{ "description": "d", "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "x", "timeout": 0 }] }], "Zz": [] } }',
  gemini:
    '{ "ui": 5, // comment\n "hooksConfig": {}, "hooks": { "BeforeTool": [{ "matcher": "(", "hooks": [{ "type": "command", "command": "x", "timeout": "5" }] }], "Zz": [] } }',
  cursor:
    '{ "version": 1, // comment\n "zz": 1, "hooks": { "stop": [{ "command": "x", "timeout": 0.5, "matcher": "*", "zz": 1 }] } }',
};
good.copilot =
  '{ "hooks": { "preToolUse": [{ "command": "x", "zz": 1 }, { "bash": "x", "timeoutSec": 5 }, { "type": "http", "url": "https://x" }], "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }], "zz": 1 }, "zz": 1 }';
export const copilotEntry = (entry: string) => `{"version":1,"hooks":{"preToolUse":[${entry}]}}`;
export const codexHandler = (handler: string, group = "") =>
  `{"hooks":{"PreToolUse":[{${group}"hooks":[${handler}]}]}}`;
export const cursorEntry = (entry: string) => `{"version":1,"hooks":{"stop":[{"command":"x",${entry}}]}}`;

/** [host, file, text, message, what stands at the offset]. */
export type FlawCase = [string, string, string, string, string?];

export function testFlaws(cases: readonly FlawCase[]): void {
  for (const [id, file, text, message, place] of cases)
    test(`${id} ${file}: ${text}`, () => {
      const [flaw, ...more] = checkOf(id).flaws(text, `/x/${file}`);
      expect(more).toEqual([]);
      expect(flaw?.message).toContain(message);
      if (place !== undefined) expect(text.slice(flaw?.offset)).toStartWith(place);
    });
}

/** What `install` makes of a document. */
export const written = (id: string, json: string) => {
  const [{ syntax } = { syntax: "json" as const }] = setupOf(id).configs({
    roots: [],
    home: "",
    platform: "linux",
    env: {},
  });
  return typeof syntax === "object" ? syntax.before + json + syntax.after : json;
};

/** A machine of its own: a home, a project, and the system's folders. */
export function machine(
  id: string,
  { platform = "linux" as NodeJS.Platform, env = {} as Record<string, string> } = {},
) {
  const base = folder();
  const place: Place = {
    roots: [join(base, "project")],
    home: join(base, "home"),
    platform,
    env: { PATH: process.env.PATH, HOME: join(base, "home"), ...env },
    system: join(base, "system"),
  };
  mkdirSync(place.roots[0] as string, { recursive: true });
  mkdirSync(place.home, { recursive: true });
  const { configs, entries, handler } = setupOf(id);
  const pathOf = (scope: string, end = "") =>
    (configs(place).find((file) => file.scope === scope && file.path.endsWith(end)) as ConfigFile).path;
  const ours = (native_event: string, scope: ConfigFile["scope"] = "user") =>
    handler({ native_event, program: PROGRAM, on_error: "deny", scope: scope as "user", platform });
  const files = (): FoundFile[] =>
    configs(place).flatMap((file) => {
      if (!existsSync(file.path)) return [];
      const text = readFileSync(file.path, "utf8");
      const document = editorOf(file, text).value();
      return [
        {
          ...file,
          text,
          document,
          ours: entries(text, file.path).filter(({ command }) => command.startsWith(PROGRAM)),
        },
      ];
    });
  const examine = (more: Partial<Examination> = {}) => checkOf(id).examine({ place, files: files(), ...more });
  return { base, place, pathOf, ours, examine, root: place.roots[0] as string };
}

export const brief = (findings: readonly Finding[]) => findings.map(({ check, level }) => `${level} ${check}`);
export const sound = (findings: readonly Finding[]) => {
  for (const finding of findings) {
    for (const text of [finding.what, finding.impact, finding.fix]) expect(text).toMatch(/^\S[^\n]*\S$/);
    expect(finding.check).toMatch(/^[a-z]+(-[a-z]+)+$|^untrusted$/);
  }
};
