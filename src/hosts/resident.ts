import type { ConfigEntry, ConfigFile, Launch, MachineContext, CommandResult } from "../protocol/host/install.ts";
import { completeEnv, findCallRoot } from "./doctor-helpers.ts";
import { isObject } from "../protocol/object.ts";

/** Parses a text as JSON; returns the text itself if it is not JSON. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The two ways in which a plugin runs an entry's executable: one process per call, and one line to the resident
 * process.
 */
export function listPluginLaunches(
  { command, args = [] }: ConfigEntry,
  file: Pick<ConfigFile, "path">,
  payload: string,
  place: MachineContext,
): Launch[] {
  const base = { cwd: findCallRoot(file, place), env: completeEnv(place.env) };
  const host = args[args.indexOf("--host") + 1] ?? "";
  const line = JSON.stringify({ id: 1, argv: args, payload: parseJsonOrText(payload) });
  return [
    { ...base, way: "in a process of its own", argv: [command, ...args], stdin: payload },
    { ...base, way: "in the resident process", argv: [command, "serve", "--host", host], stdin: `${line}\n` },
  ];
}

/** Unwraps an answer that came as a line of the resident process. */
export function extractAnswer(result: CommandResult): CommandResult {
  const line = parseJsonOrText(result.stdout);
  if (!isObject(line) || !("exit_code" in line)) return result;
  const { exit_code, stderr, answer } = line;
  const stdout = answer === null || answer === undefined ? "" : JSON.stringify(answer);
  return { stdout, stderr: String(stderr), exit_code: typeof exit_code === "number" ? exit_code : null };
}
