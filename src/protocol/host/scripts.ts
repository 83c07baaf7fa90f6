import type { AnyEvent } from "../event.ts";
import type { Env, Payload } from "./payload.ts";
import type { IHookResponse } from "../response.ts";
import type { CommandResult } from "./install.ts";

/** A payload that a host sends to its hooks for a unified event. */
export interface NativePayload {
  native_event: string;
  payload: Payload;
  /**
   * Index of the host's call to which this payload belongs. One unified call, such as an edit of three files, may be
   * several calls on a host.
   */
  call: number;
}

/** The inverse of decoding and encoding, for running scripts written for this host. Loaded only when needed. */
export interface ScriptCodec {
  /**
   * Returns the payloads that the host sends to its hooks for a unified event. If a host reports one call on several
   * native events, the payload that an installation receives first comes first. Returns an empty list if the host sends
   * nothing; see `explainMissingPayload`.
   */
  buildPayloads: (event: AnyEvent) => readonly NativePayload[];
  /**
   * Returns the host's interpretation of a command's answer, in unified terms.
   * @throws Error if the host would treat the command as failed, or if the answer has no unified equivalent.
   */
  parseAnswer: (spoken: Pick<NativePayload, "native_event" | "payload">, result: CommandResult) => IHookResponse;
  /**
   * Translates a patch that uses the host's field names to unified names; null removes a field.
   * @throws Error if the tool doesn't accept the new input.
   */
  translatePatch: (sent: Pick<NativePayload, "native_event" | "payload">, patch: Payload) => Payload | undefined;
  /**
   * Set if the host's scripts answer "allow" to every call that they don't object to. Another host would treat that
   * answer as an approval.
   */
  allowsByHabit?: true;
  /** Environment variable that contains the path of the `session_env` file. */
  envFileVariable?: string;
  /** Returns the environment variables that the host sets for its commands. */
  buildScriptEnv: (root: string, payload: Payload) => Env;
}
