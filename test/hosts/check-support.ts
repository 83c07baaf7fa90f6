import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEditor } from "../../src/operate/machine/edit/entries.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { FailurePolicy, HookDescriptor } from "../../src/protocol/hook.ts";
import type { Host, Payload } from "../../src/protocol/host/host.ts";
import type {
  HostDoctor,
  ConfigFile,
  DoctorContext,
  Finding,
  LoadedConfigFile,
  MachineContext,
  Setup,
} from "../../src/protocol/host/install.ts";
import { answerCall } from "../support/answer-call.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";

export const checks: Record<string, HostDoctor> = {};
export const setups: Record<string, Setup> = {};
for (const host of hosts) {
  setups[host.id] = await host.setup();
  checks[host.id] = await host.loadDoctor();
}
export const getCheck = (id: string) => checks[id] as HostDoctor;
export const getSetup = (id: string) => setups[id] as Setup;

export const temporary: string[] = [];
export const createFolder = () => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-check-")));
  temporary.push(made);
  return made;
};
process.on("exit", () => temporary.forEach((path) => rmSync(path, { recursive: true, force: true })));

export const writeTestFile = (path: string, text: string | object) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
};

export const PROGRAM = "/opt/bridge-hooks/bridge-hooks";

/** Returns the answer to a call for which a hook gives this response, and the entry that made the call. */
export async function answerWithResponse(
  host: Host,
  native_event: string,
  response: IHookResponse,
  on_error: FailurePolicy,
) {
  const row = (host.capabilities[native_event] as Host["createUnknownEventRow"])();
  const hook: HookDescriptor = {
    name: "hook",
    events: [row.event],
    load: async () => ({ event: [row.event], handler: () => response }),
  };
  // Stands in for events that were never recorded. Their payloads contain no more than a file.
  const unrecorded = { event: native_event, hook_event_name: native_event, file_path: "a.ts", edits: [] };
  const sample = getCheck(host.id).getProbePayload(native_event) ?? unrecorded;
  const words = ["--host", host.id, "--event", native_event, "--on-error", on_error];
  const answer = await answerCall([hook], {}, words, { env: {}, read: () => sample });
  const entry = { native_event, program: PROGRAM, on_error, scope: "user", platform: "linux" } as const;
  return { row, answer, handler: getSetup(host.id).buildHandler(entry) };
}

export const buildSpecificOutput = (fields: object, more: object = {}) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields }, ...more });
export const DENY = { permissionDecision: "deny", permissionDecisionReason: "R" };
export const failClosedEntry = { failClosed: true };
export const blockingEntry = { onFailure: "block" };
export const denyingEntry = { args: ["--host", "opencode", "--on-error", "deny", "--event", "tool.execute.before"] };
export const buildResidentLine = (exit_code: number, answer: object | null) =>
  JSON.stringify({ id: 1, exit_code, stderr: "no", answer });

/**
 * Same columns as in OBSERVED: [host, event, description, stdout, stderr, exit code, handler, verdict plus a word from
 * its reason].
 */
export type VerdictCase = [string, string, string, string, string, number | null, Payload, string];

export function testVerdicts(cases: readonly VerdictCase[]): void {
  for (const [id, native_event, what, stdout, stderr, exit_code, handler, expected] of cases)
    test(`${id} ${native_event}: ${what} is ${expected.split(" ")[0]}`, () => {
      const found = getCheck(id).judgeAnswer(native_event, { stdout, stderr, exit_code }, handler);
      const [kind, ...word] = expected.split(" ");
      expect(found.kind).toBe(kind as typeof found.kind);
      if (found.kind === "broken") expect(`${found.problem}, and ${found.reaction}`).toContain(word.join(" "));
    });
}

export const validConfigs: Record<string, string> = {
  claude: '{ "hooks": {} }',
  codex:
    '{ "description": "d", "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "x", "timeout": 0 }] }], "Zz": [] } }',
  gemini:
    '{ "ui": 5, // comment\n "hooksConfig": {}, "hooks": { "BeforeTool": [{ "matcher": "(", "hooks": [{ "type": "command", "command": "x", "timeout": "5" }] }], "Zz": [] } }',
  cursor:
    '{ "version": 1, // comment\n "zz": 1, "hooks": { "stop": [{ "command": "x", "timeout": 0.5, "matcher": "*", "zz": 1 }] } }',
};
validConfigs.kimi =
  '\ufeff# theirs\ndefault_model = "x"\n[[hooks]]\nevent = "Stop"\nmatcher = "a"\ncommand = "x"\ntimeout = 600\n[other]\nzz = 1\n';
