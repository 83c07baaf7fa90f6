import { join } from "node:path";
import type { CallConditions, FileAccessName } from "../../protocol/rule.ts";
import type { RuleExample } from "../../policy/rules.ts";
import type { completeEvent } from "../../author/testing/event.ts";

/** A tool call without the fields that all events share. */
export type ExampleCall = Omit<Extract<Parameters<typeof completeEvent>[0], { event: "PreToolUse" }>, "event">;

/** For each kind of access, the call of a file tool. */
const FILE_CALLS: Readonly<Record<FileAccessName, (file_path: string) => object>> = {
  read: (file_path) => ({ tool: "Read", input: { file_path } }),
  edit: (file_path) => ({ tool: "Write", input: { file_path, content: "example" } }),
  delete: (file_path) => ({ tool: "Edit", input: { files: [{ file_path, operation: "delete", edits: [] }] } }),
};

/** Creates the call that a rule's example stands for. */
export function createExampleCall(example: RuleExample, folder: string): ExampleCall {
  if (typeof example === "string") return toCall({ tool: "Bash", input: { command: example } });
  const { path, access } = example as { path?: string; access?: FileAccessName };
  if (path !== undefined)
    return toCall(FILE_CALLS[access as FileAccessName](/^(?:[~/]|[A-Za-z]:)/.test(path) ? path : join(folder, path)));
  const { url, method } = example as { url?: string; method?: string };
  if (url !== undefined) {
    const fullUrl = url.includes("://") ? url : `https://${url}`;
    return toCall(
      method === undefined
        ? { tool: "WebFetch", input: { url: fullUrl } }
        : { tool: "Other", tool_name: "fetch", input: { url: fullUrl, method } },
    );
  }
  const { mcp, tool = "any", arguments: toolArguments = {} } = example as CallConditions["tool"];
  return toCall(
    mcp === undefined
      ? { tool: "Other", tool_name: tool, input: toolArguments }
      : { tool: "MCP", tool_name: `mcp__${mcp}__${tool}`, input: { server: mcp, tool, arguments: toolArguments } },
  );
}

const toCall = (call: object): ExampleCall => call as ExampleCall;
