import { resolve } from "node:path";
import type { Payload } from "../../../protocol/host/host.ts";
import type { FileChange, ReadInput } from "../../../protocol/tool.ts";
import { readConfig } from "../../setup.ts";
import { type Call, given, type Native, newText, type Output, resultAt, shellFolder, told } from "../../speak.ts";
import { TOOLS } from "../tools.ts";

export const HOST = "cursor";

// Results [seen @cursor/sdk 1.0.32, 2026-11-21].
const blocks = ({ text, is_error = false }: Output) => ({ content: [{ type: "text", text }], isError: is_error });
/** Of a form that nobody has recorded [unverified]. */
export const success = ({ text: output }: Output) => ({ success: true, output });

const write = (file_path: string, content: string) =>
  told(TOOLS, "Write", { file_path, content }, { result: () => ({ file_path, success: true }) });
const remove = (file_path: string) =>
  told(TOOLS, "Edit", { file_path }, { result: () => ({ file_path, deleted: true }) });

/** Cursor writes whole files: of a change nothing is known but what it puts there. */
function edit(file: FileChange): Native[] {
  const { file_path, operation, moved_to = file_path } = file;
  switch (operation) {
    case "add":
    case "update":
      return write(file_path, newText(file));
    case "delete":
      return remove(file_path);
    case "move":
      return [...write(moved_to, newText(file)), ...remove(file_path)];
  }
}

/** An event's call as Cursor makes it. */
export function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Bash": {
      const cwd = shellFolder(event) ?? event.cwd;
      const result = ({ text, stdout = text, exit_code: exitCode = 0 }: Output) => ({ output: stdout, exitCode });
      return told(TOOLS, event.tool, { ...event.input, cwd }, { result });
    }
    case "Read": {
      const { file_path } = event.input;
      return told(TOOLS, event.tool, event.input, {
        result: ({ text }) => ({ file_path, content_length: text.length }),
      });
    }
    case "Write":
      return write(event.input.file_path, event.input.content);
    case "Edit":
      return event.input.files.flatMap(edit);
    case "Glob": {
      const { pattern, path } = event.input;
      // All of a folder [seen @cursor/sdk 1.0.32]; others [unverified].
      if (pattern === "*") return [{ tool_name: "List", tool_input: { file_path: path ?? event.cwd, ignore: [] } }];
      return [{ tool_name: "Glob", tool_input: given({ pattern, path }) }];
    }
    case "Grep":
      return told(TOOLS, event.tool, event.input, { beside: { output_mode: "content" } });
    case "MCP":
      return [{ tool_name: `MCP:${event.input.tool}`, tool_input: event.input.arguments, result: blocks }];
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return told(TOOLS, event.tool, event.input);
  }
}

/** A file as it stands, where it is plain text of a sensible size. */
function contentOf({ file_path, content }: ReadInput, cwd: string): string {
  try {
    return content ?? readConfig(resolve(cwd, file_path));
  } catch {
    return "";
  }
}

/** What the events of their own say of a call; of an edit one payload a file. */
export function specifically(event: Call, native_event: string, duration: number | undefined): Payload[] {
  const output = (event.event === "PostToolUse" ? event.output : { text: "", raw: undefined }) as Output;
  switch (event.tool) {
    case "Bash": {
      const { command } = event.input;
      const cwd = shellFolder(event) ?? event.cwd;
      return [
        native_event === "beforeShellExecution"
          ? { command, cwd }
          : given({ command, output: output.stdout ?? output.text, duration }),
      ];
    }
    case "MCP": {
      const { server: mcp_server_name = "unknown", tool: tool_name, arguments: input } = event.input;
      const result = JSON.stringify(resultAt(event, HOST, native_event, blocks));
      return [given({ tool_name, tool_input: JSON.stringify(input), mcp_server_name, result_json: result, duration })];
    }
    case "Read":
      return [{ file_path: event.input.file_path, content: contentOf(event.input, event.cwd) }];
    case "Write": {
      const { file_path, content: new_string } = event.input;
      return [{ file_path, edits: [{ old_string: "", new_string }] }];
    }
    case "Edit":
      return event.input.files.map(({ file_path, moved_to = file_path, edits }) => ({
        file_path: moved_to,
        edits: edits.map(({ old_string, new_string }) => ({ old_string, new_string })),
      }));
    default:
      return [];
  }
}
