import { realpathSync } from "node:fs";
import { quote } from "../../core/command.ts";
import type { Host } from "../../core/host.ts";
import type { Check, ConfigFile, Finding, FoundFile, Place, Setup } from "../../core/setup.ts";
import { note, red } from "../../hosts/check.ts";
import { hosts } from "../../hosts/index.ts";
import { editorOf } from "../edit/entries.ts";
import { find, isThere } from "../files.ts";
import { mayRun } from "../ours.ts";
import { type Present, presentHosts, versionOf, type World } from "../place.ts";
import { checkShape, flawLines } from "../plan.ts";
import { driftOf, type OurEntry, ourEntries } from "../status.ts";
import { environmentFindings } from "./environment.ts";
import { programFindings } from "./program.ts";
import type { EntryReport, HostReport, Report, Trial } from "./report.ts";
import { trialsOf } from "./trial.ts";

/** A config file, and our entries with what they call. */
interface Examined {
  file: FoundFile;
  ours: OurEntry[];
}

/** Whether a denial would hold here, now, on every host. */
export async function examine(named: readonly string[], world: World, version: string): Promise<Report> {
  const present = await presentHosts(named, world.place);
  const reports = await Promise.all(present.map((one) => examineHost(one, world)));
  const findings = environmentFindings(world.place.env);
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
  return { version, healthy: all.every(({ level }) => level !== "red"), hosts: reports, findings };
}

async function examineHost({ host, setup, program }: Present, world: World): Promise<HostReport> {
  const check = await setup.check();
  const findings: Finding[] = [];
  const examined = readFiles(host, setup, check, world, findings);
  const files = examined.map(({ file }) => file);
  const place: Place = { ...world.place, env: { ...world.place.env, ...check.variables?.(files) } };
  const asked = versionOf(program, world.place.env);
  const [entries, own] = await Promise.all([
    Promise.all(examined.flatMap(({ file, ours }) => ours.map((our) => tried(host, check, our, file, place, world.self)))),
    asked.then((version) => check.examine({ place: world.place, files, version, program })),
  ]);
  const version = await asked;
  const install = `bridge-hooks install --host ${host.id}`;
  if (entries.length === 0)
    findings.push(red("not-installed", `${host.name} has no entry of bridge-hooks`, "none of its calls is guarded", install));
  findings.push(...duplicates(examined, setup), ...examined.flatMap((one) => aboutPrograms(host, one, world)), ...own);
  for (const { file, ours } of examined) {
    const on_error = ours.some(({ call }) => call.options.onError === "deny") ? "deny" : "allow";
    const broken = ours.some(({ call }) => programFindings(call.program, call.file, world.place, "").length > 0);
    const drift = ours.length > 0 && !broken ? driftOf(host, setup, file, ours, on_error, world) : [];
    const again = reinstall(host.id, file);
    findings.push(...drift.map((line) => red("drift", `${file.path}: ${line}`, "calls are not guarded as your hooks ask for", again)));
  }
  findings.push(
    ...entries.flatMap((entry) => aboutTrials(entry, reinstall(host.id, { scope: entry.scope, path: entry.file, syntax: "json" }))),
  );
  return { host: host.id, ...(version && { version }), entries, findings: unique(findings) };
}

