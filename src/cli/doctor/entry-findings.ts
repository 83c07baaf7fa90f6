import { quoteCommand } from "../../protocol/host/quote.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { Finding, LoadedConfigFile, Setup } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { hosts } from "../../hosts/index.ts";
import { type EntryCommand, isOtherExecutable, mayRunProgram } from "../../operate/machine/entry-command.ts";
import { checkEntryTime } from "../../operate/machine/hook-times.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
import { getFailurePolicy, formatReinstallCommand } from "../../operate/machine/status.ts";
import type { InstalledFile } from "../../operate/machine/plan.ts";
import { checkProgram, checkProgramLocation } from "../../operate/machine/program.ts";
import type { EntryReport, Trial } from "./report.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** A config file with its bridge-hooks entries and their commands. */
export interface ExaminedFile extends InstalledFile {
  file: LoadedConfigFile;
}

const isKnownHost = (id: string | undefined) => hosts.some((host) => host.id === id);

/** Checks the executables that a file's entries call. */
export function checkEntryPrograms(
  host: Host,
  { file, installedEntries }: ExaminedFile,
  { machine, self }: InstallContext,
): Finding[] {
  const reinstallCommand = formatReinstallCommand(host.id, file, getFailurePolicy(installedEntries));
  return installedEntries.flatMap(({ call, entry }) => {
    const hostOption = call.options.host;
    const programFindings = checkProgram(call.program, call.file, machine, reinstallCommand);
    const isForeign = isOtherExecutable(call, self) || !mayRunProgram(call, file, self);
    const otherExecutableFindings =
      programFindings.length === 0 && isForeign ? [reportOtherProgram(file, call, reinstallCommand, self)] : [];
    return [
      ...programFindings,
      ...checkProgramLocation(call.file, machine),
      ...(hostOption === host.id
        ? []
        : [
            createRedFinding(
              "wrong-host",
              `${file.path}: the ${entry.native_event} entry has --host ${hostOption}`,
              isKnownHost(hostOption)
                ? "an invalid payload is answered in another host's format"
                : "the host is unknown, so every call is denied",
              reinstallCommand,
            ),
          ]),
      ...otherExecutableFindings,
    ];
  });
}

/**
 * Compares the time limits of this executable's entries with the host's own limits and the time that the hooks request.
 */
export const checkEntryTimes = (
  { host, setup }: { host: Host; setup: Setup },
  { file, installedEntries }: ExaminedFile,
  { entries, self }: InstallContext,
): Finding[] =>
  installedEntries.flatMap(({ call, entry }) =>
    checkEntryTime(
      { host, setup, entries: isOtherExecutable(call, self) ? [] : entries },
      { file: file.path, entry, options: call.options },
      formatReinstallCommand(host.id, file, getFailurePolicy(installedEntries)),
    ),
  );

/** Reports entries that call a different executable. */
function reportOtherProgram(
  file: LoadedConfigFile,
  call: EntryCommand,
  reinstallCommand: string,
  self: string | undefined,
): Finding {
  const summary =
    call.wrapped === "with variables" && !isOtherExecutable(call, self)
      ? `${file.path} sets variables for ${call.program}`
      : `${file.path} calls ${call.program}, not this executable (${self ?? "run from source"})`;
  const ask = quoteCommand([call.file ?? call.program, "doctor"], "sh");
  const replaceAdvice = `to replace these entries with this executable's own: ${reinstallCommand}`;
  return mayRunProgram(call, file, self)
    ? createNote(
        "other-build",
        summary,
        "that executable's hooks apply instead",
        `${replaceAdvice}; to check that executable: ${ask}`,
      )
    : createRedFinding(
        "program-not-run",
        summary,
        file.plugin
          ? "the executable was not run, because a project may have enabled this plugin"
          : "the executable was not run, because anyone with write access to the project may have changed this file",
        `${replaceAdvice}; if you trust that executable, run: ${ask}`,
      );
}

