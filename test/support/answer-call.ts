import { passCall } from "../../src/call/answer.ts";
import type { CallRuntime } from "../../src/call/context.ts";
import type { AnyOptions } from "../../src/call/options.ts";
import type { HookDescriptor } from "../../src/protocol/hook.ts";
import type { HostAnswer } from "../../src/protocol/host/host.ts";

/** Returns only the answer to a call. */
export const answerCall = async (
  entries: readonly HookDescriptor[],
  explicit: AnyOptions,
  argv: readonly string[],
  world: CallRuntime,
): Promise<HostAnswer> => (await passCall({ entries, explicit, argv }, world)).answer;
