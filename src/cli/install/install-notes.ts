import type { HookDescriptor } from "../../protocol/hook.ts";
import { type Host, isBasedOnRun } from "../../protocol/host/host.ts";
import type { LoadedConfigFile, Setup } from "../../protocol/host/install.ts";
import type { Tool } from "../../protocol/tool.ts";
import { isInProject } from "../../hosts/follow-links.ts";
import { createEditor, readEntries } from "../../operate/machine/edit/entries.ts";
import { readConfigFile } from "../../operate/machine/files.ts";
import { resolveProgram } from "../../operate/machine/entry-command.ts";
import { findPresentHosts, type InstallContext, type PresentHost } from "../../operate/machine/install-context.ts";
import type { FilePlan } from "../../operate/machine/plan.ts";
import { hasInstalledEntries, readInstalledEntries } from "../../operate/machine/status.ts";
import type { InstalledEntry } from "../../operate/machine/plan.ts";

/** Finds hooks for tools that a host always reports under other names. */
export function findUncalledHooks({ name }: Host, { tools }: Setup, entries: readonly HookDescriptor[]): string[] {
  const isReported = (tool: Tool) => tool === "MCP" || tool === "Other" || tools[tool] !== undefined;
  return entries.flatMap((hook) => {
    const requestedTools = hook.tools ?? [];
    if (requestedTools.includes("Write") && !requestedTools.includes("Edit") && !isReported("Write"))
      return [
        `${name} reports new files as Edit, so the hook "${hook.name}" isn't called for them; add Edit to its tools`,
      ];
    return requestedTools.length === 0 || requestedTools.some(isReported)
      ? []
      : [`${name} has no tool ${requestedTools.join(" or ")}, so the hook "${hook.name}" isn't called there`];
  });
}

/** Collects notes that users should see before confirming an installation. */
export async function collectInstallNotes(
  files: readonly FilePlan[],
  presentHosts: readonly PresentHost[],
  program: string,
  context: InstallContext,
): Promise<string[]> {
  const { machine, self } = context;
  const changedSettings = files.flatMap(({ file, traces }) =>
    [...traces.was].map(([path, before]) => {
      const name = (JSON.parse(path) as string[]).join(".");
      return `${file.path}: ${name} was ${before}, which stops hooks from running; uninstall restores it`;
    }),
  );
  // A bare name is looked up on PATH.
  const path = /[\\/]/.test(program) ? program : resolveProgram(program, machine);
  const isInside = path !== undefined && isInProject(machine, path);
  const isOtherProgram = self !== undefined && resolveProgram(program, machine) !== resolveProgram(self, machine);
  return [
    ...(await noteUntestedHosts(files)),
    ...listPlugins(presentHosts, context),
    ...(await listImportingHosts(files, presentHosts, context)),
    ...(await findDisablingSettings(files, presentHosts, context)),
    ...changedSettings,
    ...listReplacedPrograms(files, program, context),
    ...(isInside ? [`${program} is inside the project, where anyone with write access can replace it`] : []),
    ...(isOtherProgram
      ? [
          `${program} is another executable; to cover the events of its hooks, run that executable's own install command`,
        ]
      : []),
  ];
}

/** Creates a note for each host that was never tested with a real run. */
async function noteUntestedHosts(files: readonly FilePlan[]): Promise<string[]> {
  const results = await Promise.all(
    [...new Set(files.map(({ host }) => host))].map(async (host) => ({ host, run: await isBasedOnRun(host) })),
  );
  return results
    .filter(({ run }) => !run)
    .map(
      ({ host: { name } }) =>
        `${name} has never been tested with bridge-hooks; these entries are based on documentation only`,
    );
}

