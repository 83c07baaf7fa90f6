import type { Host } from "../../protocol/host/host.ts";
import type { HostDoctor, Finding, MachineContext } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { hosts } from "../../hosts/index.ts";
import { isOtherExecutable, mayRunProgram } from "../../operate/machine/entry-command.ts";
import {
  type PresentHost,
  findPresentHosts,
  formatOwnCommand,
  readVersion,
  type InstallContext,
} from "../../operate/machine/install-context.ts";
import { formatFirstNames } from "../../policy/check/rule-findings.ts";
import { listGapsOfHost } from "../../operate/policy/rule-gaps.ts";
import { formatMode, identifyPolicy } from "../../operate/policy/identity.ts";
import { findDrift, getFailurePolicy, formatReinstallCommand } from "../../operate/machine/status.ts";
import type { InstalledEntry } from "../../operate/machine/plan.ts";
import { readConfigFiles } from "./config-files.ts";
import {
  checkEntryPrograms,
  checkEntryTimes,
  checkHostTrials,
  findDuplicateEntries,
  type ExaminedFile,
  removeDuplicateFindings,
} from "./entry-findings.ts";
import { readReceipt } from "../../operate/machine/receipts.ts";
import { listUndeliverable, selectSubscriptions } from "../../operate/machine/desired-entries.ts";
import { findProjectRoot } from "../../system/project.ts";
import { checkDecisionLog } from "./decision-log.ts";
import { checkEnvironment } from "./environment.ts";
import { checkEvidence } from "./evidence.ts";
import { checkExceptions } from "./exceptions.ts";
import { checkProgram } from "../../operate/machine/program.ts";
import type { EntryReport, DoctorHostReport, DoctorReport } from "./report.ts";
import { checkSettings, listFailureLocations } from "./settings.ts";
import { runTrials } from "./entry-trials.ts";
import { getOwnCommand, qualifyCommands } from "../../system/own-command.ts";

/** How many trials have finished, and how many there are in total. */
interface TrialCount {
  finished: number;
  all: number;
}

/**
 * Checks for every host whether a denial would take effect here and now.
 * @param onTrial called with the host's name after each entry is tested
 */
export async function diagnoseHosts(
  hostIds: readonly string[],
  context: InstallContext,
  version: string,
  onTrial: (count: TrialCount, host: string) => void = () => {},
): Promise<DoctorReport> {
  const presentHosts = await findPresentHosts(hostIds, context.machine);
  const [cwd = context.machine.home] = context.machine.roots;
  const settingsFindings = await checkSettings(context.entries, cwd);
  const failureLocations = listFailureLocations(settingsFindings);
  const count: TrialCount = { finished: 0, all: 0 };
  const reports = await Promise.all(
    presentHosts.map((presentHost) =>
      diagnoseHost(presentHost, context, failureLocations, async (trial) => {
        count.all++;
        const report = await trial();
        count.finished++;
        onTrial(count, presentHost.host.name);
        return report;
      }),
    ),
  );
  const findings = [
    ...checkEnvironment(context.machine.env),
    ...settingsFindings,
    ...(await checkExceptions()),
    ...(await checkDecisionLog(context.machine.env)),
  ];
  if (presentHosts.length === 0)
    findings.push(
      createRedFinding(
        "no-host",
        "no hosts found on this machine",
        "nothing to guard, or a host is installed in an unusual location",
        `pass the host: ${getOwnCommand()} doctor --host ${hosts[0]?.id}`,
      ),
    );
  const policy = await identifyPolicy({}, cwd);
  const mode = formatMode(policy);
  if (mode !== undefined)
    findings.push(
      createNote(
        "mode",
        `the mode is ${mode}`,
        "denials, questions and changes are withheld, except those from hooks that guard the policy itself",
        `once the log shows what would be denied: ${getOwnCommand()} install --mode enforce`,
      ),
    );
  const allFindings = [...findings, ...reports.flatMap((report) => report.findings)];
  const command = formatOwnCommand(context);
  for (const finding of allFindings) finding.fix = qualifyCommands(finding.fix, command);
  return { version, policy, healthy: allFindings.every(({ level }) => level !== "red"), hosts: reports, findings };
}

