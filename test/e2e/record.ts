import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CapabilityCells,
  type Evidence,
  evidenceKey,
  CAPABILITY_FIELDS,
  pickCell,
  type Support,
} from "../../src/protocol/capability.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import type { HostCase, HostDriver } from "./driver.ts";
import { drivers } from "./drivers.ts";
import type { Release } from "./releases.ts";
import type { ReleaseReport } from "./report.ts";
import { writeRunFile, type HostRun } from "./run.ts";

const HOSTS = join(import.meta.dir, "../../src/hosts");
const RECORDINGS = join(import.meta.dir, "../hosts");
const getToday = () => new Date().toISOString().slice(0, 10);

type HostEvidence = Record<string, Record<string, Evidence>>;

/** Returns the support the table promises in the cell a case proves; undefined if the case doesn't prove one. */
export function getSupport({ host, says }: HostDriver, { cell }: HostCase): Support | undefined {
  const row = cell && host.capabilities[cell.native_event]?.();
  return row && pickCell(row[cell.field] as CapabilityCells<Support>, says).support;
}

/** Writes the results of passed cases to the hosts' evidence. The newest release's results win. */
export function recordEvidence(reports: readonly ReleaseReport[]): void {
  for (const driver of drivers) {
    const { host, versions } = driver;
    const file = join(HOSTS, host.id, "evidence.json");
    const table: HostEvidence = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    for (const { version: run, passed, failures } of reports.filter((report) => report.host === host.id)) {
      const version = versions ? versions.find((named) => named.endsWith(` ${run}`)) : run;
      if (!version) continue;
      for (const { one } of failures) {
        const { native_event = "", field = "deny", versions: range } = one.cell ?? {};
        delete table[native_event]?.[evidenceKey(field, range)];
      }
      for (const one of passed) {
        const { name, cell } = one;
        const support = getSupport(driver, one);
        if (!cell || !support) continue;
        const events = (table[cell.native_event] ??= {});
        events[evidenceKey(cell.field, cell.versions)] = { version, date: getToday(), test: name, support };
      }
    }
    writeFileSync(file, formatEvidence(host, table));
    spawnSync(process.execPath, ["fmt", file]);
  }
}

/** Formats one cell per line, in the table's order, so that each change is a one-line diff. */
function formatEvidence(host: Host, table: HostEvidence): string {
  const quoted = ({ version, date, test, support }: Evidence) =>
    Object.entries({ version, date, test, support })
      .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(", ");
  const events = Object.keys(host.capabilities).flatMap((event) => {
    const fields = Object.entries(table[event] ?? {}).sort(([a], [b]) => getFieldOrder(a) - getFieldOrder(b));
    const lines = fields.map(([key, evidence]) => `    ${JSON.stringify(key)}: { ${quoted(evidence)} }`);
    return lines.length > 0 ? [`  ${JSON.stringify(event)}: {\n${lines.join(",\n")}\n  }`] : [];
  });
  return events.length > 0 ? `{\n${events.join(",\n")}\n}\n` : "{}\n";
}

const getFieldOrder = (key: string) => CAPABILITY_FIELDS.findIndex((field) => field === key.split(" ")[0]);

/**
 * Saves one payload and its decoded form for every event and tool missing from this release's recordings. Both need to
 * be reviewed.
 */
export function recordPayloads({ host }: HostDriver, { version }: Release, { place, calls }: HostRun): void {
  const recordings = join(RECORDINGS, host.id, "recordings");
  const [known = ""] = readdirSync(recordings).sort();
  const folder = join(recordings, known.replace(/[^-]+$/, version));
  const kindOf = (payload: Payload) =>
    [host.getEventName(payload), payload.tool_name ?? payload.toolName].filter(Boolean).join("-").replaceAll(":", "-");
  const have = new Set(existsSync(folder) ? readPayloads(folder).map(kindOf) : []);
  for (const { payload } of calls) {
    const kind = kindOf(payload);
    if (have.has(kind)) continue;
    have.add(kind);
    const clean = redactPaths(payload, place);
    writeRunFile(join(folder, `${kind}.json`), `${JSON.stringify(clean)}\n`);
    const { event } = host.decodePayload(
      omitNulls(clean),
      host.getEventName(clean),
      getCapabilityRow(host, host.getEventName(clean)),
    );
    const { tool = "-", input } = event as { tool?: string; input?: unknown };
    appendFileSync(
      join(folder, "expected.tsv"),
      `${[kind, event.event, tool, input === undefined ? "-" : JSON.stringify(input)].join("\t")}\n`,
    );
  }
}

const readPayloads = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Payload);

/** Replaces paths specific to this machine. */
function redactPaths(payload: Payload, { project, home, run }: HostRun["place"]): Payload {
  const dashed = (path: string) => path.replace(/[^a-zA-Z0-9]/g, "-");
  const places: [string, string][] = [
    [project, "/home/dev/app"],
    [dashed(project), "-home-dev-app"],
    [encodeURIComponent(project), "%2Fhome%2Fdev%2Fapp"],
    [home, "/home/dev"],
    [run, "/tmp/run"],
  ];
  return JSON.parse(places.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(payload))) as Payload;
}