/** Lists executables whose entries the installation replaces. */
function listReplacedPrograms(files: readonly FilePlan[], program: string, context: InstallContext): string[] {
  const resolvedProgram = resolveProgram(program, context.machine);
  const changedPlans = files.filter(({ changes }) =>
    changes.some(({ change }) => change === "change" || change === "remove"),
  );
  const replacements = changedPlans.flatMap(({ setup, file, snapshot, after = "" }) => {
    const [before, then] = [snapshot.text ?? "", after].map((text) =>
      readInstalledEntries(setup, file, text, context),
    ) as [InstalledEntry[], InstalledEntry[]];
    const isKept = ({ entry, call }: InstalledEntry) =>
      then.some(
        (plannedEntry) =>
          plannedEntry.entry.native_event === entry.native_event && plannedEntry.call.file === call.file,
      );
    return before
      .filter(
        (ourEntry) => ourEntry.call.file !== undefined && ourEntry.call.file !== resolvedProgram && !isKept(ourEntry),
      )
      .map(({ call }) => [file.path, call.program]);
  });
  return [...Map.groupBy(replacements, ([, other]) => other)].map(([other, where]) => {
    const paths = [...new Set(where.map(([path]) => path))].join(", ");
    return `${program} replaces ${other} in ${paths}; the hooks of the replaced executable no longer apply there`;
  });
}

/** Lists plugins that already call this executable. */
const listPlugins = (presentHosts: readonly PresentHost[], context: InstallContext): string[] =>
  presentHosts.flatMap(({ host, setup }) => {
    const files = setup.listConfigFiles(context.machine).filter((file) => file.plugin);
    const ids = files.filter((file) => hasInstalledEntries(setup, file, context)).map(({ plugin }) => plugin?.id);
    return [...new Set(ids)].map(
      (id) =>
        `${host.name}: the plugin ${id} already calls this executable; with the new entries, the plugin's entries are ignored`,
    );
  });

/** Lists other hosts on this machine that read a file with new entries. */
async function listImportingHosts(
  files: readonly FilePlan[],
  presentHosts: readonly { host: Host }[],
  { machine }: InstallContext,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { host: reader, setup } of await findPresentHosts([], machine)) {
    const importedFiles = setup.listImportedFiles?.(machine) ?? [];
    const hasOwnEntries = presentHosts.some(({ host }) => host.id === reader.id);
    for (const { host, file } of files) {
      if (host.id === reader.id || !importedFiles.includes(file.path)) continue;
      lines.push(
        hasOwnEntries
          ? `${reader.name} also reads ${file.path}; ${reader.name}'s own entries answer there, and ${host.name}'s entries are ignored`
          : `${reader.name} also reads ${file.path}, and ${host.name}'s entries answer in ${reader.name}'s format; for separate entries: --host ${reader.id}`,
      );
    }
  }
  return lines;
}

/** Findings about the user's own settings, which only `doctor` reports. */
const DOCTOR_ONLY_CHECKS = ["untrusted", "trust-unknown", "entry-not-listed", "entry-disabled", "old-row"];

/** Finds settings that stop a host from calling the planned entries. */
async function findDisablingSettings(
  files: readonly FilePlan[],
  presentHosts: readonly PresentHost[],
  { machine }: InstallContext,
): Promise<string[]> {
  const findingLists = presentHosts.map(async ({ host, setup }) => {
    const { examineConfig } = await host.loadDoctor();
    const hostPlans = files.filter((plan) => plan.host.id === host.id);
    if (hostPlans.length === 0) return [];
    const loadedFiles = setup.listConfigFiles(machine).flatMap((file): LoadedConfigFile[] => {
      const plan = hostPlans.find((candidate) => candidate.file.path === file.path);
      try {
        const text = plan?.after ?? readConfigFile(file.path).text;
        if (text === undefined) return [];
        return [
          {
            ...file,
            text,
            document: createEditor(file, text).value(),
            ownEntries: plan ? readEntries(setup, text, file.path) : [],
          },
        ];
      } catch {
        return [];
      }
    });
    const findings = await examineConfig({ machine: machine, files: loadedFiles });
    return findings
      .filter(({ level, check }) => level === "red" && !DOCTOR_ONLY_CHECKS.includes(check))
      .map(({ what, impact }) => `${what}: ${impact}`);
  });
  return (await Promise.all(findingLists)).flat();
}
