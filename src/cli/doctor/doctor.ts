import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { Host } from "../../core/host.ts";
import type { Check, Finding, FoundFile, Place, Setup } from "../../core/setup.ts";
import { hosts } from "../../hosts/index.ts";
import { editorOf } from "../edit/entries.ts";
import { find } from "../files.ts";
import { type Present, presentHosts, versionOf, type World } from "../place.ts";
import { flawLines } from "../plan.ts";
import { driftOf, type OurEntry, ourEntries } from "../status.ts";
import { environmentFindings } from "./environment.ts";
import { programFindings } from "./program.ts";
import type { EntryReport, HostReport, Report, Trial } from "./report.ts";
import { trialsOf } from "./trial.ts";

const finding =
  (level: Finding["level"]) =>
  (check: string, what: string, means: string, mend: string): Finding => ({ check, level, what, means, mend });
const red = finding("red");
const note = finding("note");

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
    Promise.all(examined.flatMap(({ file, ours }) => ours.map((our) => tried(host, check, our, file, place)))),
    asked.then((version) => check.examine({ place: world.place, files, version, program })),
  ]);
  const version = await asked;
  const install = `bridge-hooks install --host ${host.id}`;
  if (entries.length === 0)
    findings.push(red("not-installed", `${host.name} has no entry of bridge-hooks`, "none of its calls is guarded", install));
  findings.push(...duplicates(examined), ...examined.flatMap((one) => aboutPrograms(host, one, world)), ...own);
  for (const { file, ours } of examined) {
    const on_error = ours.some(({ call }) => call.options.onError === "deny") ? "deny" : "allow";
    const drift = ours.length > 0 ? driftOf(host, setup, file, ours, on_error, world) : [];
    const again = `${install}${file.scope === "user" ? "" : ` --scope ${file.scope}`}`;
    findings.push(
      ...drift
        .filter((line) => !line.startsWith("there is no executable"))
        .map((line) => red("drift", `${file.path}: ${line}`, "calls are not guarded as your hooks ask for", again)),
    );
  }
  findings.push(...entries.flatMap((entry) => aboutTrials(entry, install)));
  return { host: host.id, ...(version && { version }), entries, findings: unique(findings) };
}

const unique = (findings: readonly Finding[]) => [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];

function readFiles(host: Host, setup: Setup, check: Check, world: World, findings: Finding[]): Examined[] {
  return setup.configs(world.place).flatMap((file) => {
    if (!existsSync(file.path)) return [];
    try {
      const found = find(file.path);
      const text = found.text ?? "";
      const flaws = text.trim() === "" ? [] : flawLines(check, file, found);
      const means = `${host.name} may read nothing of this file, without a word`;
      for (const line of flaws) findings.push(red("config-flaw", line, means, "mend it there"));
      const ours = ourEntries(setup, file, text.trim() === "" ? editorOf(file, "").text : text, world);
      return [{ file: { ...file, text, document: editorOf(file, text).value(), ours: ours.map(({ entry }) => entry) }, ours }];
    } catch (error) {
      if (!findings.some(({ what }) => what.startsWith(file.path))) {
        findings.push(
          red("config-unreadable", `${file.path}: ${(error as Error).message}`, `${host.name} can't read it either`, "mend it there"),
        );
      }
      return [];
    }
  });
}

/** An executable that the repository itself brings. */
const isInProject = ({ call }: OurEntry, { roots }: Place) =>
  roots.some((root) => call.file !== undefined && !/^(\.\.|\/|[A-Z]:)/i.test(relative(root, call.file)));

async function tried(host: Host, check: Check, our: OurEntry, file: FoundFile, place: Place): Promise<EntryReport> {
  const { entry, call } = our;
  const { native_event, matcher, command, args = [] } = entry;
  // What a repository brings is not run for looking at it.
  const trials = call.file === undefined || isInProject(our, place) ? [] : await trialsOf(host, check, our, file, place);
  return {
    scope: file.scope,
    file: file.path,
    event: native_event,
    ...(matcher && { matcher }),
    command: [command, ...args].join(" "),
    trials,
  };
}

function aboutPrograms(host: Host, { file, ours }: Examined, world: World): Finding[] {
  const reinstall = `bridge-hooks install --host ${host.id}${file.scope === "user" ? "" : ` --scope ${file.scope}`}`;
  return ours.flatMap((our) => {
    const { call, entry } = our;
    const named = call.options.host;
    return [
      ...programFindings(call.program, call.file, world.place, reinstall),
      ...(named !== undefined && named !== host.id
        ? [
            red(
              "wrong-host",
              `${file.path}: the entry at ${entry.native_event} says --host ${named}`,
              `a payload that can't be read is answered in another host's words`,
              reinstall,
            ),
          ]
        : []),
      ...(isInProject(our, world.place)
        ? [
            red(
              "program-in-project",
              `${file.path} calls ${call.program}, which lies in the project`,
              "whoever can write to the project can put anything in its place; it was not run",
              "put the executable where no project can change it, and install again",
            ),
          ]
        : []),
    ];
  });
}

/** Events that several files have an entry for: every call is answered that often. */
function duplicates(examined: readonly Examined[]): Finding[] {
  const all = examined.flatMap(({ file, ours }) =>
    ours.map(({ entry }) => ({ path: file.path, scope: file.scope, event: entry.native_event })),
  );
  const groups = Map.groupBy(all, ({ event }) => event);
  const doubled = [...groups].filter(([, entries]) => entries.length > 1);
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

function aboutTrials({ event, file, trials, scope }: EntryReport, install: string): Finding[] {
  const place = `${file}: ${event}`;
  const lines: Record<Trial["probe"], [string, string]> = {
    deny: ["a call that is to be denied", "a denial does not hold"],
    allow: ["a harmless call", "a hook of yours stops calls that do nothing, or the command fails"],
    garbage: ["a payload that can't be read", "a failure does not end as the entry says (--on-error deny)"],
  };
  const failed = trials.filter(({ ok }) => !ok);
  const bad = failed.map(({ probe, way, outcome, why }) => {
    const [sent, means] = lines[probe];
    return red(
      `${probe}-probe`,
      `${place}: ${sent} ${outcome === "failed" ? "failed" : `was ${outcome}`}${way ? ` (${way})` : ""}${why ? `: ${why}` : ""}`,
      means,
      `run the command by hand with such a payload; then ${install}${scope === "user" ? "" : ` --scope ${scope}`}`,
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
