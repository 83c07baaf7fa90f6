import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { lockFile } from "../../../src/operate/machine/receipts.ts";
import { createDestination } from "../../../src/operate/export/destinations.ts";
import { locateBookmark } from "../../../src/operate/export/bookmark.ts";
import { exportLog } from "../../../src/operate/export/export.ts";
import { deleteLines } from "../../../src/operate/log/delete-lines.ts";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { createExactLine, ExportLogsServiceRequest } from "./export-support.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { createHome, createShellPayload, getHomeLog, type LogHome } from "../../call/log/log-support.ts";

const BAD = "<script>\u001b[31m\n\u202e\u009b31m\u2028<84>1 - - forged";
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const lines = (...ids: string[]) => ids.map((id) => createExactLine({ id }));

function writeLog(home: LogHome, wanted: readonly (LogLine | string)[], suffix = ""): string {
  const file = getHomeLog(home).replace(".jsonl", `${suffix}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, wanted.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""));
  return file;
}

/** Exports to an array. Batch number `failAt` fails. */
async function ship(home: LogHome, { name = "here", failAt = 0 } = {}): Promise<string[]> {
  const arrived: string[] = [];
  let batches = 0;
  const send = async (batch: readonly LogLine[]) => {
    if (++batches === failAt) throw new Error("it is full");
    arrived.push(...batch.map(({ id }) => id));
  };
  await exportLog(home.env, { name, send }).catch((error: Error) => {
    if (error.message !== "it is full") throw error;
  });
  return arrived;
}

describe("export with a bookmark", () => {
  test("exports each record once to each destination, oldest first, across rotated files", async () => {
    const home = createHome();
    expect(await ship(home)).toEqual([]);
    writeLog(home, lines("1", "2"), "-000001");
    const current = writeLog(home, lines("3"));
    expect(await ship(home)).toEqual(["1", "2", "3"]);
    expect(await ship(home)).toEqual([]);
    writeLog(home, lines("4"));
    renameSync(current, current.replace(".jsonl", "-000002.jsonl"));
    writeLog(home, lines("5"));
    expect(await ship(home)).toEqual(["4", "5"]);
    // A process that had opened the file before its rotation writes to it afterwards.
    writeLog(home, lines("late"), "-000002");
    expect(await ship(home)).toEqual(["late"]);
    expect(await ship(home, { name: "there" })).toEqual(["1", "2", "3", "4", "late", "5"]);
    expect(await ship(home)).toEqual([]);
  });
  test("continues after the last exported record if older ones were deleted", async () => {
    const home = createHome();
    const at = (id: string, day: number) => createExactLine({ id, time: `2026-11-${day}T00:00:00.000Z` });
    writeLog(home, [at("1", 10), at("2", 12)]);
    expect(await ship(home)).toEqual(["1", "2"]);
    await deleteLines(home.env, Date.parse("2026-11-11"), 0);
    writeLog(home, [at("3", 13)]);
    expect(await ship(home)).toEqual(["3"]);
  });
  test("sends a failed batch again, and no earlier record", async () => {
    const home = createHome();
    const ids = Array.from({ length: 1_200 }, (_, at) => String(at));
    writeLog(home, lines(...ids));
    expect(await ship(home, { failAt: 2 })).toEqual(ids.slice(0, 500));
    expect(await ship(home)).toEqual(ids.slice(500));
  });
  test("leaves an incomplete record for the next run, and skips and counts invalid ones", async () => {
    const home = createHome();
    const whole = `${JSON.stringify(createExactLine({ id: "2" }))}\n`;
    writeLog(home, [...lines("1"), "odd\n", "\xff\xfe\n", whole.slice(0, 30)]);
    const send = async () => {};
    expect(await exportLog(home.env, { name: "x", send })).toEqual({ shipped: 1, skipped: 2, isSettled: true });
    expect(await ship(home)).toEqual(["1"]);
    writeLog(home, [whole.slice(30)]);
    expect(await ship(home)).toEqual(["2"]);
  });
  test("exports a head only once its record is overdue, and no head of an existing record", async () => {
    const home = createHome();
    const at = (id: string, part?: "head", time = "2026-11-24T10:00:00.000Z") =>
      createExactLine({ id, time, ...(part && { part }) });
    writeLog(home, [at("1", "head"), at("2", "head"), at("1")], "-000001");
    const now = new Date().toISOString();
    writeLog(home, [at("2"), at("lost", "head"), at("new", "head", now), at("3", "head"), at("3")]);
    expect(await ship(home)).toEqual(["1", "2", "lost"]);
    writeLog(home, [at("new", undefined, now)]);
    expect(await ship(home)).toEqual(["3", "new"]);
    expect(await ship(home)).toEqual([]);
  });
  test("starts from the beginning if the bookmark can't be read", async () => {
    const home = createHome();
    writeLog(home, lines("1"));
    await ship(home);
    for (const damage of ["", "{", '{"v":2}', '{"v":1,"name":"other","marks":[]}', "[".repeat(9_999)]) {
      writeFileSync(locateBookmark(home.env, "here"), damage);
      expect([damage.slice(0, 40), await ship(home)]).toEqual([damage.slice(0, 40), ["1"]]);
    }
    if (process.platform !== "win32") expect(statSync(locateBookmark(home.env, "here")).mode & 0o777).toBe(0o600);
  });
  test("refuses to run while another export to the same destination runs", async () => {
    const home = createHome();
    writeLog(home, lines("1"));
    const lock = lockFile(locateBookmark(home.env, "here").replace(/json$/, "lock"), 0);
    await expect(ship(home)).rejects.toThrow("another export to here is running");
    lock.close();
    expect(await ship(home)).toEqual(["1"]);
  });
  test("needs memory for one batch of records, not for the whole log", async () => {
    const home = createHome();
    writeLog(home, [`${JSON.stringify(createExactLine({ reason: "x".repeat(2_000) }))}\n`.repeat(20_000)]);
    const measure = () => {
      Bun.gc(true);
      return process.memoryUsage().heapUsed;
    };
    const before = measure();
    let [most, batches] = [0, 0];
    const send = async () => {
      if (++batches % 10 === 0) most = Math.max(most, measure() - before);
    };
    const { shipped } = await exportLog(home.env, { send });
    // Peak memory stays below a fifth of the log's size.
    expect([shipped, batches > 10, most < 8_000_000]).toEqual([20_000, true, true]);
  });
});

const run = async ({ env, project }: LogHome, argv: readonly string[], more: Record<string, string> = {}) => {
  const child = Bun.spawn([EXECUTABLE, ...argv], {
    cwd: project,
    env: { PATH: process.env.PATH ?? "", ...env, ...more },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { stdout, stderr, exitCode: await child.exited };
};

describe("bridge-hooks export", () => {
  const servers: { stop: () => unknown }[] = [];
  afterAll(() => void servers.forEach((server) => server.stop()));

  test("sends valid OTLP with the user's headers, and retries rejected records", async () => {
    const home = createHome();
    writeLog(home, [createExactLine({ id: "1", subject: BAD, asked: { command: BAD }, others: [{ hook: "a" }] })]);
    const requests: { path: string; headers: Headers; body: string }[] = [];
    let status = 500;
    const server = Bun.serve({
      // A busy machine might take longer than the default of ten seconds.
      idleTimeout: 255,
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname } = new URL(request.url);
        requests.push({ path: pathname, headers: request.headers, body: await request.text() });
        return Response.json({ partialSuccess: {} }, { status });
      },
    });
    servers.push(server);
    const url = `http://127.0.0.1:${server.port}`;
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20made-up" };
    const refused = await run(home, ["export", "--otlp", url], headers);
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("did not accept the lines");
    status = 200;
    expect(await run(home, ["export", "--otlp", url], headers)).toEqual({
      stdout: "1 line was shipped\n",
      stderr: "",
      exitCode: 0,
    });
    expect((await run(home, ["export", "--otlp", url], headers)).stdout).toBe("0 lines were shipped\n");
    expect(requests.length).toBe(2);
    const [, request] = requests;
    expect([request?.path, request?.headers.get("authorization"), request?.headers.get("content-type")]).toEqual([
      "/v1/logs",
      "Bearer made-up",
      "application/json",
    ]);
    const [resource] = ExportLogsServiceRequest.parse(JSON.parse(request?.body ?? "")).resourceLogs;
    const [record] = resource?.scopeLogs[0]?.logRecords ?? [];
    expect(record).toMatchObject({ timeUnixNano: "1795514400250000000", severityText: "WARN" });
    expect(HARMFUL.exec(JSON.stringify(record).replaceAll("\\n", "\n"))?.[0]).toBeUndefined();
    const attribute = (key: string) => record?.attributes.find((one) => one.key === key)?.value;
    expect(attribute("bridge_hooks.outcome")).toEqual({ stringValue: "denied" });
    expect(attribute("bridge_hooks.others")).toEqual({ stringValue: '[{"hook":"a"}]' });
  });
  test("appends one object per record, in each format, to a file that only its owner can read", async () => {
    const home = createHome();
    writeLog(home, [createExactLine({ id: "1", subject: BAD }), createExactLine({ id: "2" })]);
    for (const [format, count] of [
      ["json", 2],
      ["ocsf", 2],
      ["otlp", 1],
    ] as const) {
      const file = join(home.project, `${format}.jsonl`);
      for (let at = 0; at < 2; at++)
        expect((await run(home, ["export", "--format", format, "--out", file])).exitCode).toBe(0);
      const text = readFileSync(file, "utf8");
      expect([
        format,
        text
          .trim()
          .split("\n")
          .map((line) => typeof JSON.parse(line)),
      ]).toEqual([format, Array(count).fill("object")]);
      expect(HARMFUL.exec(text)?.[0]).toBeUndefined();
      if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    const [first = ""] = readFileSync(join(home.project, "json.jsonl"), "utf8").split("\n");
    expect(JSON.parse(first)).toEqual(createExactLine({ id: "1", subject: BAD }));
  });
  test("prints all records, or only those that are new to a bookmark", async () => {
    const home = createHome();
    writeLog(home, lines("1", "2"));
    const count = async (...argv: string[]) => (await run(home, ["export", ...argv])).stdout.split("\n").length - 1;
    expect([await count(), await count(), await count("--bookmark", "a"), await count("--bookmark", "a")]).toEqual([
      2, 2, 2, 0,
    ]);
    expect(await count("--bookmark", "b")).toBe(2);
  });
  test("sends each record to a syslog daemon as a length-framed message", async () => {
    const home = createHome();
    const long = createExactLine({ id: "2", asked: { command: "x".repeat(90_000) } });
    writeLog(home, [createExactLine({ id: "1", subject: BAD }), long]);
    let received = Buffer.alloc(0);
    const server: Server = createServer((socket) =>
      socket.on("data", (part: Buffer) => void (received = Buffer.concat([received, part]))),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push({ stop: () => server.close() });
    const { port } = server.address() as { port: number };
    expect((await run(home, ["export", `--syslog=tcp://127.0.0.1:${port}`])).stdout).toBe("2 lines were shipped\n");
    const messages: string[] = [];
    for (let at = 0; at < received.length;) {
      const space = received.indexOf(" ", at);
      const length = Number(received.subarray(at, space).toString());
      messages.push(received.subarray(space + 1, space + 1 + length).toString());
      at = space + 1 + length;
    }
    const head = /^<84>1 2026-11-24T10:00:00\.250Z \S+ bridge-hooks \d+ decision - /;
    expect(messages.map((message) => [head.test(message), HARMFUL.test(message), message.includes("\n")])).toEqual(
      Array(2).fill([true, false, false]),
    );
    const parsed = messages.map((message) => JSON.parse(message.replace(head, "")) as LogLine);
    const { asked: _, ...short } = long;
    expect(parsed).toEqual([createExactLine({ id: "1", subject: BAD }), short]);
  });
  test("rejects contradictory options and unreachable destinations, and moves no bookmark", async () => {
    const create = (order: object) => createDestination(order, { write: () => {}, warn: () => {} });
    const refused: [object, string][] = [
      [{ otlp: "http://x", out: "y" }, "pass only one of"],
      [{ format: "xml" }, 'unknown format "xml"'],
      [{ otlp: "http://x", format: "ocsf" }, "--otlp requires the format otlp"],
      [
        { otlp: "http://x", draft: "gen-ai-security" },
        'unknown draft "gen-ai-security"; known: gen-ai-security@35b2921',
      ],
      [{ format: "ocsf", draft: "gen-ai-security@35b2921" }, "--draft requires the format otlp"],
      [{ syslog: "", format: "otlp" }, "--syslog requires the format json or ocsf"],
      [{ otlp: "localhost:4318" }, "--otlp must be a receiver's URL"],
      [{ syslog: "udp://x:1" }, "--syslog must be a socket path or tcp://HOST:PORT"],
    ];
    for (const [order, why] of refused) await expect(create(order)).rejects.toThrow(why);
    const home = createHome();
    writeLog(home, lines("1"));
    const missing = await run(home, ["export", "--syslog=/nowhere/log"]);
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      expect.stringContaining("no syslog socket at /nowhere/log"),
    ]);
    const closed = await run(home, ["export", "--syslog=tcp://127.0.0.1:9"]);
    expect([closed.exitCode, closed.stderr]).toEqual([1, expect.stringContaining("did not accept the lines")]);
    const folder = await run(home, ["export", "--out", home.project]);
    expect(folder.exitCode).toBe(1);
    expect(existsSync(locateBookmark(home.env, "syslog /nowhere/log json"))).toBe(false);
  });
  test("is denied to agents", async () => {
    const home = createHome();
    const payload = createShellPayload("bridge-hooks export --out /tmp/x", { cwd: home.project });
    const child = Bun.spawn([EXECUTABLE, "--host", "claude"], {
      cwd: home.project,
      env: { PATH: process.env.PATH ?? "", ...home.env },
      stdin: Buffer.from(JSON.stringify(payload)),
      stdout: "pipe",
    });
    expect(await new Response(child.stdout).text()).toContain("sends the decision log elsewhere");
  });
});
