import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Cells, type Field, pick, type Support } from "../../../src/protocol/capability.ts";
import type { EventName } from "../../../src/protocol/event.ts";
import type { Hook } from "../../../src/protocol/hook.ts";
import { type Host, rowOf } from "../../../src/protocol/host/host.ts";
import type { Verdict } from "../../../src/protocol/host/install.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { type GivenEvent, simulate } from "../../../src/author/testing/index.ts";

export const hostOf = (id: string) => hosts.find((host) => host.id === id) as Host;

/** The table: what a native event is, and what becomes of some fields there. */
export function row(
  id: string,
  native_event: string,
  event: EventName,
  fields: Partial<Record<Field, Support>> = {},
): void {
  const found = rowOf(hostOf(id), native_event);
  const support = Object.fromEntries(
    Object.keys(fields).map((field) => [field, pick(found[field as Field] as Cells<Support>, undefined).support]),
  );
  expect({ id, native_event, event: found.event, ...support }).toEqual({ id, native_event, event, ...fields });
  expect(Object.hasOwn(hostOf(id).capabilities, native_event)).toBe(true);
}

/** What the host makes of an answer at one of its events. */
export async function verdict(
  id: string,
  native_event: string,
  answer: { stdout?: string; exit_code?: number },
  handler = {},
): Promise<Verdict["kind"] | "blocked" | "let pass"> {
  const check = await hostOf(id).check();
  const found = check.verdict(native_event, { stdout: "", stderr: "", exit_code: 0, ...answer }, handler);
  return found.kind === "broken" ? (found.blocks ? "blocked" : "let pass") : found.kind;
}

/** A folder that is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Result | Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-blog-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Installation {
  host: string;
  scope?: string;
  events?: readonly string[];
  /** Files that are there already, by their paths below the home folder, which is the project as well. */
  before?: Readonly<Record<string, unknown>>;
}

/** What the executable writes into an empty home folder (or project), by paths below it; JSON is read. */
export const installed = (executable: string, { host, scope = "user", events = [], before = {} }: Installation) =>
  inFolder((folder) => {
    for (const [path, document] of Object.entries(before)) put(join(folder, path), document);
    const words = [
      "install",
      "--host",
      host,
      "--scope",
      scope,
      "--root",
      folder,
      "--yes",
      ...events.flatMap((name) => ["--event", name]),
    ];
    const { exitCode, stderr } = run(executable, folder, words);
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    const paths = (readdirSync(folder, { recursive: true }) as string[])
      .filter((path) => /\.(json|[cm]?js)$/.test(path))
      .sort();
    return Object.fromEntries(paths.map((path) => [path, read(join(folder, path))]));
  });

function put(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(document, null, 2));
}

function read(path: string): unknown {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".json") ? (JSON.parse(text) as unknown) : text;
}

/** The executable, called by a person in a folder that is their home as well. Without `--root` there, an installation could leave it. */
function run(executable: string, folder: string, words: readonly string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const { stdout, stderr, exitCode } = Bun.spawnSync([executable, ...words], { cwd: folder, env, timeout: 15_000 });
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
}

/** Whether a hook is asked about each of these calls. */
export async function asked(
  hook: (handler: () => undefined) => Hook,
  calls: readonly GivenEvent[],
): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const call of calls) {
    let ran = false;
    await simulate(
      hook(() => {
        ran = true;
        return undefined;
      }),
      call,
    );
    found.push(ran);
  }
  return found;
}
