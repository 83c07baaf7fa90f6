import type { Payload } from "../../src/protocol/host/host.ts";

// Payloads of fictional programs that read Claude Code's settings but use their own names for events, tools and fields.

/** Forms an input can take: an object, JSON text, an array of words, or plain text. */
export type Input = unknown;
export type Envelope = (tool_name: string, input: Input) => Payload;

const session = { session_id: "s", cwd: "/home/dev/app" };
const text = (input: Input) => (typeof input === "string" ? input : JSON.stringify(input));
const isFields = (input: Input): input is Payload =>
  typeof input === "object" && input !== null && !Array.isArray(input);

/** Replaces the arrays and objects in an input with their JSON text. */
const stringifyLists = (input: Payload): Payload =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === "object" ? JSON.stringify(value) : value]),
  );

/** Payload formats for a tool call. */
export const ENVELOPES: Readonly<Record<string, Envelope>> = {
  "as documented": (tool_name, tool_input) => ({
    ...session,
    transcript_path: "/t.jsonl",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
    tool_use_id: "1",
  }),
  "with only the call": (tool_name, tool_input) => ({ tool_name, tool_input }),
  "in camel case": (toolName, toolInput) => ({ eventName: "PreToolUse", threadId: "s", toolName, toolInput }),
  "in Pascal case": (ToolName, ToolInput) => ({ EventName: "PreToolUse", SessionId: "s", ToolName, ToolInput }),
  "in kebab case": (name, input) => ({
    ...session,
    "hook-event-name": "PreToolUse",
    "tool-name": name,
    "tool-input": input,
  }),
  "under short names": (tool, input) => ({ ...session, hook_event: "PreToolUse", tool, input }),
  "with arguments": (tool, args) => ({ ...session, hook_event_name: "PreToolUse", tool, arguments: args }),
  "with arguments as JSON text": (tool, args) => ({
    ...session,
    hook_event_name: "PreToolUse",
    tool,
    args: text(args),
  }),
  "with input as JSON text": (tool_name, input) => ({ ...session, tool_name, tool_input: text(input) }),
  "with another event's name": (tool_name, tool_input) => ({
    ...session,
    hook_event_name: "before_tool",
    tool_name,
    tool_input,
  }),
  "with the event in another spelling": (tool_name, tool_input) => ({
    ...session,
    hook_event_name: "pre_tool_use",
    tool_name,
    tool_input,
  }),
  "in an object": (name, input) => ({ ...session, hook_event_name: "PreToolUse", tool: { name, input } }),
  "in a function": (name, args) => ({
    ...session,
    hook_event_name: "PreToolUse",
    tool_call: { id: "1", type: "function", function: { name, arguments: text(args) } },
  }),
  twice: (name, input) => ({
    threadId: "s",
    workspaceFolders: ["/home/dev/app"],
    event_name: "tool_call",
    tool_call: { id: "1", name, input },
    preTool: { toolName: name, parameters: isFields(input) ? stringifyLists(input) : input },
  }),
  "next to the event's fields": (tool_name, input) => ({
    ...session,
    hook_event_name: "PreToolUse",
    tool_name,
    ...(isFields(input) ? input : { command: input }),
  }),
};

/** Input formats for a shell command. */
export const LINES: readonly (readonly [tool: string, build: (line: string) => Input])[] = [
  ["Bash", (command) => ({ command })],
  ["Bash", (cmd) => ({ cmd })],
  ["Bash", (script) => ({ script, description: "a step" })],
  ["Bash", (line) => ({ commands: ["ls", line] })],
  ["Bash", (line) => ({ options: { command: line } })],
  ["Bash", (command) => ({ command, shell_id: "main", workdir: "/srv" })],
  ["PowerShell", (commandLine) => ({ commandLine })],
  ["shell", (line) => line],
  ["Bash", (line) => line],
  ["run_shell_command", (line) => line.split(" ")],
  ["exec", (command) => ({ command, shell_id: "main" })],
  ["execute_command", (command) => ({ command, requires_approval: false })],
  ["run_in_terminal", (command) => ({ command, explanation: "a step" })],
  ["local_shell", (line) => ({ command: ["bash", "-lc", line], timeout_ms: 1000 })],
  ["run_commands", (line) => ({ commands: [line, "ls"] })],
  ["terminal", (line) => ({ steps: [{ cmd: "ls" }, { cmd: line }] })],
  ["mcp__box__shell", (line) => line],
  ["run_commands", (line) => ({ commands: JSON.stringify(["ls", line]) })],
  ["exec", (command) => ({ input: JSON.stringify({ command }) })],
];

/** Input formats for reading a file. */
export const READS: readonly (readonly [tool: string, build: (path: string) => Input])[] = [
  ["Read", (file_path) => ({ file_path })],
  ["Read", (path) => ({ path })],
  ["Read", (filePath) => ({ filePath, limit: 10 })],
  ["Read", (absolute_path) => ({ absolute_path })],
  ["Read", (filename) => ({ filename })],
  ["read_file", (absolute_path) => ({ absolute_path })],
  ["read_file", (target_file) => ({ target_file, should_read_entire_file: true })],
  ["view", (path) => ({ path })],
  ["read_many_files", (path) => ({ paths: ["README.md", path] })],
  ["read_files", (path) => ({ files: [{ path: "README.md" }, { path }] })],
  ["str_replace_editor", (path) => ({ command: "view", path })],
  ["Grep", (path) => ({ pattern: "x", path })],
  ["Grep", (file_path) => ({ query: "x", file_path })],
  ["search_file_content", (path) => ({ pattern: "x", path })],
];

const patch = (path: string, line: string) => `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch`;

/** Input formats for changing a file. */
export const CHANGES: readonly (readonly [tool: string, build: (path: string, content: string) => Input])[] = [
  ["Write", (file_path, content) => ({ file_path, content })],
  ["Write", (path, content) => ({ path, content })],
  ["Write", (filePath, file_text) => ({ filePath, file_text })],
  ["Write", (path, new_text) => ({ path, new_text })],
  ["Edit", (file_path, new_string) => ({ file_path, old_string: "a", new_string })],
  ["Edit", (path, new_str) => ({ path, old_str: "a", new_str })],
  ["Edit", (filePath, newString) => ({ filePath, oldString: "a", newString, replaceAll: true })],
  ["Edit", (file_path, newText) => ({ file_path, edits: [{ oldText: "a", newText }] })],
  ["Edit", (file_path, insert_text) => ({ file_path, insert_line: 1, insert_text })],
  ["MultiEdit", (file_path, new_string) => ({ file_path, edits: [{ old_string: "a", new_string }] })],
  ["NotebookEdit", (notebook_path, new_text) => ({ notebook_path, new_text })],
  ["replace", (file_path, new_string) => ({ file_path, old_string: "a", new_string })],
  ["write_file", (file_path, content) => ({ file_path, content })],
  ["create", (path, file_text) => ({ path, file_text })],
  ["str_replace_editor", (path, new_str) => ({ command: "str_replace", path, old_str: "a", new_str })],
  ["editor", (path, new_text) => ({ command: "create", path, new_text })],
  ["apply_patch", (path, line) => ({ input: patch(path, line) })],
  ["ApplyPatch", (path, line) => ({ input: JSON.stringify({ input: patch(path, line) }) })],
  ["apply_patch", patch],
];
