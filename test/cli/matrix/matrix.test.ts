import { describe, expect, test } from "bun:test";
import { parseStdout } from "../../hosts/facts.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { collectCells, type MatrixCell } from "../../../src/cli/matrix/cells.ts";
import { buildMatrixData, formatMatrix } from "../../../src/cli/matrix/matrix.ts";
import { CAPABILITY_FIELDS, pickCell } from "../../../src/protocol/capability.ts";
import type { AnyEvent } from "../../../src/protocol/event.ts";
import type { HostAnswer, LoweredResponse, Payload } from "../../../src/protocol/host/host.ts";
import { lowerResponse } from "../../../src/protocol/lower.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { toFlagName, getHostOptionValues } from "../../../src/call/options.ts";
import { TOKENS } from "../../e2e/driver.ts";
import { responseWith } from "../../e2e/table-cases.ts";
import { ROOT } from "../../support/fixtures.ts";

/** Builds the host's shell call for this event, with only the fields that lowering and encoding read. */
function eventAt({ host, native_event, row, field, cell }: MatrixCell): AnyEvent {
  const tool_name = { cursor: "Shell", opencode: "bash", openclaw: "exec", pi: "bash" }[host.id] ?? "Bash";
  const isCall = ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"].includes(row.event);
  const version =
    cell.versions &&
    ["2.0.0", "1.0.0", "0.1.0"].find((candidate) => Bun.semver.satisfies(candidate, cell.versions as string));
  // One host can replace only the results of MCP calls.
  const mcp = field === "modified_output" && host.id === "cursor" && native_event === "postToolUse";
  const call = mcp
    ? { tool: "MCP", tool_name: "MCP:echo", input: { tool: "echo", arguments: {} } }
    : { tool: "Bash", tool_name, input: { command: "ls" } };
  return {
    event: row.event,
    native_event,
    host: host.id,
    host_version: version,
    session_id: "s",
    cwd: "/",
    _native: {
      tool_input: { command: "ls" },
      output: { args: { command: "ls" } },
      tool_call: { input: { command: "ls" } },
    } as Payload,
    ...(isCall && call),
    ...(row.event === "PostToolUse" && { output: { text: "a", raw: "a" } }),
  } as AnyEvent;
}

