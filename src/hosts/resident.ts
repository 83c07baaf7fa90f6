import type { ConfigEntry, ConfigFile, Launch, Place, Result } from "../protocol/host/install.ts";
import { complete, rootOf } from "./check.ts";
import { isObject } from "../protocol/object.ts";

/** What a text says as JSON, or the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Both ways to ask the executable behind a plugin's entry: a call of its own, and one line to the resident process. */
export function launchesOf(
  { command, args = [] }: ConfigEntry,
  file: Pick<ConfigFile, "path">,
  payload: string,
  place: Place,
): Launch[] {
  const base = { cwd: rootOf(file, place), env: complete(place.env) };
  const host = args[args.indexOf("--host") + 1] ?? "";
  const line = JSON.stringify({ id: 1, argv: args, payload: parsed(payload) });
  return [
    { ...base, way: "in a process of its own", argv: [command, ...args], stdin: payload },
    { ...base, way: "in the resident process", argv: [command, "serve", "--host", host], stdin: `${line}\n` },
  ];
}

/** The call's own answer, where it came as a line of the resident process. */
export function answerIn(result: Result): Result {
  const line = parsed(result.stdout);
  if (!isObject(line) || !("exit_code" in line)) return result;
  const { exit_code, stderr, answer } = line;
  const stdout = answer === null || answer === undefined ? "" : JSON.stringify(answer);
  return { stdout, stderr: String(stderr), exit_code: typeof exit_code === "number" ? exit_code : null };
}
