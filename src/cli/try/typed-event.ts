import { type AnyEvent, type EventName, EVENTS } from "../../protocol/event.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { type Tool, TOOLS } from "../../protocol/tool.ts";
import { completeEvent, isToolCallEvent, listRequiredFields } from "../../author/testing/event.ts";
import { parseJsonObject } from "./json.ts";

/** The parts of an event given on the command line. */
interface TypedEvent {
  event?: string;
  tool?: string;
  input?: string;
  command?: string;
  prompt?: string;
  path: readonly string[];
  fields?: string;
}

/** Maps each field of a tool's input to the flag that sets it. */
const FIELD_FLAGS: Readonly<Record<string, string>> = {
  command: "--command",
  file_path: "--path",
  content: "--path",
  files: "--path",
  prompt: "--prompt",
};

/** Maps each flag to the tools whose input has the field it sets. */
const FLAG_TOOLS: Readonly<Record<"command" | "prompt" | "path", readonly Tool[]>> = {
  command: ["Bash"],
  prompt: ["Task", "WebFetch"],
  path: ["Read", "Write", "Edit", "Glob", "Grep"],
};

/**
 * Builds the event from the command-line options; missing parts get defaults.
 * @throws Error that names the missing or invalid part.
 */
export function parseTypedEvent(options: TypedEvent): AnyEvent {
  const { command, prompt, path } = options;
  const event = findKnownName(
    "event",
    options.event ?? (prompt !== undefined && options.tool === undefined ? "UserPromptSubmit" : "PreToolUse"),
    EVENTS,
  );
  if (event === "Native")
    throw new Error("a Native event belongs to one host; pass that host's payload: --payload FILE");
  const extraFields = options.fields === undefined ? {} : parseJsonObject(options.fields, "--fields");
  const setting = { host: "bridge-hooks", session_id: "bridge-hooks-try", cwd: process.cwd() };
  if (!isToolCallEvent(event)) {
    const [odd] =
      Object.entries({ tool: options.tool, command, input: options.input, path: path[0] }).find(
        ([, value]) => value !== undefined,
      ) ?? [];
    if (odd) throw new Error(`--${odd} describes a tool call, but ${event} is not a tool call`);
    if (event === "UserPromptSubmit" && prompt === undefined && extraFields.prompt === undefined)
      throw new Error(`${event} needs a prompt: pass --prompt TEXT`);
    return completeEvent({ event, ...(prompt !== undefined && { prompt }), ...extraFields }, setting);
  }
  const tool = chooseTool(options, event);
  const shorthand = { command, prompt, path: path[0] };
  for (const [flag, tools] of Object.entries(FLAG_TOOLS)) {
    const value = shorthand[flag as keyof typeof shorthand];
    if (value !== undefined && !tools.includes(tool)) throw new Error(`--${flag} is for ${tools.join(", ")}`);
  }
  if (command?.trim() === "") throw new Error("--command is empty; pass a shell command");
  return completeEvent({ event, tool, input: buildInput(options, tool), ...extraFields }, setting);
}

function findKnownName<const N extends string>(kind: string, typedName: string, names: readonly N[]): N {
  const match = names.find((name) => name === typedName);
  if (match === undefined)
    throw new Error(`unknown ${kind} "${typedName}"${suggestName(typedName, names) || `; known: ${names.join(", ")}`}`);
  return match;
}

function chooseTool({ tool, command, prompt, path }: TypedEvent, event: EventName): Tool {
  if (tool !== undefined) return findKnownName("tool", tool, TOOLS);
  if (command !== undefined) return "Bash";
  if (path.length > 0) return "Read";
  if (prompt !== undefined) return "Task";
  throw new Error(`${event} needs a tool call: pass --command LINE, --path FILE, or --tool TOOL --input JSON`);
}

function buildInput({ input, command, prompt, path }: TypedEvent, tool: Tool): Record<string, unknown> {
  const fields = {
    ...(command !== undefined && { command }),
    ...(prompt !== undefined && { prompt }),
    ...buildPathInput(path, tool),
  };
  if (input !== undefined) return { ...fields, ...parseJsonObject(input, "--input") };
  const missingFields = listRequiredFields(tool).filter((name) => !Object.hasOwn(fields, name));
  if (missingFields.length === 0) return fields;
  const flags = [...new Set(missingFields.map((name) => FIELD_FLAGS[name]).filter((flag) => flag !== undefined))];
  const example = JSON.stringify(
    Object.fromEntries(missingFields.map((name) => [name, name === "arguments" ? {} : "…"])),
  );
  throw new Error(
    `--tool ${tool} needs ${flags.length === 0 ? `--input '${example}'` : [...flags, "--input"].join(" or ")}`,
  );
}

/** Builds a tool's input from paths. The content is empty, because most hooks ignore it. */
function buildPathInput([path, ...more]: readonly string[], tool: Tool): Record<string, unknown> {
  if (path === undefined) return {};
  if (tool === "Edit") {
    const edits = [{ old_string: "", new_string: "" }];
    return { files: [path, ...more].map((file_path) => ({ file_path, operation: "update", edits })) };
  }
  if (more.length > 0) throw new Error(`--tool ${tool} takes one --path`);
  return tool === "Glob" || tool === "Grep" ? { path } : { file_path: path, ...(tool === "Write" && { content: "" }) };
}
