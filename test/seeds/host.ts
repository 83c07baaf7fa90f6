import assert from "node:assert/strict";
import { join } from "node:path";
import { changesFile } from "../../src/cli/host-config/plan.ts";
import { examine } from "../../src/cli/doctor/doctor.ts";
import { carryOut, type InstallOptions, planInstall } from "../../src/cli/install/install.ts";
import { cellsOf, type Field, pick, type Support } from "../../src/protocol/capability.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import type { ConfigEntry, Finding, Place, Result, Scope, Setup, Verdict } from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";
import { payloadOf, ROOT } from "../support/fixtures.ts";
import { type Home, hook, newHome, read } from "../support/homes.ts";
import type { Case } from "./claim.ts";

/** A call with a recorded payload, some fields of it changed, and what is expected of it. */
export const recorded = (
  host: string,
  recording: string,
  expected: Omit<Case, "host" | "stdin">,
  change: Payload = {},
): Case => ({
  host,
  stdin: payloadOf(host, recording, change),
  ...expected,
});

export const hostOf = (id: string): Host => hosts.find((host) => host.id === id) as Host;

/** The capability table's word for a field. */
export const supportOf = (id: string, native_event: string, field: Field, version?: string): Support =>
  pick(cellsOf(rowOf(hostOf(id), native_event), field), version).support;

/** @throws Error unless the capability table has this support for the field, at each of the events. */
export function supports(id: string, native_events: readonly string[], field: Field, support: Support): void {
  for (const event of native_events)
    assert.deepEqual([event, field, supportOf(id, event, field)], [event, field, support]);
}

/** The config files of a host, for a made-up machine. */
export async function configsOf(id: string, platform: NodeJS.Platform = "linux", env: Place["env"] = {}) {
  const setup: Setup = await hostOf(id).setup();
  return setup.configs({ roots: ["/repo"], home: "/home/dev", platform, env });
}

/** What `install` writes for hooks that want every event. */
export async function installed(
  id: string,
  scope: InstallOptions["scope"],
  more: Partial<InstallOptions> = {},
  before: (home: Home) => void = () => {},
) {
  using home = newHome([hook(EVENTS)]);
  before(home);
  const options: InstallOptions = { hosts: [id], scope, events: [], on_error: "deny", ...more };
  const plan = await planInstall(options, home);
  assert.deepEqual(plan.problems, []);
  carryOut(plan, options, home);
  assert.deepEqual(
    (await planInstall(options, home)).files.filter(changesFile),
    [],
    "a second installation changes nothing",
  );
  const setup = await hostOf(id).setup();
  const [file] = plan.files.filter(changesFile).map((one) => one.file);
  assert(file);
  const text = read(file.path);
  return { path: file.path, text, entries: setup.entries(text, file.path) as ConfigEntry[], by_hand: plan.by_hand };
}

/** What `doctor` finds on a machine where these scopes have entries, after a change of its files. */
export async function doctored(
  id: string,
  scopes: readonly Scope[],
  change: (home: Home) => void = () => {},
): Promise<Finding[]> {
  using home = newHome([hook(["PreToolUse"])]);
  for (const scope of scopes) {
    const options: InstallOptions = { hosts: [id], scope, events: [], on_error: "deny" };
    const plan = await planInstall(options, home);
    assert.deepEqual(plan.problems, []);
    carryOut(plan, options, home);
  }
  change(home);
  const { findings, hosts: reports } = await examine([id], home, "0");
  return [...findings, ...reports.flatMap((report) => report.findings)];
}

/** What a host makes of an answer, as `doctor` judges it. */
export async function judged(
  id: string,
  native_event: string,
  { stdout = "", stderr = "", exit_code = 0 }: Partial<Omit<Result, "stdout">> & { stdout?: string | object },
  handler: Payload = {},
): Promise<Verdict["kind"]> {
  const { verdict } = await hostOf(id).check();
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  return verdict(native_event, { stdout: text, stderr, exit_code }, handler).kind;
}

/** A program that calls `run` with these options and an answering hook, in a process of its own. */
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