/** How loss messages end: with what to do, or that nothing can be done. */
const REMEDY =
  /; (add|answer|ask|change|configure|deny|don't|give|include|leave|omit|put|remove|return|rewrite|send|set|tell|update|use)( [^;]+)?$|; --[a-z-]+ask-fallback ask [^;]+$|; none, because the run is over$/;

function answerTo(
  response: IHookResponse,
  place: MatrixCell,
  options: Payload = {},
): { lowered: LoweredResponse; answer: HostAnswer; warned: string[] } {
  const { host, row, native_event } = place;
  const settings = getHostOptionValues(host, options);
  const { lowered, losses } = lowerResponse(response, { host, row, event: eventAt(place), settings });
  for (const { support, message } of losses) if (support !== "emulated") expect(message).toMatch(REMEDY);
  return {
    lowered,
    answer: host.encodeAnswer(lowered, row.shape, native_event, settings),
    warned: losses.map(({ field }) => field),
  };
}

const schemas = join(ROOT, "../shared/schemas/codex");

/** Validates a document against Codex's own output schema for an event, if the schemas are available. */
function checkCodex(native_event: string, stdout: string): boolean {
  const file = join(
    schemas,
    `${native_event.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.command.output.schema.json`,
  );
  if (stdout === "" || !existsSync(file)) return false;
  const schema = z.fromJSONSchema(JSON.parse(readFileSync(file, "utf8")));
  expect(schema.safeParse(JSON.parse(stdout))).toMatchObject({ success: true });
  return true;
}

const all = collectCells();
let checked = 0;

describe("the capability table", () => {
  for (const place of all) {
    const { host, native_event, row, field, cell } = place;
    test(`matches the answers: ${field} is ${cell.support} for ${host.id} ${native_event}${cell.versions ? ` (${cell.versions})` : ""}`, () => {
      const response = responseWith(field, row, { command: "REWRITTEN" });
      const { lowered, answer, warned } = answerTo(response, place);
      const said = answer.stdout + answer.stderr + (answer.append?.text ?? "");
      switch (cell.support) {
        case "native":
          expect(warned).not.toContain(field);
          if (field === "deny" || field === "ask" || field === "allow") expect(lowered.decision).toBe(field);
          else if (field === "modified_input") expect(said).toContain("REWRITTEN");
          else if (field !== "reason" || pickCell(row.deny, undefined).support !== "unenforceable")
            expect(said).toContain(TOKENS[field as keyof typeof TOKENS]);
          break;
        case "emulated":
          expect(warned).toContain(field);
          if (field === "deny") expect(said).toContain(TOKENS.reason);
          else if (field in TOKENS) expect(said).toContain(TOKENS[field as keyof typeof TOKENS]);
          break;
        case "downgrade":
          expect(warned).toContain(field);
          expect(lowered.decision).toBe("deny");
          break;
        case "drop":
          if (field !== "reason") expect(warned).toContain(field);
          if (field !== "reason" && field in TOKENS) expect(said).not.toContain(TOKENS[field as keyof typeof TOKENS]);
          break;
        case "unenforceable":
          expect(warned).toContain(field);
          expect(lowered.decision).toBeUndefined();
          if (field === "modified_output") expect(said).not.toContain(TOKENS.modified_output);
          if (pickCell(row.user_message, undefined).support === "native")
            expect(said).toContain(field === "modified_output" ? "the model reads the original" : TOKENS.reason);
          break;
      }
      if (cell.lacksReason && cell.support !== "downgrade")
        expect(answerTo({ ...response, reason: TOKENS.reason }, place).warned).toContain("reason");
      expect([0, 2]).toContain(answer.exit_code);
      // A denial with exit code 2 always prints a reason to stderr: without one, a host would allow the call.
      if (answer.exit_code === 2) expect(answer.stderr).not.toBe("");
      expect(answer.stdout).not.toContain("\n");
      if (answer.stdout !== "") parseStdout(answer.stdout);
      if (host.id === "cursor") expect(answer.stdout).not.toBe("");
      if (host.id === "codex" && checkCodex(native_event, answer.stdout)) checked++;
      if (host.id === "codex") expect(answer.stdout).not.toMatch(/"ask"|suppressOutput/);
    });
  }
  const optional = all.filter(({ cell }) => cell.unless);
  for (const place of optional) {
    const { host, native_event, row, field, cell } = place;
    test(`matches ${cell.unless?.option} for ${host.id} ${native_event}: a lost ${field} suggests omitting the option`, () => {
      const { option = "", value } = cell.unless ?? {};
      const { losses } = lowerResponse(responseWith(field, row, {}), {
        host,
        row,
        event: eventAt(place),
        settings: { [option]: value ?? "" },
      });
      const told = losses.filter((loss) => loss.field === field).map(({ message }) => message);
      expect(told).toEqual([expect.stringContaining(`remove ${toFlagName(option)} ${value}`)]);
      expect(told[0]).not.toContain("became a denial");
    });
  }
  test("covers 8 cells that depend on a host option", () => expect(optional.length).toBe(8));
  test("covers every field of every event, and each cell names its source", () => {
    const rows = hosts.reduce((sum, host) => sum + Object.keys(host.capabilities).length, 0);
    const versioned = all.filter(({ cell }) => cell.versions).length;
    expect([rows > 295, versioned > 6]).toEqual([true, true]);
    expect(all.length).toBe(rows * CAPABILITY_FIELDS.length + versioned);
    for (const { cell } of all) expect(cell.source).toMatch(/^(shipped|docs) \S|^unverified$|^by definition$/);
  });
  test.skipIf(!existsSync(schemas))("has answers for Codex that its own schemas accept", () =>
    expect(checked).toBeGreaterThan(20),
  );
});

test("the capability matrix lists calls that Codex never reports, each with its source", () => {
  const codex = hosts.filter(({ id }) => id === "codex");
  for (const [event, calls] of [
    ["PreToolUse", ["write_stdin", "web search"]],
    ["PostToolUse", ["write_stdin", "web search", "a failed patch"]],
  ] as const) {
    const untold = codex[0]?.capabilities[event]?.().unreportedCalls ?? [];
    for (const call of calls) expect(untold.map((one) => one.calls).join("\n")).toContain(call);
    for (const { calls, source } of untold) {
      expect(source).toMatch(/^(shipped|docs|seen) \S|^unverified$/);
      expect(formatMatrix({ host: codex[0], notes: true })).toMatch(
        new RegExp(`^- not called for: ${RegExp.escape(calls)} \\[${RegExp.escape(source)}\\]: .*${event}`, "m"),
      );
    }
    expect(
      JSON.stringify(buildMatrixData(codex)[0]?.events.find(({ native_event }) => native_event === event)),
    ).toContain('"untold":[{"calls"');
  }
});