validConfigs.copilot =
  '{ "hooks": { "preToolUse": [{ "command": "x", "zz": 1 }, { "bash": "x", "timeoutSec": 5 }, { "type": "http", "url": "https://x" }], "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }], "zz": 1 }, "zz": 1 }';
export const copilotEntry = (entry: string) => `{"version":1,"hooks":{"preToolUse":[${entry}]}}`;
export const codexHandler = (handler: string, group = "") =>
  `{"hooks":{"PreToolUse":[{${group}"hooks":[${handler}]}]}}`;
export const cursorEntry = (entry: string) => `{"version":1,"hooks":{"stop":[{"command":"x",${entry}}]}}`;

/** Columns: [host, file, text, message, the text found at the offset]. */
export type FlawCase = [string, string, string, string, string?];

export function testFlaws(cases: readonly FlawCase[]): void {
  for (const [id, file, text, message, place] of cases)
    test(`findConfigProblems finds one problem in ${id}'s ${file}: ${text}`, () => {
      const [flaw, ...more] = getCheck(id).findConfigProblems(text, `/x/${file}`);
      expect(more).toEqual([]);
      expect(flaw?.message).toContain(message);
      if (place !== undefined) expect(text.slice(flaw?.offset)).toStartWith(place);
    });
}

/** Installs entries into a document and returns the result. */
export const buildInstalledDocument = (id: string, json: string) => {
  const [{ syntax } = { syntax: "json" as const }] = getSetup(id).listConfigFiles({
    roots: [],
    home: "",
    platform: "linux",
    env: {},
  });
  return typeof syntax === "object" ? syntax.write(json) : json;
};

/** Creates a separate machine with a home directory, a project and system directories. */
export function createMachine(
  id: string,
  { platform = "linux" as NodeJS.Platform, env = {} as Record<string, string> } = {},
) {
  const base = createFolder();
  const machine: MachineContext = {
    roots: [join(base, "project")],
    home: join(base, "home"),
    platform,
    env: { PATH: process.env.PATH, HOME: join(base, "home"), ...env },
    system: join(base, "system"),
  };
  mkdirSync(machine.roots[0] as string, { recursive: true });
  mkdirSync(machine.home, { recursive: true });
  const { listConfigFiles, parseEntries, buildHandler } = getSetup(id);
  const pathOf = (scope: string, end = "") =>
    (listConfigFiles(machine).find((file) => file.scope === scope && file.path.endsWith(end)) as ConfigFile).path;
  const ours = (native_event: string, scope: ConfigFile["scope"] = "user") =>
    buildHandler({ native_event, program: PROGRAM, on_error: "deny", scope: scope as "user", platform });
  const files = (): LoadedConfigFile[] =>
    listConfigFiles(machine).flatMap((file) => {
      if (!existsSync(file.path)) return [];
      const text = readFileSync(file.path, "utf8");
      const document = createEditor(file, text).value();
      return [
        {
          ...file,
          text,
          document,
          ownEntries: parseEntries(text, file.path).filter(({ command }) => command.startsWith(PROGRAM)),
        },
      ];
    });
  const examine = (more: Partial<DoctorContext> = {}) =>
    getCheck(id).examineConfig({ machine, files: files(), ...more });
  return { base, place: machine, pathOf, ours, examine, root: machine.roots[0] as string };
}

export const summarizeFindings = (findings: readonly Finding[]) =>
  findings.map(({ check, level }) => `${level} ${check}`);
export const expectSoundFindings = (findings: readonly Finding[]) => {
  for (const finding of findings) {
    for (const text of [finding.what, finding.impact, finding.fix]) expect(text).toMatch(/^\S[^\n]*\S$/);
    expect(finding.check).toMatch(/^[a-z]+(-[a-z]+)+$|^untrusted$/);
  }
};
