import type { Host } from "../../protocol/host/host.ts";
import type { Check, Finding, FoundFile, Place, Setup } from "../../protocol/host/install.ts";
import { note, red } from "../../hosts/check.ts";
import { hosts } from "../../hosts/index.ts";
import { editorOf } from "../host-config/edit/entries.ts";
import { find, isThere } from "../host-config/files.ts";
import { isOther, mayRun } from "../host-config/ours.ts";
import { type Present, presentHosts, runnable, versionOf, type World } from "../host-config/place.ts";
import { checkShape, flawLines } from "../host-config/plan.ts";
import { driftOf, type OurEntry, ourEntries, policyOf, reinstall } from "../status/status.ts";
import { aboutPrograms, aboutTrials, duplicates, type Examined, readBy } from "./about.ts";
import { readReceipt } from "../host-config/state.ts";
import { subscriptionsFor } from "../host-config/wanted.ts";
import { environmentFindings } from "./environment.ts";
import { programFindings } from "./program.ts";
import type { EntryReport, HostReport, Report } from "./report.ts";
import { settingsFindings } from "./settings.ts";
import { trialsOf } from "./trial.ts";

/** Whether a denial would hold here, now, on every host. */
export async function examine(named: readonly string[], world: World, version: string): Promise<Report> {
  const present = await presentHosts(named, world.place);
  const reports = await Promise.all(present.map((one) => examineHost(one, world)));
  const [cwd = world.place.home] = world.place.roots;
  const findings = [...environmentFindings(world.place.env), ...(await settingsFindings(world.entries, cwd))];
  if (present.length === 0) {
    findings.push(
      red(
        "no-host",
        "no host was found on this machine",
        "there is nothing to guard, or it lies where nobody looks",
        `name it: bridge-hooks doctor --host ${hosts[0]?.id}`,
      ),
    );
  }
  const all = [...findings, ...reports.flatMap((report) => report.findings)];
  for (const finding of all) finding.fix = runnable(finding.fix, world);
  return { version, healthy: all.every(({ level }) => level !== "red"), hosts: reports, findings };
}

async function examineHost({ host, setup, programs }: Present, world: World): Promise<HostReport> {
  const check = await host.check();
  const findings: Finding[] = [];
  const examined = readFiles(host, setup, check, world, findings);
  const files = examined.map(({ file }) => file);
  const place: Place = { ...world.place, env: { ...world.place.env, ...check.variables?.(files) } };
  const asked = Promise.all(programs.map((program) => versionOf(program, world.place.env)));
  const [program] = programs;
  const [entries, own] = await Promise.all([
    Promise.all(
      examined.flatMap(({ file, ours }) => ours.map((our) => tried(host, check, our, file, place, world.self))),
    ),
    asked.then(([version, ...others]) => {
      const releases = [version, ...others].filter((one) => one !== undefined);
      return check.examine({ place: world.place, files, version, releases, program });
    }),
  ]);
  const [version] = await asked;
  const install = `bridge-hooks install --host ${host.id}`;
  if (entries.length === 0)
    findings.push(
      red("not-installed", `${host.name} has no entry of bridge-hooks`, "none of its calls is guarded", install),
    );
  findings.push(
    ...duplicates(host, examined, setup),
    ...examined.flatMap((one) => aboutPrograms(host, one, world)),
    ...own,
  );
  for (const { file, ours } of examined) {
    if (ours.length > 0) findings.push(...readBy(file.path, world.place));
    const on_error = policyOf(ours);
    const broken = ours.some(({ call }) => programFindings(call.program, call.file, world.place, "").length > 0);
    const drift = ours.length > 0 && !broken ? driftOf(host, setup, file, ours, on_error, world) : [];
    const again = reinstall(host.id, file.scope, on_error);
    findings.push(...partly(host, setup, file, ours, world, again));
    findings.push(
      ...drift.map((line) =>
        red("drift", `${file.path}: ${line}`, "calls are not guarded as your hooks ask for", again),
      ),
    );
  }
  for (const entry of entries) {
    const ours = examined.find(({ file }) => file.path === entry.file)?.ours ?? [];
    findings.push(...aboutTrials(entry, reinstall(host.id, entry.scope, policyOf(ours))));
  }
  return { host: host.id, ...(version && { version }), entries, findings: unique(findings) };
}

/** An installation for some events alone: that is what somebody asked for. */
function partly(
  host: Host,
  setup: Setup,
  file: FoundFile,
  ours: readonly OurEntry[],
  world: World,
  again: string,
): Finding[] {
  const chosen = readReceipt(world.place.env, file.path)?.events ?? [];
  const wanted = subscriptionsFor(host, setup, world.entries, []).map(({ native_event }) => native_event);
  const missing = wanted.filter((event) => !ours.some(({ entry }) => entry.native_event === event));
  if (chosen.length === 0 || missing.length === 0 || ours.every(({ call }) => isOther(call, world.self))) return [];
  const what = `${file.path} was installed for ${chosen.join(", ")} alone, and your hooks subscribe to ${missing.join(", ")} too`;
  return [note("partial", what, "those calls are not guarded", again)];
}

const unique = (findings: readonly Finding[]) => [
  ...new Map(findings.map((one) => [JSON.stringify(one), one])).values(),
];

const CORRECT = "correct the file at that place";

function readFiles(host: Host, setup: Setup, check: Check, world: World, findings: Finding[]): Examined[] {
  const unread = `${host.name} may read nothing of this file, without a word`;
  return setup.configs(world.place).flatMap((file) => {
    if (!isThere(file.path)) return [];
    try {
      const found = find(file.path);
      const text = found.text ?? "";
      const flaws = text.trim() === "" ? [] : flawLines(check, file, found);
      for (const line of flaws) findings.push(red("config-flaw", line, unread, CORRECT));
      const editor = editorOf(file, text);
      if (flaws.length === 0) checkShape(file, editor);
      const ours = ourEntries(setup, file, text, world);
      return [{ file: { ...file, text, document: editor.value(), ours: ours.map(({ entry }) => entry) }, ours }];
    } catch (error) {
      const { message } = error as Error;
      const what = message.includes(file.path) ? message : `${file.path}: ${message}`;
      if (!findings.some((one) => one.what.startsWith(file.path)))
        findings.push(red("config-unreadable", what, unread, CORRECT));
      return [];
    }
  });
}

async function tried(
  host: Host,
  check: Check,
  our: OurEntry,
  file: FoundFile,
  place: Place,
  self: string | undefined,
): Promise<EntryReport> {
  const { entry, call } = our;
  const { native_event, matcher, command, args = [] } = entry;
  const trials = mayRun(call, file.scope, self) ? await trialsOf(host, check, our, file, place) : [];
  return {
    scope: file.scope,
    file: file.path,
    event: native_event,
    ...(matcher && { matcher }),
    command: [command, ...args].join(" "),
    trials,
  };
}