/** Finds events with entries in multiple files, so that each call is answered multiple times. */
export function findDuplicateEntries(
  host: Host,
  examinedFiles: readonly ExaminedFile[],
  { isDeduplicated }: Setup,
): Finding[] {
  const entryKeys = examinedFiles.flatMap(({ file, installedEntries }) =>
    installedEntries.map(({ entry, call }) => ({
      path: file.path,
      scope: file.scope,
      plugin: file.plugin,
      event: entry.native_event,
      line: JSON.stringify([entry.command, entry.args]),
      yields: call.options.from !== undefined,
    })),
  );
  const runsRepeatedly = (entries: typeof entryKeys) => {
    const countedEntries = entries.some(({ yields }) => !yields) ? entries.filter(({ yields }) => !yields) : entries;
    // Hosts run the entries of every plugin, even if two plugins use the same command.
    const runs = new Set(
      countedEntries.map(({ line, plugin, path }) => (isDeduplicated && !plugin ? line : `${line} ${path}`)),
    );
    return (isDeduplicated ? runs.size : countedEntries.length) > 1;
  };
  const duplicateEvents = [...Map.groupBy(entryKeys, ({ event }) => event)].filter(([, entries]) =>
    runsRepeatedly(entries),
  );
  const sets = Map.groupBy(duplicateEvents, ([, entries]) => entries.map(({ path }) => path).join(" and "));
  return [...sets].map(([paths, events]) => {
    const entries = events[0]?.[1] ?? [];
    const summary = `${events.map(([event]) => event).join(", ")}: entries in ${paths}`;
    const plugins = new Map(entries.flatMap(({ plugin }) => (plugin ? [[plugin.id, plugin.removal]] : [])));
    if (entries.every(({ plugin }) => plugin))
      return createNote(
        "duplicate",
        summary,
        `denials take effect, but each plugin runs the hooks, so these calls are answered and logged ${entries.length} times`,
        `keep one of the plugins: ${[...plugins.values()].at(-1)}`,
      );
    const spareScope = entries.findLast(({ scope }) => scope !== "system")?.scope ?? "user";
    return createRedFinding(
      "duplicate",
      summary,
      `each of these calls gets ${entries.length} answers`,
      `${getOwnCommand()} uninstall --host ${host.id} --scope ${spareScope}, or remove an entry manually`,
    );
  });
}

/** The delay in milliseconds at which users start to notice. */
const SLOW_MS = 500;

/**
 * Converts the trials of a host's entries to findings. Harmless calls that fail because of a config file are reported
 * together.
 * @param locations the config files, with positions, that make hooks fail; other findings report their errors
 */
export function checkHostTrials(
  host: Host,
  entries: readonly EntryReport[],
  examinedFiles: readonly ExaminedFile[],
  locations: readonly string[],
): Finding[] {
  const findCause = ({ probe, ok, why = "" }: Trial) =>
    probe === "allow" && !ok
      ? locations.find((location) => [location, JSON.stringify(location).slice(1, -1)].some((one) => why.includes(one)))
      : undefined;
  const consequences = entries.flatMap(({ event, file, trials }) =>
    [...new Set(trials.flatMap((trial) => findCause(trial) ?? []))].map((location) => ({ event, file, location })),
  );
  const groups = Map.groupBy(consequences, ({ file, location }) => JSON.stringify([file, location]));
  return [
    ...[...groups.values()].map((group) => {
      const [{ file, location } = { file: "", location: "" }] = group;
      return createRedFinding(
        "allow-probe",
        `${file}: ${[...new Set(group.map(({ event }) => event))].join(", ")}: harmless calls fail, because of an error at ${location}`,
        "hooks fail on every call, so harmless calls are blocked",
        `correct ${location}, then run: ${getOwnCommand()} doctor`,
      );
    }),
    ...entries.flatMap((entry) => {
      const { file = { scope: entry.scope }, installedEntries = [] } =
        examinedFiles.find((examinedFile) => examinedFile.file.path === entry.file) ?? {};
      const trials = entry.trials.filter((trial) => findCause(trial) === undefined);
      return checkTrials(
        { ...entry, trials },
        formatReinstallCommand(host.id, file, getFailurePolicy(installedEntries)),
      );
    }),
  ];
}

/** Converts an entry's trials to findings. */
function checkTrials({ event, file, trials }: EntryReport, install: string): Finding[] {
  const subject = `${file}: ${event}`;
  const lines: Record<Trial["probe"], [string, string]> = {
    deny: ["a call that must be denied", "denials have no effect"],
    allow: ["a harmless call", "one of your hooks blocks harmless calls or fails, or the command fails"],
    garbage: ["an invalid payload", "failures don't block, although the entry has --on-error deny"],
  };
  const failedTrials = trials.filter(({ ok }) => !ok);
  const failureFindings = failedTrials.map(({ probe, way, outcome, why }) => {
    const [sent, wrong] = lines[probe];
    const impact =
      outcome === "blocked"
        ? "every call is blocked, because the command fails and the entry makes the host block failed calls"
        : wrong;
    return createRedFinding(
      `${probe}-probe`,
      `${subject}: ${sent} ${outcome === "failed" ? "failed" : `was ${outcome}`}${way ? ` (${way})` : ""}${why ? `: ${why}` : ""}`,
      impact,
      probe === "allow"
        ? `check the output and ${getOwnCommand()} list for errors in hooks and settings; otherwise run the command manually, then run: ${install}`
        : `run the command manually with ${sent}, then run: ${install}`,
    );
  });
  const times = trials.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return median > SLOW_MS && failedTrials.length === 0
    ? [
        ...failureFindings,
        createNote(
          "slow",
          `${subject}: a call takes ${Math.round(median)} ms`,
          "every call takes that long",
          "check for a slow hook or a slow login shell",
        ),
      ]
    : failureFindings;
}

export const removeDuplicateFindings = (findings: readonly Finding[]) => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
];
