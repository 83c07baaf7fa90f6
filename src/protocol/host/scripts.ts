import type { AnyEvent } from "../event.ts";
import type { Env, Payload } from "./payload.ts";
import type { IHookResponse } from "../response.ts";
import type { CommandResult } from "./install.ts";

/** A payload that a host sends to its hooks for a unified event. */
export interface NativePayload {
  native_event: string;
  payload: Payload;
  /**
   * Index of the host's call that this payload belongs to. One unified call, such as an edit of three files, can be
   * several calls on a host.
   */
  call: number;
}

/** The reverse of decoding and encoding, for running scripts written for this host. Loaded only when needed. */
export interface ScriptCodec {
  /**
   * Returns the payloads that the host sends to its hooks for a unified event. If a host reports a call on several
   * native events, the list starts with the payload that an installation would receive first. Returns an empty list if
   * the host sends nothing; see `explainMissingPayload`.
   */
  buildPayloads: (event: AnyEvent) => readonly NativePayload[];
  /**
   * Interprets a command's answer as the host would, and returns it in unified terms.
   * @throws Error if the host would treat the command as failed, or if the answer has no unified equivalent.
   */
  parseAnswer: (spoken: Pick<NativePayload, "native_event" | "payload">, result: CommandResult) => IHookResponse;
  /**
   * Translates a patch from the host's field names to unified names; null removes a field.
   * @throws Error if the tool doesn't accept the new input.
   */
  translatePatch: (sent: Pick<NativePayload, "native_event" | "payload">, patch: Payload) => Payload | undefined;
  /**
   * Set if scripts for this host answer "allow" to every call that they have no objection to. On another host, that
   * answer would approve the call.
   */
  allowsByHabit?: true;
  /** Environment variable that contains the path of the `session_env` file. */
  envFileVariable?: string;
  /** Returns the environment variables that the host sets for its commands. */
  buildScriptEnv: (root: string, payload: Payload) => Env;
}
