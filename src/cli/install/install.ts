import { constants, statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { FailurePolicy } from "../../protocol/hook.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import type { ConfigFile, InstallScope, Setup, Subscription } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { readOutput } from "../../hosts/run-program.ts";
import { hasHooks } from "../../hosts/setup/entries.ts";
import { planCompanions } from "../../operate/machine/companions.ts";
import { createEditor, writeEntries, writeSettings, removeEntries } from "../../operate/machine/edit/entries.ts";
import { readConfigFile, mayPathExist, mayAccess } from "../../operate/machine/files.ts";
import { resolveProgram } from "../../operate/machine/entry-command.ts";
import { listEventTargets, selectSubscriptionsForFile } from "../../operate/machine/event-files.ts";
import { describeHostLimits } from "../../operate/machine/hook-times.ts";
import { collectInstallNotes, findUncalledHooks } from "./install-notes.ts";
import { planFile, splitProblems } from "./plan-file.ts";
import {
  findPresentHosts,
  findStablePath,
  type InstallContext,
  type PresentHost,
} from "../../operate/machine/install-context.ts";
import {
  hasFileChange,
  type FilePlan,
  type HostFile,
  findConfigFlaws,
  mentionsBridgeHooks,
  type PlanProblem,
  removeIfEmpty,
} from "../../operate/machine/plan.ts";
import { hasInstalledEntries } from "../../operate/machine/status.ts";
import {
  checkEventNames,
  collectEventRequirements,
  planEntries,
  listNativeEvents,
  type EntryTemplate,
  selectSubscriptions,
} from "../../operate/machine/desired-entries.ts";

export interface InstallOptions {
  /** Host IDs; an empty list or "auto" selects the hosts found on this machine. */
  hosts: readonly string[];
  scope: InstallScope;
  /** Native or unified events, or "all"; an empty list selects the events that the hooks subscribe to. */
  events: readonly string[];
  /** The executable that entries name. Defaults to this executable. */
  bin?: string;
  on_error: FailurePolicy;
  /** Why this failure policy was chosen. Absent if the user requested it, or if it is the default. */
  on_error_reason?: string | undefined;
  /** Host-specific options to set in the entries. */
  settings?: Readonly<Record<string, string>>;
}

/** Everything that an installation would do. */
export interface InstallPlan {
  /** The executable as named in the entries. */
  program: string;
  files: readonly FilePlan[];
  /** Files that can't be written. All other files are still written. */
  problems: readonly PlanProblem[];
  /** Notes for the user about the installation. */
  notes: readonly string[];
  /** Remaining manual steps. */
  by_hand: readonly string[];
}

/**
 * Resolves the path that entries will name.
 * @throws Error if the executable doesn't exist or isn't a bridge-hooks executable.
 */
function resolveExecutable({ bin }: InstallOptions, { machine, self }: InstallContext): string {
  if (bin === undefined) {
    if (!self)
      throw new Error(
        "install needs a built executable, but this one runs from source; build an executable or pass --bin PATH",
      );
    return findStablePath(self, machine);
  }
  if (bin === "") throw new Error("--bin must not be empty; pass a path, or a program on PATH");
  const path = /[\\/]/.test(bin) && !isAbsolute(bin) ? resolve(bin) : bin;
  // Accept a path that exists inside the mounted image or on this machine.
  const file = resolveProgram((machine.system ?? "") + path, machine) ?? resolveProgram(path, machine);
  if (!file) throw new Error(`--bin ${bin}: no such executable${isAbsolute(path) ? "" : " on PATH"}`);
  // An image may be for another machine, so don't run its programs.
  if (!machine.system && file !== self && !isOwnProgram(file))
    throw new Error(`--bin ${bin}: not a bridge-hooks executable`);
  return path;
}

/** Whether a program prints its version the way bridge-hooks does. */
export function isOwnProgram(file: string): boolean {
  if (!statSync(file).isFile() || !mayAccess(file, constants.X_OK)) return false;
  const { stdout } = readOutput({ argv: [file, "--version"], cwd: dirname(file), env: process.env, timeout: 2_000 });
  return /^\d+\.\d+\.\d+\S*\r?\n?(policy: [^\n]*\n)?$/.test(stdout);
}

/** Lists a scope's files: the file to write, and other files that could contain bridge-hooks entries. */
const listScopeFiles = (setup: Setup, { machine }: InstallContext, scope: InstallScope) =>
  setup.listConfigFiles(machine).filter((file) => file.scope === scope);

/**
 * Lists candidate files for the entries: files with bridge-hooks entries first, then files with any hooks. The first
 * file that accepts the entries is used.
 */
function chooseTargets(setup: Setup, context: InstallContext, scope: InstallScope): ConfigFile[] {
  const files = listScopeFiles(setup, context, scope);
  const target = files.find((file) => file.target);
  const alternative = files.find(({ instead, path }) => instead && target && dirname(path) === dirname(target.path));
  if (!target || !alternative) return target ? [target] : [];
  const existing = [target, alternative].filter(({ path }) => mayPathExist(path));
  const preferred =
    existing.find((file) => hasInstalledEntries(setup, file, context)) ?? existing.find(hasHooksInFile) ?? target;
  return preferred === target || hasInstalledEntries(setup, preferred, context) ? [preferred] : [preferred, target];
}

/** Whether a file has hooks. Returns false for an unparsable file. */
function hasHooksInFile(file: ConfigFile): boolean {
  try {
    return hasHooks(createEditor(file, readConfigFile(file.path).text ?? "").value());
  } catch {
    return false;
  }
}

/** Parameters shared by all hosts of an installation. */
interface InstallRequest {
  options: InstallOptions;
  order: EntryTemplate;
  context: InstallContext;
}

/** Plans an installation without writing anything. */
export async function planInstall(options: InstallOptions, context: InstallContext): Promise<InstallPlan> {
  checkEventNames(options.events, options.hosts);
  if ((options.scope === "project" || options.scope === "local") && context.machine.roots.length === 0)
    throw new Error(`--scope ${options.scope} needs a project; run it inside one or pass --root DIR`);
  const presentHosts = await findPresentHosts(options.hosts, context.machine);
  if (presentHosts.length === 0)
    throw new Error(`no hosts found on this machine; pass one: --host ${hosts.map(({ id }) => id).join(", --host ")}`);
  const program = resolveExecutable(options, context);
  const fullContext: InstallContext = { ...context, otherProgram: program };
  const { on_error, scope, settings = {} } = options;
  const wantedEvents = collectEventRequirements(context.entries);
  const order: EntryTemplate = {
    program,
    on_error,
    scope,
    platform: context.machine.platform,
    wantedEvents,
    settings,
  };
  const plans: HostPlan[] = [];
  for (const presentHost of presentHosts)
    plans.push(await planHost(presentHost, { options, order, context: fullContext }));
  const files = plans.flatMap((plan) => plan.files);
  const by_hand = plans.flatMap((plan) => plan.by_hand);
  if (scope === "project" && isAbsolute(program) && files.some(hasFileChange)) {
    by_hand.push(
      `everyone who works on the project needs the executable at ${program}; to use an executable on PATH: --bin bridge-hooks`,
    );
  }
  return {
    program,
    files,
    problems: plans.flatMap((plan) => plan.problems),
    notes: [
      ...plans.flatMap((plan) => plan.notes),
      ...(files.some(hasFileChange) ? describeFailurePolicy(options) : []),
      ...(await collectInstallNotes(files, presentHosts, program, fullContext)),
    ],
    by_hand,
  };
}

const describeFailurePolicy = ({ on_error, on_error_reason: reason }: InstallOptions): string[] =>
  reason === undefined
    ? []
    : [
        `if a hook fails, the call ${on_error === "deny" ? "is denied" : "is allowed"} (--on-error ${on_error}): ${reason}`,
      ];

/** One host's part of an installation. */
type HostPlan = Omit<InstallPlan, "program">;

async function planHost({ host, setup }: PresentHost, request: InstallRequest): Promise<HostPlan> {
  const { options, order, context } = request;
  const [file, instead] = chooseTargets(setup, context, options.scope);
  if (!file) return rejectScope({ host, setup }, request);
  const subscriptions = selectSubscriptions(host, setup, context.entries, options.events);
  const notes = [
    ...(subscriptions.length === 0
      ? [`${host.name} has no event ${options.events.join(" or ") || "that the hooks subscribe to"}`]
      : []),
    ...findUncalledHooks(host, setup, context.entries),
    ...describeHostLimits(host, setup, context.entries).map(([, text]) => text),
    ...listUnreportedCalls(host, subscriptions, options.events),
  ];
  let plannedFiles = await planFiles({ host, setup, file }, subscriptions, request);
  if (instead && plannedFiles.files.length === 0) {
    notes.push(`${host.name}: entries can't be added to ${file.path}; using ${instead.path} instead`);
    plannedFiles = await planFiles({ host, setup, file: instead }, subscriptions, request);
  }
  const by_hand = plannedFiles.files.some(hasFileChange) ? setup.listManualSteps(options.scope, order) : [];
  return { ...plannedFiles, notes: [...notes, ...plannedFiles.notes], by_hand };
}

/** Reports that a host lacks the scope: as a problem if the user named the host, otherwise as a note. */
function rejectScope(
  { host, setup }: Pick<HostFile, "host" | "setup">,
  { options, context }: InstallRequest,
): HostPlan {
  const files = setup.listConfigFiles(context.machine);
  const scopes = [...new Set(files.flatMap(({ target, scope }) => (target ? [scope] : [])))];
  const message = `${host.name} has no scope "${options.scope}" (it has ${scopes.join(", ")}); nothing was installed for it`;
  const plan: HostPlan = { files: [], problems: [], notes: [], by_hand: [] };
  return options.hosts.includes(host.id)
    ? { ...plan, problems: [{ host: host.id, file: "", message }] }
    : { ...plan, notes: [message] };
}

/** Lists calls that the requested events don't cover. */
const listUnreportedCalls = (
  host: Host,
  subscriptions: readonly Subscription[],
  requestedEvents: readonly string[],
): string[] =>
  subscriptions
    .filter(({ native_event }) => requestedEvents.includes(native_event))
    .flatMap(({ native_event }) =>
      (getCapabilityRow(host, native_event).unreportedCalls ?? []).map(
        ({ calls, source }) => `${host.name} does not call ${native_event} for ${calls} [${source}]`,
      ),
    );

/** Plans the entries in a host's file and the removal of entries from the scope's other files. */
async function planFiles(
  target: HostFile,
  subscriptions: readonly Subscription[],
  { options, order, context }: InstallRequest,
): Promise<Pick<HostPlan, "files" | "problems" | "notes">> {
  const { host, setup } = target;
  const [files, problems, notes]: [FilePlan[], PlanProblem[], string[]] = [[], [], []];
  const check = await host.loadDoctor();
  const targets = listEventTargets(target, listScopeFiles(setup, context, options.scope), subscriptions);
  for (const file of targets) {
    const hostFile = { host, setup, file };
    const desired = planEntries(host, setup, selectSubscriptionsForFile(file, subscriptions), order);
    try {
      const plan = planFile(hostFile, check, context, (subject, editor, traces) => {
        if (desired.length > 0) writeSettings(editor, setup.listSettings(order), traces);
        writeEntries(subject, editor, desired, { drop: options.events.length === 0, traces });
      });
      files.push(plan, ...(desired.length > 0 ? planCompanions(hostFile, context, "put") : []));
      notes.push(...findConfigFlaws(check, file, { text: plan.after }).map(({ line }) => line));
    } catch (error) {
      // If the entries can't be written, leave the host's other files unchanged.
      return { files: [], problems: splitProblems(hostFile, error as Error), notes };
    }
  }
  // Keep only one entry per event: remove duplicates in the scope's other files.
  for (const file of listScopeFiles(setup, context, options.scope)) {
    if (targets.some(({ path }) => path === file.path) || !mayPathExist(file.path)) continue;
    const otherFile = { host, setup, file };
    try {
      const content = readConfigFile(file.path);
      if (!hasInstalledEntries(setup, file, context) && !mentionsBridgeHooks(content.text ?? "")) {
        const flaws = findConfigFlaws(check, file, content).filter(({ extent }) => extent === "host");
        notes.push(...flaws.map(({ line }) => line));
        continue;
      }
      const plan = planFile(otherFile, check, context, (subject, editor) =>
        removeEntries(subject, editor, listNativeEvents(host, options.events), new Set()),
      );
      files.push(removeIfEmpty(plan));
    } catch (error) {
      problems.push(...splitProblems(otherFile, error as Error));
    }
  }
  return { files, problems, notes };
}