async function diagnoseHost(
  { host, setup, programs }: PresentHost,
  context: InstallContext,
  failureLocations: readonly string[],
  countTrial: (trial: () => Promise<EntryReport>) => Promise<EntryReport>,
): Promise<DoctorHostReport> {
  const check = await host.loadDoctor();
  const { examined, unusable, findings } = readConfigFiles({ host, setup, check }, context);
  const files = examined.map(({ file }) => file);
  const machine: MachineContext = {
    ...context.machine,
    env: { ...context.machine.env, ...check.collectVariables?.(files) },
  };
  const versions = Promise.all(programs.map((program) => readVersion(program, context.machine.env)));
  const [program] = programs;
  const [entries, own] = await Promise.all([
    Promise.all(
      examined.flatMap((examinedFile) =>
        examinedFile.installedEntries.map((entry) =>
          countTrial(() => tryEntry(entry, examinedFile, { check, machine, self: context.self })),
        ),
      ),
    ),
    versions.then(([version, ...others]) => {
      const releases = [version, ...others].filter((release) => release !== undefined);
      return check.examineConfig({ machine: context.machine, files, version, releases, program });
    }),
  ]);
  const [version] = await versions;
  findings.push(
    ...(await checkEvidence(host, entries, unusable)),
    ...findUnreadEntries({ host, setup, check }, context, entries),
    ...findDuplicateEntries(host, examined, setup),
    ...examined.flatMap((examinedFile) => checkEntryPrograms(host, examinedFile, context)),
    ...own,
    ...examined.flatMap((examinedFile) => reportDrift(examinedFile, context)),
    ...examined.flatMap((examinedFile) => checkEntryTimes({ host, setup }, examinedFile, context)),
    ...(entries.length > 0 ? await findRuleGapNotes({ host, setup }, context.machine) : []),
    ...(entries.length > 0 ? reportUndeliverable(host, context) : []),
    ...checkHostTrials(host, entries, examined, failureLocations),
  );
  return { host: host.id, ...(version && { version }), entries, findings: removeDuplicateFindings(findings) };
}

/** Creates notes about config-file rules that can't check every matching call on a host. */
async function findRuleGapNotes(
  { host, setup }: Pick<PresentHost, "host" | "setup">,
  { home, roots: [cwd = home] }: MachineContext,
): Promise<Finding[]> {
  // Unreadable files are reported together with the settings.
  const gaps = await listGapsOfHost(cwd, setup.tools).catch(() => []);
  return gaps.map(({ calls, rules }) =>
    createNote(
      "rule-gap",
      `${host.name} does not call hooks for ${calls}, although these rules check such calls: ${formatFirstNames(rules)}`,
      "calls to these tools aren't checked, but shell commands are",
      "disable the tool in the host's settings, if possible",
    ),
  );
}

/** Creates a note for each audience to which a config file wants the policy announced although the host can't do so. */
const reportUndeliverable = (host: Host, { entries }: InstallContext): Finding[] =>
  listUndeliverable(host, entries).map((audience) =>
    createNote(
      "announce",
      `${host.name} can't announce the policy at the start of a session: ${audience}`,
      'the line enabled by "announce" does not appear',
      `to see the policy: ${getOwnCommand()} status --session --host ${host.id}`,
    ),
  );

