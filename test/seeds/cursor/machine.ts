import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { findConfigProblems } from "../../../src/hosts/cursor/doctor.ts";
import { judgeAnswer } from "../../../src/hosts/cursor/read-answers.ts";
import { setup } from "../../../src/hosts/cursor/install.ts";
import type { HookDescriptor } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { InstallScope } from "../../../src/protocol/host/install.ts";
import { type Home, createHome, writeTestFile } from "../../support/homes.ts";
import type { Check } from "./section.ts";

/**
 * Checks how Cursor interprets a command's answer. "blocks" and "goes on" describe the reaction to an invalid answer.
 */
export const judges =
  (event: string, answer: unknown, expected: string, exit_code: number | null = 0, failClosed = false) =>
  (): void => {
    const stdout = typeof answer === "string" ? answer : JSON.stringify(answer);
    const found = judgeAnswer(event, { stdout, stderr: "", exit_code }, { failClosed });
    expect(found.kind === "broken" ? (found.blocks ? "blocks" : "goes on") : found.kind).toBe(expected);
  };
/** Checks whether Cursor blocks if a hook crashes or is killed at its time limit. */
export const failing = (failClosed: boolean, ...events: string[]): Check[] =>
  events.flatMap((event) =>
    [1, null].map((code) => judges(event, "", failClosed ? "blocks" : "goes on", code, failClosed)),
  );

/** Builds a hooks.json with these entries. */
export const buildConfig = (hooks: unknown, more: Payload = { version: 1 }) => JSON.stringify({ ...more, hooks });
const listProblems = (hooks: unknown, more?: Payload) =>
  findConfigProblems(buildConfig(hooks, more)).map(({ message }) => message);
/** Expects that Cursor accepts this file. */
export const accepts = (hooks: unknown, more?: Payload) => (): void => expect(listProblems(hooks, more)).toEqual([]);
/** Expects one problem in this file. */
export const refuses = (hooks: unknown, message: RegExp, more?: Payload) => (): void =>
  expect(listProblems(hooks, more)).toEqual([expect.stringMatching(message)]);

/** Expects that Cursor reads hooks from the file at this path. */
export const reads =
  (scope: InstallScope, path: string, platform: NodeJS.Platform = "linux") =>
  (): void => {
    const files = setup.listConfigFiles({ roots: ["/project"], home: "/home/dev", platform, env: {} });
    expect(files.find((one) => one.scope === scope)?.path).toBe(path);
  };

/** An installation into a scope's file, whose previous content was `before`. */
type Installation = Partial<InstallOptions> & { before?: object; entries?: readonly HookDescriptor[] };
async function installInto(home: Home, { scope = "user", before, events = [] }: Installation) {
  const path = setup.listConfigFiles(home.machine).find((file) => file.scope === scope)?.path as string;
  if (before) writeTestFile(path, buildConfig(before));
  const by_hand = (await install(home, { scope, events })).by_hand.join("\n");
  const text = readFileSync(path, "utf8");
  /** Entries in the file by event. `entries` is a flat list of all entries. */
  const { hooks } = Bun.JSONC.parse(text) as { hooks: Record<string, Payload[]> };
  return { path, text, hooks, entries: Object.values(hooks).flat(), by_hand, home };
}
/** Installs for Cursor on a separate machine, and inspects the written files. */
export const installs =
  (given: Installation, look: (found: Awaited<ReturnType<typeof installInto>>) => unknown): Check =>
  async () => {
    using home = createHome(given.entries);
    await look(await installInto(home, given));
  };
/** Installs again on an existing machine. */
export async function install(home: Home, more: Partial<InstallOptions> = {}) {
  const options: InstallOptions = { hosts: ["cursor"], scope: "user", events: [], on_error: "deny", ...more };
  const plan = await planInstall(options, home);
  expect(plan.problems).toEqual([]);
  applyInstall(plan, options, home);
  return plan;
}
