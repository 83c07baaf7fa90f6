import type { AnyEvent } from "../event.ts";
import type { Env, Payload } from "./payload.ts";
import type { IHookResponse } from "../response.ts";
import type { CommandResult } from "./install.ts";

/** A payload that a host sends its hooks for a unified event. */
export interface NativePayload {
  native_event: string;
  payload: Payload;
  /**
   * Index of the host's call that this payload belongs to. One unified call may be several calls on a host, such as an
   * edit of three files.
   */
  call: number;
}

/** The inverse of decode and encode: runs scripts written for this host. Loaded only when needed. */
export interface ScriptCodec {
  /**
   * Returns what the host sends its hooks for a unified event. If a host reports one call at several native events, the
   * event that reaches an installation first comes first. Empty: the host sends its hooks nothing; see
   * `explainMissingPayload`.
   */
  buildPayloads: (event: AnyEvent) => readonly NativePayload[];
  /**
   * Returns how the host interprets a command's answer, in unified terms.
   * @throws Error when the host would treat the command as failed, or when the answer has no unified equivalent.
   */
  parseAnswer: (spoken: Pick<NativePayload, "native_event" | "payload">, result: CommandResult) => IHookResponse;
  /**
   * Returns a patch in unified names for one that names fields of the sent call as the host does; null removes a field.
   * @throws Error when the tool does not accept the new input.
   */
  translatePatch: (sent: Pick<NativePayload, "native_event" | "payload">, patch: Payload) => Payload | undefined;
  /**
   * The host's scripts answer "allow" to every call that they don't object to. Another host would take that for an
   * approval that nobody gave.
   */
  allowsByHabit?: true;
  /** The variable with the path of the file that `session_env` is read from. */
  envFileVariable?: string;
  /** Returns the variables that the host sets for its commands. */
  buildScriptEnv: (root: string, payload: Payload) => Env;
}
