import * as v from "valibot";
import type { RewriteResult } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { FileChange, ToolCall } from "../../protocol/tool.ts";
import type { NativeCall } from "./native-payloads.ts";
import { parseEditFiles } from "./patch-call.ts";
import { parseToolInput } from "./wire.ts";

// Supports `edit` tools that make several replacements in one file: `{ path, edits: [{ oldText, newText }] }`.

export const createReplacementsSchema = () =>
  v.object({ path: v.string(), edits: v.array(v.object({ oldText: v.string(), newText: v.string() })) });

/**
 * Decodes a call to an `edit` tool that makes several replacements.
 * @throws Error naming the field that is missing or has the wrong type.
 */
export function decodeReplacements(tool_name: string, rawInput: unknown, location: string): ToolCall {
  const { path: file_path, edits: given_edits } = parseToolInput(createReplacementsSchema, rawInput, location);
  const edits = given_edits.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }));
  return { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits }] } };
}

const buildReplacements = ({ file_path: path, edits }: FileChange) => ({
  path,
  edits: edits.map(({ old_string: oldText, new_string: newText }) => ({ oldText, newText })),
});

/** Builds one call per changed file. */
export const buildReplacementCalls = (files: readonly FileChange[]): NativeCall[] =>
  files.map((file) => ({ tool_name: "edit", tool_input: buildReplacements(file) }));

/** Applies a patch to a call to an `edit` tool that makes several replacements. */
export function rewriteReplacements(input: Payload, patch: Payload): RewriteResult {
  const files = parseEditFiles(patch);
  if ("unsupported" in files) return files;
  const [file, ...otherFiles] = files;
  if (!file || otherFiles.length > 0 || file.operation !== "update")
    return { unsupported: 'the edit tool changes one existing file; return one file with operation "update", or deny' };
  return { input: { ...input, ...buildReplacements(file) } };
}
