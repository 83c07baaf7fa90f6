import type { AnyEvent } from "../event.ts";
import type { Env, Payload } from "./payload.ts";
import type { IHookResponse } from "../response.ts";
import type { CommandResult } from "./install.ts";

/** What a host tells a hook of an event. */
export interface NativePayload {
  /** The host's own name of the event. */
  native_event: string;
  payload: Payload;
  /** Which of the host's calls tells this, from 0: what is one call on one host may be several on another, as an edit of three files. */
  call: number;
}

/** A host's own words, for tools and for scripts that were written for it: the inverse of decode and of encode. Loaded only when needed. */
export interface ScriptCodec {
  /**
   * What the host tells its hooks of a unified event. Where it tells a call at several native events, the one that an
   * installation hears of first comes first. Empty: it tells them nothing; see `silence`.
   */
  buildPayloads: (event: AnyEvent) => readonly NativePayload[];
  /**
   * What the host makes of a command's answer to what it was told, in unified terms.
   * @throws Error when the host would count the command as failed, or when the answer has no unified form.
   */
  parseAnswer: (spoken: Pick<NativePayload, "native_event" | "payload">, result: CommandResult) => IHookResponse;
  /** Its scripts answer "allow" to every call that they have nothing against: to another host it would be an approval, which nobody gave. */
  allowsByHabit?: true;
  /** The variable that names the file to which an answer's text is appended. */
  envFileVariable?: string;
  /** The variables that its commands find, beside those of its own process. */
  buildScriptEnv: (root: string, payload: Payload) => Env;
}