const unique = (findings: readonly Finding[]) => [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];

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
      const ours = ourEntries(setup, file, editor.text, world);
      return [{ file: { ...file, text, document: editor.value(), ours: ours.map(({ entry }) => entry) }, ours }];
    } catch (error) {
      const { message } = error as Error;
      const what = message.includes(file.path) ? message : `${file.path}: ${message}`;
      if (!findings.some((one) => one.what.startsWith(file.path))) findings.push(red("config-unreadable", what, unread, CORRECT));
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

function aboutPrograms(host: Host, { file, ours }: Examined, { place, self }: World): Finding[] {
  const again = reinstall(host.id, file);
  return ours.flatMap(({ call, entry }) => {
    const named = call.options.host;
    const broken = programFindings(call.program, call.file, place, again);
    const foreign = !mayRun(call, file.scope, self);
    const other = self !== undefined && call.file !== undefined && call.file !== realpathSync(self);
    return [
      ...broken,
      ...(named === host.id
        ? []
        : [
            red(
              "wrong-host",
              `${file.path}: the entry at ${entry.native_event} says --host ${named}`,
              "a payload that can't be read is answered in another host's words",
              again,
            ),
          ]),
      ...(broken.length === 0 && foreign
        ? [
            red(
              "program-not-run",
              `${file.path} calls ${call.program}, which is not this executable`,
              "a project's file named it, so it was not run: whoever writes to the project may have chosen it",
              `if you trust it, run it as your own: ${quote([call.program, "doctor"], "sh")}`,
            ),
          ]
        : []),
      ...(broken.length === 0 && !foreign && other
        ? [
            note(
              "other-build",
              `${file.path} calls ${call.program}, another executable than this one`,
              "its hooks may be others, and want other events",
              `ask it: ${quote([call.program, "doctor"], "sh")}`,
            ),
          ]
        : []),
    ];
  });
}

/** What installs into this file again. */
const reinstall = (host: string, { scope }: ConfigFile): string => {
  if (scope === "system") return `take the entries out of this file by hand; bridge-hooks install --host ${host} --scope managed`;
  return `bridge-hooks install --host ${host}${scope === "user" ? "" : ` --scope ${scope}`}`;
};

/** Events that several files have an entry for: every call is answered that often. */
function duplicates(examined: readonly Examined[], { once }: Setup): Finding[] {
  const all = examined.flatMap(({ file, ours }) =>
    ours.map(({ entry }) => ({
      path: file.path,
      scope: file.scope,
      event: entry.native_event,
      line: JSON.stringify([entry.command, entry.args]),
    })),
  );
  const groups = Map.groupBy(all, ({ event }) => event);
  const doubled = [...groups].filter(([, entries]) => (once ? new Set(entries.map(({ line }) => line)).size : entries.length) > 1);
  const sets = Map.groupBy(doubled, ([, entries]) => entries.map(({ path }) => path).join(" and "));
  return [...sets].map(([paths, events]) => {
    const entries = events[0]?.[1] ?? [];
    const weakest = entries.at(-1)?.scope ?? "user";
    return red(
      "duplicate",
      `${events.map(([event]) => event).join(", ")}: entries in ${paths}`,
      `every such call is answered ${entries.length} times`,
      `bridge-hooks uninstall --scope ${weakest}, or take the entry out by hand`,
    );
  });
}

/** Slower than this, and people notice. */
const SLOW_MS = 500;

function aboutTrials({ event, file, trials }: EntryReport, install: string): Finding[] {
  const place = `${file}: ${event}`;
  const lines: Record<Trial["probe"], [string, string]> = {
    deny: ["a call that is to be denied", "a denial does not hold"],
    allow: ["a harmless call", "a hook of yours stops calls that do nothing, or the command fails"],
    garbage: ["a payload that can't be read", "a failure does not end as the entry says (--on-error deny)"],
  };
  const failed = trials.filter(({ ok }) => !ok);
  const bad = failed.map(({ probe, way, outcome, why }) => {
    const [sent, wrong] = lines[probe];
    const means = outcome === "blocked" ? "every call is blocked: the command fails, and the host was told to block then" : wrong;
    return red(
      `${probe}-probe`,
      `${place}: ${sent} ${outcome === "failed" ? "failed" : `was ${outcome}`}${way ? ` (${way})` : ""}${why ? `: ${why}` : ""}`,
      means,
      `run the command by hand with such a payload; then ${install}`,
    );
  });
  const times = trials.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return median > SLOW_MS && failed.length === 0
    ? [
        ...bad,
        note(
          "slow",
          `${place}: a call takes ${Math.round(median)} ms`,
          "people wait for it at every call",
          "look for a slow hook, or a slow login shell",
        ),
      ]
    : bad;
}