/** Finds entries at the project's root that the host ignores in sessions started in a subdirectory. */
function findUnreadEntries(
  presentHost: Pick<ExaminedFile, "host" | "setup"> & { check: HostDoctor },
  { machine, ...context }: InstallContext,
  entries: readonly EntryReport[],
): Finding[] {
  const list = (roots: readonly string[]) => presentHost.setup.listConfigFiles({ ...machine, roots });
  const readPaths = new Set(list(machine.roots).map(({ path }) => path));
  return machine.roots.flatMap((start) => {
    const root = findProjectRoot(start, machine.home) ?? start;
    if (root === start) return [];
    const { examined } = readConfigFiles(presentHost, { ...context, machine: { ...machine, roots: [root] } });
    return examined
      .filter(({ file, installedEntries }) => installedEntries.length > 0 && !readPaths.has(file.path))
      .map(({ file }) =>
        createNote(
          "not-read-here",
          `${file.path} has bridge-hooks entries, which ${presentHost.host.name} ignores in sessions started in ${start}`,
          `these entries guard only sessions started in ${root}`,
          entries.length > 0
            ? `other entries apply here; to also use these entries, start ${presentHost.host.name} in ${root}`
            : `start ${presentHost.host.name} in ${root}, or install for the current user: ${getOwnCommand()} install --host ${presentHost.host.id}`,
        ),
      );
  });
}

/** Reports differences between a file and what an installation would write now. */
function reportDrift(examinedFile: ExaminedFile, context: InstallContext): Finding[] {
  const { host, file, installedEntries } = examinedFile;
  const on_error = getFailurePolicy(installedEntries);
  const isBroken = installedEntries.some(
    ({ call }) => checkProgram(call.program, call.file, context.machine, "").length > 0,
  );
  const { drift, notes } = isBroken ? { drift: [], notes: [] } : findDrift(examinedFile, on_error, context);
  const reinstallCommand = formatReinstallCommand(host.id, file, on_error);
  const fullReinstallCommand = formatReinstallCommand(host.id, file, "deny");
  return [
    ...(notes.length > 0
      ? [
          createNote(
            "by-hand",
            `${file.path}: ${notes.join("; ")}`,
            "hooks judge calls, but a call is allowed if a hook or the executable fails",
            fullReinstallCommand,
          ),
        ]
      : []),
    ...findUncoveredEvents(examinedFile, context, reinstallCommand),
    ...drift.map((line) =>
      createRedFinding(
        "drift",
        `${file.path}: ${line}`,
        "calls are not guarded as your hooks require",
        reinstallCommand,
      ),
    ),
  ];
}

/** Creates notes about subscribed events that have no entry because the installation was limited to certain events. */
function findUncoveredEvents(
  { host, setup, file, installedEntries }: ExaminedFile,
  context: InstallContext,
  reinstallCommand: string,
): Finding[] {
  const chosenEvents = readReceipt(context.machine.env, file.path)?.events ?? [];
  const subscribedEvents = selectSubscriptions(host, setup, context.entries, []).map(
    ({ native_event }) => native_event,
  );
  const missingEvents = subscribedEvents.filter(
    (event) => !installedEntries.some(({ entry }) => entry.native_event === event),
  );
  if (
    chosenEvents.length === 0 ||
    missingEvents.length === 0 ||
    installedEntries.every(({ call }) => isOtherExecutable(call, context.self))
  )
    return [];
  const summary = `${file.path} was installed only for ${chosenEvents.join(", ")}, but your hooks also subscribe to ${missingEvents.join(", ")}`;
  return [createNote("partial", summary, "calls on the missing events are not guarded", reinstallCommand)];
}

async function tryEntry(
  ourEntry: InstalledEntry,
  { host, file }: ExaminedFile,
  { check, machine, self }: { check: HostDoctor; machine: MachineContext; self: string | undefined },
): Promise<EntryReport> {
  const { entry, call } = ourEntry;
  const { native_event, matcher, command, args = [] } = entry;
  const trials = mayRunProgram(call, file, self) ? await runTrials(ourEntry, { host, file }, check, machine) : [];
  return {
    scope: file.scope,
    file: file.path,
    ...(file.plugin && { plugin: file.plugin.id }),
    event: native_event,
    ...(matcher && { matcher }),
    command: [command, ...args].join(" "),
    trials,
  };
}
