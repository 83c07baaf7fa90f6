import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Cells, type Evidence, evidenceKey, FIELDS, pick, type Support } from "../../src/protocol/capability.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import { withoutNulls } from "../../src/hosts/wire.ts";
import type { Driver } from "./driver.ts";
import { drivers } from "./drivers.ts";
import type { Release } from "./releases.ts";
import type { HostReport } from "./report.ts";
import { put, type Run } from "./run.ts";

const HOSTS = join(import.meta.dir, "../../src/hosts");
const RECORDINGS = join(import.meta.dir, "../hosts");
const today = () => new Date().toISOString().slice(0, 10);

type Table = Record<string, Record<string, Evidence>>;

/** Writes what the passed cases showed into the hosts' evidence; the newest release's word counts. */
export function recordEvidence(reports: readonly HostReport[]): void {
  for (const { host, says, versions } of drivers) {
    const file = join(HOSTS, host.id, "evidence.json");
    const table: Table = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    for (const { version: run, passed, failures } of reports.filter((report) => report.host === host.id)) {
      const version = versions ? versions.find((named) => named.endsWith(` ${run}`)) : run;
      if (!version) continue;
      for (const { one } of failures) {
        const { native_event = "", field = "deny", versions: range } = one.cell ?? {};
        delete table[native_event]?.[evidenceKey(field, range)];
      }
      for (const { name, cell } of passed) {
        const row = cell && host.capabilities[cell.native_event]?.();
        if (!row) continue;
        const { support } = pick(row[cell.field] as Cells<Support>, says);
        const events = (table[cell.native_event] ??= {});
        events[evidenceKey(cell.field, cell.versions)] = { version, date: today(), test: name, support };
      }
    }
    writeFileSync(file, asJson(host, table));
    spawnSync(process.execPath, ["fmt", file]);
  }
}

/** A line per cell, in the table's order: what changed is one line in a diff. */
function asJson(host: Host, table: Table): string {
  const quoted = ({ version, date, test, support }: Evidence) =>
    Object.entries({ version, date, test, support })
      .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(", ");
  const events = Object.keys(host.capabilities).flatMap((event) => {
    const fields = Object.entries(table[event] ?? {}).sort(([a], [b]) => place(a) - place(b));
    const lines = fields.map(([key, evidence]) => `    ${JSON.stringify(key)}: { ${quoted(evidence)} }`);
    return lines.length > 0 ? [`  ${JSON.stringify(event)}: {\n${lines.join(",\n")}\n  }`] : [];
  });
  return events.length > 0 ? `{\n${events.join(",\n")}\n}\n` : "{}\n";
}

const place = (key: string) => FIELDS.findIndex((field) => field === key.split(" ")[0]);

/** Keeps a payload of every event and tool that the recordings of this release lack, and how it is decoded: read both over. */
export function recordPayloads({ host }: Driver, { version }: Release, { place, calls }: Run): void {
  const recordings = join(RECORDINGS, host.id, "recordings");
  const [known = ""] = readdirSync(recordings);
  const folder = join(recordings, known.replace(/[^-]+$/, version));
  const kindOf = (payload: Payload) =>
    [host.eventName(payload), payload.tool_name ?? payload.toolName].filter(Boolean).join("-").replaceAll(":", "-");
  const have = new Set(existsSync(folder) ? jsonIn(folder).map(kindOf) : []);
  for (const { payload } of calls) {
    const kind = kindOf(payload);
    if (have.has(kind)) continue;
    have.add(kind);
    const clean = redacted(payload, place);
    put(join(folder, `${kind}.json`), `${JSON.stringify(clean)}\n`);
    const { event } = host.decode(withoutNulls(clean), host.eventName(clean), rowOf(host, host.eventName(clean)));
    const { tool = "-", input } = event as { tool?: string; input?: unknown };
    appendFileSync(
      join(folder, "expected.tsv"),
      `${[kind, event.event, tool, input === undefined ? "-" : JSON.stringify(input)].join("\t")}\n`,
    );
  }
}

const jsonIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Payload);

/** Without the machine's paths. */
function redacted(payload: Payload, { project, home, run }: Run["place"]): Payload {
  const dashed = (path: string) => path.replace(/[^a-zA-Z0-9]/g, "-");
  const places: [string, string][] = [
    [project, "/home/dev/app"],
    [dashed(project), "-home-dev-app"],
    [home, "/home/dev"],
    [run, "/tmp/run"],
  ];
  return JSON.parse(places.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(payload))) as Payload;
}
