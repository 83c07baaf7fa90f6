import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import type { ConcludedCall } from "../log/concluded-call.ts";
import { FILE_MODE, FOLDER_MODE } from "../log/log-files.ts";
import { getProjectPath } from "../log/log-line.ts";
import type { LogSettings } from "../../policy/describe.ts";
import { copyValue, truncateString, loadRedactor, type TextWriter, writeUnchanged } from "../log/redact.ts";
import { getStateDirectory } from "../state/state-directory.ts";
import type { DeniedCall } from "./apply.ts";
import type { HeldVerdict } from "./covering.ts";
import type { BoundFile, CallBinding } from "./record.ts";

/** A denied call that a user may allow. */
export interface StoredDeniedCall {
  id: string;
  time: string;
  host: string;
  native_event: string;
  tool: string;
  session?: string;
  cwd: string;
  project: string;
  /** The input without secrets; absent if the log doesn't store contents. */
  shown?: string;
  verdicts: readonly HeldVerdict[];
  binding: CallBinding;
}

export const getDeniedCallsDirectory = (env: Env): string => join(getStateDirectory(env), "denied");

/** Maximum number of stored calls. Once exceeded, the oldest calls are deleted. */
const MAX_STORED_CALLS = 128;
const MAX_INPUT_LENGTH = 4_000;

/**
 * Stores a denied call for `bridge-hooks allow ID`, regardless of the log settings. Only hashes and a description
 * without secrets are stored.
 */
export async function storeDeniedCall(
  { event, deniedCall }: ConcludedCall & { deniedCall: DeniedCall },
  content: LogSettings["content"],
  env: Env,
): Promise<void> {
  if (!event || !("tool" in event)) return;
  const { verdicts, binding, id } = deniedCall;
  const { cwd, session_id, tool_name, input } = event;
  const project = getProjectPath(event) ?? "";
  const write =
    content === "full"
      ? writeUnchanged
      : await loadRedactor([input, verdicts, tool_name, session_id, cwd, project, binding.files]);
  const hideSecretText = (text: string) => truncateString(write(text, ""), MAX_INPUT_LENGTH);
  const omitsContents = content === "structure";
  const call: StoredDeniedCall = {
    ...{ id, time: new Date().toISOString(), host: event.host, native_event: event.native_event },
    ...{ tool: hideSecretText(tool_name), ...(session_id && { session: hideSecretText(session_id) }) },
    ...{ cwd: hideSecretText(cwd), project: hideSecretText(project) },
    ...(!omitsContents && { shown: formatInput(input, write) }),
    verdicts: verdicts.map(({ subject, reason, ...verdict }) => ({
      ...verdict,
      ...(!omitsContents && subject !== undefined && { subject: hideSecretText(subject) }),
      ...(!omitsContents && reason !== undefined && { reason: hideSecretText(reason) }),
    })),
    binding: { ...binding, files: omitsContents ? [] : binding.files.filter((file) => canListFile(file, write)) },
  };
  const folder = getDeniedCallsDirectory(env);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  // The file names sort chronologically.
  const name = `${Date.now().toString(36).padStart(9, "0")}-${id}.json`;
  writeFileSync(join(folder, name), JSON.stringify(call), { flag: "wx", mode: FILE_MODE });
  const names = readdirSync(folder).sort();
  for (const oldest of names.slice(0, Math.max(0, names.length - MAX_STORED_CALLS)))
    rmSync(join(folder, oldest), { force: true });
}

/** Returns a call's command or file, or all fields of the input if it has neither. */
function formatInput(input: object, write: TextWriter): string {
  const { command, file_path } = input as Readonly<Record<string, unknown>>;
  const text = [command, file_path].find((value) => typeof value === "string");
  const limits = { text: MAX_INPUT_LENGTH, all: MAX_INPUT_LENGTH };
  return truncateString(
    text === undefined ? JSON.stringify(copyValue(input, limits, write)) : write(text, ""),
    MAX_INPUT_LENGTH,
  );
}

/**
 * Returns whether a file can be shown to users. A word that isn't an existing file might be a secret, such as `/p:…` or
 * `scott/…@db`. The call's hashes cover all files either way.
 */
const canListFile = ({ named, path }: BoundFile, write: TextWriter): boolean =>
  write === writeUnchanged || (existsSync(path) && write(named, "") === named && write(path, "") === path);
