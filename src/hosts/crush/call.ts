import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { toObject } from "../../protocol/object.ts";
import type { EditInput, ToolCall } from "../../protocol/tool.ts";
import { parseEditFiles, patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName, readEventBase } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import { parseToolInput, readStringField } from "../codec/wire.ts";
import { capabilities } from "./capabilities.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

const normalizeName = (name: string) => name.replaceAll("_", "").toLowerCase();

/**
 * Returns an event's name as spelled in the capability table. Crush ignores case and underscores in event names [docs
 * https://github.com/charmbracelet/crush/tree/main/docs/hooks].
 */
export const normalizeEventName = (name: string): string =>
  Object.keys(capabilities).find((event) => normalizeName(event) === normalizeName(name)) ?? name;

const createMultiEditSchema = () =>
  v.object({
    file_path: v.string(),
    edits: v.array(v.object({ old_string: v.nullish(v.string(), ""), new_string: v.nullish(v.string(), "") })),
  });

/** Decodes a call that makes several replacements in one file. */
function decodeMultiEdit(input: unknown, location: string): EditInput {
  const { file_path, edits } = parseToolInput(createMultiEditSchema, input, location);
  return { files: [{ file_path, operation: "update", edits }] };
}

/**
 * Parses `mcp_<server>_<tool>` [docs https://github.com/charmbracelet/crush/tree/main/docs/hooks]. The server stays
 * unknown, because any of the underscores could be the one between server and tool.
 */
const readMcpName = (tool_name: string) => (tool_name.startsWith("mcp_") ? { tool: tool_name.slice(4) } : undefined);

export function decodeToolCall(tool_name: string, input: unknown): ToolCall {
  const location = `tool_input of ${tool_name}`;
  if (tool_name === "multiedit") return { tool: "Edit", tool_name, input: decodeMultiEdit(input, location) };
  return (
    decodeTableCall(TOOLS, tool_name, input, location) ??
    decodeOtherCall(tool_name, input, readMcpName(tool_name), UNMAPPED_TOOLS)
  );
}

export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("crush", native_event, payload, ["session_id"] as const);
  const { event } = row;
  if (!isCallEventName(event)) return decodeSessionEvent(event, base, payload);
  const call = decodeToolCall(readStringField(payload, "tool_name", native_event), payload.tool_input);
  return buildCallEvent(event, base, call, { output: () => ({ text: "", raw: undefined }) });
}

/** Refuses a rewrite that removes keys, because Crush merges the new input into the original. */
function refuseRemovedKeys(originalInput: Payload, result: RewriteResult): RewriteResult {
  if (!("input" in result)) return result;
  const keptField = Object.keys(originalInput).find((key) => !Object.hasOwn(result.input, key));
  return keptField === undefined
    ? result
    : {
        unsupported: `Crush keeps the field "${keptField}" even if a hook removes it; set it to a different value, or deny`,
      };
}

/** Returns the whole input with the patch applied. */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = toObject(event._native.tool_input);
  if (event.tool_name !== "multiedit") return refuseRemovedKeys(input, patchCall(TOOLS, event, input, patch));
  const files = parseEditFiles(patch);
  if ("unsupported" in files) return files;
  const [file, ...otherFiles] = files;
  return file?.operation === "update" && otherFiles.length === 0
    ? { input: { ...input, file_path: file.file_path, edits: file.edits } }
    : { unsupported: "multiedit changes one file; return one file, or deny" };
}
