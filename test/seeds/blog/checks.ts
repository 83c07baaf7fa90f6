import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type CapabilityCells,
  type CapabilityField,
  pickCell,
  type Support,
} from "../../../src/protocol/capability.ts";
import type { EventName } from "../../../src/protocol/event.ts";
import type { Hook } from "../../../src/protocol/hook.ts";
import { type Host, getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { AnswerVerdict } from "../../../src/protocol/host/install.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { type GivenEvent, simulate } from "../../../src/author/testing/index.ts";

export const getHost = (id: string) => hosts.find((host) => host.id === id) as Host;

/** Expects a unified event, and some cells, of a native event in the capability table. */
export function expectRow(
  id: string,
  native_event: string,
  event: EventName,
  fields: Partial<Record<CapabilityField, Support>> = {},
): void {
  const found = getCapabilityRow(getHost(id), native_event);
  const support = Object.fromEntries(
    Object.keys(fields).map((field) => [
      field,
      pickCell(found[field as CapabilityField] as CapabilityCells<Support>, undefined).support,
    ]),
  );
  expect({ id, native_event, event: found.event, ...support }).toEqual({ id, native_event, event, ...fields });
  expect(Object.hasOwn(getHost(id).capabilities, native_event)).toBe(true);
}

/** How the host takes an answer at one of its events. */
export async function judgeAnswer(
  id: string,
  native_event: string,
  answer: { stdout?: string; exit_code?: number },
  handler = {},
): Promise<AnswerVerdict["kind"] | "blocked" | "let pass"> {
  const check = await getHost(id).loadDoctor();
  const found = check.judgeAnswer(native_event, { stdout: "", stderr: "", exit_code: 0, ...answer }, handler);
  return found.kind === "broken" ? (found.blocks ? "blocked" : "let pass") : found.kind;
}

/** Runs work with a temporary directory. */
export async function withTempFolder<Result>(work: (folder: string) => Result | Promise<Result>): Promise<Result> {
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
  /** Files that exist already, by path relative to the home directory, which is also the project. */
  before?: Readonly<Record<string, unknown>>;
}

/**
 * The files that the executable writes to an empty home directory (or project), by path relative to it; JSON is parsed.
 */
export const installEntries = (executable: string, { host, scope = "user", events = [], before = {} }: Installation) =>
  withTempFolder((folder) => {
    for (const [path, document] of Object.entries(before)) writeJson(join(folder, path), document);
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
    const { exitCode, stderr } = runExecutable(executable, folder, words);
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    const paths = (readdirSync(folder, { recursive: true }) as string[])
      .filter((path) => /\.(json|[cm]?js)$/.test(path))
      .sort();
    return Object.fromEntries(paths.map((path) => [path, readInstalled(join(folder, path))]));
  });

function writeJson(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(document, null, 2));
}

function readInstalled(path: string): unknown {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".json") ? (JSON.parse(text) as unknown) : text;
}

/**
 * Runs the executable as a person would, in a directory that is also the home directory. Without `--root` there, an
 * installation could write outside it.
 */
function runExecutable(executable: string, folder: string, words: readonly string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const { stdout, stderr, exitCode } = Bun.spawnSync([executable, ...words], { cwd: folder, env, timeout: 15_000 });
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
}

/** For each of these calls, whether a hook runs. */
export async function listAskedCalls(
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
