import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { FailurePolicy } from "../core/hook.ts";
import type { Host } from "../core/host.ts";
import type { ConfigFile, Scope, Setup, Subscription } from "../core/setup.ts";
import { hosts } from "../hosts/index.ts";
import { putEntries, putSettings, removeEntries } from "./edit/entries.ts";
import { backUp, find, missingFolders, replace } from "./files.ts";
import { programFile } from "./ours.ts";
import { presentHosts, stablePath, type World } from "./place.ts";
import { changesFile, type FilePlan, hindrances, planOf, type Problem, subjectOf } from "./plan.ts";
import { digest, keepReceipt } from "./state.ts";
import { checkEvents, desiredOf, nativesOf, type Order, subscriptionsFor } from "./wanted.ts";

export interface InstallOptions {
  /** Host ids; none, or "auto": those on the machine. */
  hosts: readonly string[];
  scope: Scope;
  /** Native or unified events, or "all"; none: those that the hooks subscribe to. */
  events: readonly string[];
  /** The executable that entries name; absent: this one. */
  bin?: string;
  on_error: FailurePolicy;
}

/** All that an installation would do. */
export interface InstallPlan {
  files: readonly FilePlan[];
  /** With one of these nothing is written at all. */
  problems: readonly Problem[];
  /** What people should know. */
  notes: readonly string[];
  /** What is left for them to do. */
  by_hand: readonly string[];
}

/** The path that entries are to name. @throws Error when there is no such executable, or it is another one than this. */
function executable({ bin }: InstallOptions, { place, self }: World): string {
  if (bin === undefined) {
    if (!self) throw new Error("this is a run from source; build the executable, or name one with --bin PATH");
    return stablePath(self, place.env);
  }
  const path = /[\\/]/.test(bin) && !isAbsolute(bin) ? resolve(bin) : bin;
  // In an image that is being built, or here.
  if (!programFile((place.system ?? "") + path, place) && !programFile(path, place))
    throw new Error(`--bin ${bin}: there is no such executable${isAbsolute(path) ? "" : " on PATH"}`);
  return path;
}

interface Target {
  host: Host;
  setup: Setup;
  file: ConfigFile;
}

/** The files of a scope: the one that is written, and others that may hold entries of ours. */
const filesOf = (setup: Setup, { place }: World, scope: Scope) => setup.configs(place).filter((file) => file.scope === scope);

/** Plans an installation; writes nothing. */
export async function planInstall(options: InstallOptions, world: World): Promise<InstallPlan> {
  checkEvents(options.events);
  const present = await presentHosts(options.hosts, world.place);
  if (present.length === 0) throw new Error(`no host was found here; name one: --host ${hosts.map(({ id }) => id).join(", --host ")}`);
  const order: Order = {
    program: executable(options, world),
    on_error: options.on_error,
    scope: options.scope,
    platform: world.place.platform,
  };
  const files: FilePlan[] = [];
  const problems: Problem[] = [];
  const notes: string[] = [];
  const by_hand: string[] = [];
  for (const { host, setup } of present) {
    const [target] = filesOf(setup, world, options.scope).filter((file) => file.target);
    if (!target) {
      const known = [...new Set(setup.configs(world.place).flatMap(({ target, scope }) => (target ? [scope] : [])))];
      notes.push(`${host.name} has no scope "${options.scope}" (it has ${known.join(", ")}): nothing is installed for it there`);
      if (options.hosts.includes(host.id)) problems.push({ host: host.id, file: "", message: notes.pop() as string });
      continue;
    }
    const subscriptions = subscriptionsFor(host, setup, world.entries, options.events);
    if (subscriptions.length === 0) notes.push(`${host.name} has no event that the hooks ask for`);
    const planned = await planHost({ host, setup, file: target }, subscriptions, order, options, world, problems);
    files.push(...planned);
    if (planned.some(changesFile)) by_hand.push(...setup.by_hand(options.scope));
  }
  notes.push(...(await readers(files, present, world)));
  return { files, problems, notes, by_hand };
}

async function planHost(
  target: Target,
  subscriptions: readonly Subscription[],
  order: Order,
  options: InstallOptions,
  world: World,
  problems: Problem[],
): Promise<FilePlan[]> {
  const { host, setup } = target;
  const desired = desiredOf(host, setup, subscriptions, order);
  const plans: FilePlan[] = [];
  for (const file of filesOf(setup, world, options.scope)) {
    try {
      if (file.path !== target.file.path && !holdsOurs(setup, file, world)) continue;
      const lines = await hindrances(setup, file, find(file.path));
      problems.push(...lines.map((message) => ({ host: host.id, file: file.path, message })));
      if (lines.length > 0) continue;
      const plan = planOf(host, setup, file, world, (subject, editor, made) => {
        // One entry per event: those in the scope's other files give way.
        if (file.path !== target.file.path) return void removeEntries(subject, editor, nativesOf(host, options.events), new Set());
        if (desired.length > 0) putSettings(subject, editor, order, made);
        putEntries(subject, editor, desired, { drop: options.events.length === 0, made });
      });
      plans.push(plan);
    } catch (error) {
      problems.push({ host: host.id, file: file.path, message: (error as Error).message });
    }
  }
  return plans;
}

/** Whether another file of the scope has entries of ours; one that does not parse has none that count. */
function holdsOurs(setup: Setup, file: ConfigFile, world: World): boolean {
  if (!existsSync(file.path)) return false;
  try {
    return setup.entries(find(file.path).text ?? "", file.path).some(subjectOf(setup, file, world).isOurs);
  } catch {
    return false;
  }
}

/** Which other hosts read a file that entries are written to. */
async function readers(files: readonly FilePlan[], present: readonly { host: Host }[], { place }: World): Promise<string[]> {
  const lines: string[] = [];
  for (const reader of hosts) {
    const imported = (await reader.setup()).imports?.(place) ?? [];
    const own = present.some(({ host }) => host.id === reader.id);
    for (const { host, file } of files) {
      if (host.id === reader.id || !imported.includes(file.path)) continue;
      lines.push(
        own
          ? `${reader.name} reads ${file.path} too: its own entries answer it, those of ${host.name} stand down there`
          : `${reader.name} reads ${file.path} too: there the entries of ${host.name} answer in ${reader.name}'s format. For entries of its own: --host ${reader.id}`,
      );
    }
  }
  return lines;
}

/** Carries a plan out, one file after the other. @throws Error when a file is not as it was planned with. */
export function carryOut(plan: InstallPlan, options: InstallOptions, world: World): void {
  for (const one of plan.files) if (one.after !== undefined && changesFile(one)) writePlan(one, one.after, options, world);
}

function writePlan(plan: FilePlan, after: string, options: InstallOptions, world: World): void {
  const { found, file, host, receipt, made } = plan;
  // Entries of ours that were there before: what the file was without them, only a receipt knows.
  const held = plan.changes.some(({ change }) => change !== "add");
  const created = found.text === undefined;
  const folders = missingFolders(file.path);
  const backup = created || (receipt && held) ? undefined : backUp(found);
  replace(file.path, found, after);
  const untouched = receipt?.after === digest(found.text ?? "");
  const before = held
    ? { created: false, folders: [], made: [], ...receipt, backup: untouched ? receipt?.backup : undefined }
    : { created, folders, made: [], backup };
  keepReceipt(world.place.env, {
    path: file.path,
    host: host.id,
    scope: options.scope,
    program: executable(options, world),
    created: before.created,
    folders: before.folders,
    made: [...new Set([...before.made, ...made])],
    after: digest(after),
    backup: before.backup,
  });
}
