import assert from "node:assert/strict";
import { join } from "node:path";
import { hasFileChange } from "../../src/operate/machine/plan.ts";
import { diagnoseHosts } from "../../src/cli/doctor/doctor.ts";
import { type InstallOptions, planInstall } from "../../src/cli/install/install.ts";
import { applyInstall } from "../../src/cli/install/apply.ts";
import { getCells, type CapabilityField, pickCell, type Support } from "../../src/protocol/capability.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type {
  ConfigEntry,
  Finding,
  MachineContext,
  CommandResult,
  InstallScope,
  Setup,
  AnswerVerdict,
} from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";
import { getPayload, ROOT } from "../support/fixtures.ts";
import { type Home, createHookEntry, createHome, readTestFile } from "../support/homes.ts";
import type { ClaimCase } from "./claim.ts";

/** A call with a recorded payload, some changed fields, and the expected result. */
export const createRecordedCase = (
  host: string,
  recording: string,
  expected: Omit<ClaimCase, "host" | "stdin">,
  change: Payload = {},
): ClaimCase => ({
  host,
  stdin: getPayload(host, recording, change),
  ...expected,
});

export const getHost = (id: string): Host => hosts.find((host) => host.id === id) as Host;

/** Returns the capability table's support for a field. */
export const getSupport = (id: string, native_event: string, field: CapabilityField, version?: string): Support =>
  pickCell(getCells(getCapabilityRow(getHost(id), native_event), field), version).support;

/** @throws Error unless the capability table has this support for the field on each of the events. */
export function assertSupport(
  id: string,
  native_events: readonly string[],
  field: CapabilityField,
  support: Support,
): void {
  for (const event of native_events)
    assert.deepEqual([event, field, getSupport(id, event, field)], [event, field, support]);
}

/** Lists the config files of a host on a fictional machine. */
export async function listConfigs(id: string, platform: NodeJS.Platform = "linux", env: MachineContext["env"] = {}) {
  const setup: Setup = await getHost(id).setup();
  return setup.listConfigFiles({ roots: ["/repo"], home: "/home/dev", platform, env });
}

/** Returns the entries that `install` writes for hooks that match every event. */
export async function installEntries(
  id: string,
  scope: InstallOptions["scope"],
  more: Partial<InstallOptions> = {},
  before: (home: Home) => void = () => {},
) {
  using home = createHome([createHookEntry(EVENTS)]);
  before(home);
  const options: InstallOptions = { hosts: [id], scope, events: [], on_error: "deny", ...more };
  const plan = await planInstall(options, home);
  assert.deepEqual(plan.problems, []);
  applyInstall(plan, options, home);
  assert.deepEqual(
    (await planInstall(options, home)).files.filter(hasFileChange),
    [],
    "a second installation changes nothing",
  );
  const setup = await getHost(id).setup();
  const [file] = plan.files.filter(hasFileChange).map((one) => one.file);
  assert(file);
  const text = readTestFile(file.path);
  return {
    path: file.path,
    text,
    entries: setup.parseEntries(text, file.path) as ConfigEntry[],
    by_hand: plan.by_hand,
  };
}

/**
 * Returns the findings of `doctor` on a machine with entries in these scopes, after the machine's files were changed.
 */
export async function runDoctor(
  id: string,
  scopes: readonly InstallScope[],
  change: (home: Home) => void = () => {},
): Promise<Finding[]> {
  using home = createHome([createHookEntry(["PreToolUse"])]);
  for (const scope of scopes) {
    const options: InstallOptions = { hosts: [id], scope, events: [], on_error: "deny" };
    const plan = await planInstall(options, home);
    assert.deepEqual(plan.problems, []);
    applyInstall(plan, options, home);
  }
  change(home);
  const { findings, hosts: reports } = await diagnoseHosts([id], home, "0");
  return [...findings, ...reports.flatMap((report) => report.findings)];
}

/** Returns how a host interprets an answer, according to `doctor`. */
export async function judgeAnswer(
  id: string,
  native_event: string,
  { stdout = "", stderr = "", exit_code = 0 }: Partial<Omit<CommandResult, "stdout">> & { stdout?: string | object },
  handler: Payload = {},
): Promise<AnswerVerdict["kind"]> {
  const { judgeAnswer } = await getHost(id).loadDoctor();
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  return judgeAnswer(native_event, { stdout: text, stderr, exit_code }, handler).kind;
}

/** Runs a program that calls `run` with these options and an answering hook, in a separate process. */
export function runLibrary(
  options: Readonly<Record<string, unknown>>,
  stdin: Payload,
  answer: IHookResponse,
  argv: readonly string[] = [],
) {
  const program = `
    import { defineHook, run } from ${JSON.stringify(join(ROOT, "src/index.ts"))};
    const hook = defineHook({ event: ${JSON.stringify(EVENTS)}, handler: () => (${JSON.stringify(answer)}) });
    await run([hook], { ...${JSON.stringify(options)}, argv: ${JSON.stringify(argv)} });`;
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "" },
    stdin: Buffer.from(JSON.stringify(stdin)),
    timeout: 15_000,
  });
  const text = stdout.toString();
  return { stdout: (text ? JSON.parse(text) : "") as unknown, stderr: stderr.toString(), exit_code: exitCode };
}
