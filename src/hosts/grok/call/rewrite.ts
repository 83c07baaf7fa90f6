import type { CallEvent } from "../../../protocol/event.ts";
import type { Payload, RewriteResult } from "../../../protocol/host/host.ts";
import { patchCall } from "../../codec/tool-table.ts";
import { toRecord } from "../../codec/wire.ts";
import { TOOLS } from "../tools.ts";
import { toSnakeCase } from "./wire.ts";

/** Returns the whole patched input. The table turns a rewrite into a denial until a release is seen to accept one. */
export const rewriteInput = (event: CallEvent, patch: Payload): RewriteResult =>
  patchCall(TOOLS, event, toRecord(toSnakeCase(event._native).tool_input), patch);
