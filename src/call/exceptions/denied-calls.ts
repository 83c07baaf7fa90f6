import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import type { ConcludedCall } from "../log/concluded-call.ts";
import { FILE_MODE, FOLDER_MODE } from "../log/log-files.ts";
import { nameProject } from "../log/log-line.ts";
import type { LogSettings } from "../../policy/describe.ts";
import { cutText, loadRedactor, writeWhole } from "../log/redact.ts";
import { getStateDirectory } from "../state/state-directory.ts";
import type { DeniedCall, HeldVerdict } from "./apply.ts";
import type { CallBinding } from "./record.ts";

/** A denied call as it waits for a person who lets it pass on purpose. */
export interface WaitingCall {
  id: string;
  time: string;
  host: string;
  native_event: string;
  tool: string;
  session?: string;
  cwd: string;
  project: string;
  /** What was asked, without secrets. Absent where the log has no contents. */
  shown?: string;
  verdicts: readonly HeldVerdict[];
  binding: CallBinding;
}

export const getWaitingFolder = (env: Env): string => join(getStateDirectory(env), "denied");

/** The newest of them wait. */
const MAX_WAITING = 128;
const MAX_SHOWN_LENGTH = 4_000;

/**
 * Keeps what `bridge-hooks allow ID` has to know of a denied call, whatever the log says. The call itself is not kept, but
 * hashes and a text without secrets.
 */
export async function keepDeniedCall(
  { event, denied }: ConcludedCall & { denied: DeniedCall },
  content: LogSettings["content"],
  env: Env,
): Promise<void> {
  if (!event || !("tool" in event)) return;
  const { command, file_path } = event.input as Readonly<Record<string, unknown>>;
  const asked = [command, file_path].find((text) => typeof text === "string") ?? JSON.stringify(event.input);
  const { verdicts, binding, id } = denied;
  const redact = content === "full" ? writeWhole : await loadRedactor([asked, verdicts]);
  const hide = (text: string | undefined) => text && cutText(redact(text, ""), MAX_SHOWN_LENGTH);
  const isHidden = content === "structure";
  const call: WaitingCall = {
    ...{
      id,
      time: new Date().toISOString(),
      host: event.host,
      native_event: event.native_event,
      tool: event.tool_name,
    },
    ...(event.session_id && { session: event.session_id }),
    cwd: event.cwd,
    project: nameProject(event) ?? "",
    ...(!isHidden && { shown: hide(asked as string) as string }),
    verdicts: verdicts.map(({ subject, reason, ...verdict }) => ({
      ...verdict,
      ...(!isHidden && subject !== undefined && { subject: hide(subject) as string }),
      ...(!isHidden && reason !== undefined && { reason: hide(reason) as string }),
    })),
    binding: { ...binding, files: isHidden ? [] : binding.files },
  };
  const folder = getWaitingFolder(env);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  // In the order of their names.
  const name = `${Date.now().toString(36).padStart(9, "0")}-${id}.json`;
  writeFileSync(join(folder, name), JSON.stringify(call), { flag: "wx", mode: FILE_MODE });
  const names = readdirSync(folder).sort();
  for (const old of names.slice(0, Math.max(0, names.length - MAX_WAITING))) rmSync(join(folder, old), { force: true });
}
