import { quoteCommand } from "../../protocol/host/quote.ts";
import { isObject } from "../../protocol/object.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { createFieldError, joinUnique, requireOneValue } from "../codec/wire.ts";

// In one call, most of Cline's tools accept several commands, files or URLs. The input is an object with a list in one
// field, a single item, or the list itself [seen 3.0.65, 2026-11-29]. This file flattens a call into one item that
// combines all of them, so no rule misses any.

interface ListTool {
  /** Names of the fields that can contain the list. New calls use the first name. */
  listFields: readonly [string, ...string[]];
  /** Names of an item's text field. A plain string is treated as an object with the first of these fields. */
  textFields: readonly [string, ...string[]];
}

const LIST_TOOLS: Readonly<Record<string, ListTool>> = {
  run_commands: { listFields: ["commands"], textFields: ["command", "cmd"] },
  read_files: { listFields: ["files", "file_paths", "paths"], textFields: ["path", "file_path", "filePath"] },
  search_codebase: { listFields: ["queries"], textFields: ["query"] },
  fetch_web_content: { listFields: ["requests"], textFields: ["url"] },
};

const getListTool = (tool_name: string): ListTool | undefined =>
  Object.hasOwn(LIST_TOOLS, tool_name) ? LIST_TOOLS[tool_name] : undefined;

/** A call flattened into one item. */
export interface FlatInput {
  item: Payload;
  /** The text of each item. */
  texts: readonly string[];
}

/** Whether an item is only a line range, which belongs to the preceding file [shipped 3.0.65]. */
const isRangeOnly = (item: Payload) => Object.keys(item).every((key) => key === "start_line" || key === "end_line");

/**
 * Lists a call's items, each with its text in the first text field.
 * @throws Error if an item is neither a string nor an object with a text field.
 */
function listItems({ listFields, textFields }: ListTool, input: unknown, location: string): Payload[] {
  const isPlain = isObject(input) && !Array.isArray(input);
  const rawItems = isPlain ? listFields.flatMap((name) => input[name] ?? []) : [input].flat();
  // If a call mixes several forms, it isn't known which one Cline uses, so check them all.
  if (
    isPlain &&
    (textFields.some((name) => input[name] !== undefined) || listFields.every((name) => input[name] === undefined))
  )
    rawItems.push(input);
  return rawItems.flatMap((rawItem): Payload[] => {
    if (typeof rawItem === "string") return [{ [textFields[0]]: rawItem }];
    if (!isObject(rawItem) || Array.isArray(rawItem))
      throw createFieldError(location, listFields[0], rawItem, "string");
    const text = requireOneValue(pickStrings(rawItem, textFields, location), location);
    if (text === undefined && isRangeOnly(rawItem) && Object.keys(rawItem).length > 0) return [];
    if (text === undefined) throw createFieldError(location, listFields[0], undefined, "string");
    return [{ ...rawItem, [textFields[0]]: text }];
  });
}

function pickStrings(item: Payload, names: readonly string[], location: string): Record<string, string> {
  const strings: Record<string, string> = {};
  for (const name of names) {
    const value = item[name] ?? undefined;
    if (typeof value === "string") strings[name] = value;
    else if (value !== undefined) throw createFieldError(location, name, value, "string");
  }
  return strings;
}

/** Returns the delimiter if a line starts a here-document. */
const findDelimiter = (line: string): string | undefined =>
  /(?:^|[^<])<<-?\s*(?:"([^"]+)"|'([^']+)'|([\w./-]+))/.exec(line)?.slice(1).find(Boolean);

/**
 * Joins a here-document into one command if its lines are separate list items, as Cline does [seen 3.0.65, 2026-11-29].
 */
function joinDocuments(lines: readonly string[]): string[] {
  const joinedLines: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const delimiter = findDelimiter(line);
    const end =
      delimiter === undefined
        ? -1
        : lines.findIndex((otherLine, index) => index > at && otherLine.trim() === delimiter);
    joinedLines.push(end < 0 ? line : lines.slice(at, end + 1).join("\n"));
    if (end >= 0) at = end;
  }
  return joinedLines;
}

/** Formats a call's items as shell commands, which Cline runs concurrently, each in its own shell. */
function joinCommands(items: readonly Payload[]): string[] {
  const isDirect = ({ args }: Payload) => Array.isArray(args);
  const runs: string[] = [];
  let lines: string[] = [];
  for (const item of [...items, { args: [] }]) {
    if (!isDirect(item)) {
      lines.push(item.command as string);
      continue;
    }
    runs.push(...joinDocuments(lines));
    lines = [];
    // The item is a program with arguments, which Cline runs without a shell.
    if (item.command !== undefined)
      runs.push(quoteCommand([item.command, ...(item.args as unknown[])].map(String), "sh"));
  }
  return runs;
}

/** Wraps a command in its own shell, since the commands of one call share neither a working directory nor variables. */
const wrapCommand = (command: string) => `bash -c '${command.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Joins commands into one shell command. They aren't quoted on Windows, where Cline's shell is PowerShell [shipped
 * 3.0.65] and quoting would change the command's words.
 */
const joinShells = (commands: readonly string[]) =>
  (process.platform === "win32" ? commands : commands.map(wrapCommand)).join("\n");

/** Returns a call's input as a single item; undefined if the tool doesn't accept a list. */
export function flattenInput(tool_name: string, input: unknown, location: string): FlatInput | undefined {
  const tool = getListTool(tool_name);
  if (!tool) return undefined;
  const [name] = tool.textFields;
  const items = listItems(tool, input, location);
  const texts = tool_name === "run_commands" ? joinCommands(items) : items.map((item) => item[name] as string);
  if (texts.length === 1) return { item: { ...items[0], [name]: texts[0] }, texts };
  switch (tool_name) {
    case "run_commands":
      return { item: { [name]: joinShells(texts) }, texts };
    case "search_codebase":
      return { item: { [name]: texts.join("|") }, texts };
    case "fetch_web_content":
      return { item: { [name]: texts.join(" "), prompt: joinUnique(...items.map(readPrompt)) }, texts };
    default:
      return { item: { [name]: texts.join(" ") }, texts };
  }
}

const readPrompt = ({ prompt }: Payload) => (typeof prompt === "string" ? prompt : undefined);

/** Converts an item back to the tool's input; the inverse of `flattenInput`. */
export function wrapItem(tool_name: string, item: Payload): Payload {
  const tool = getListTool(tool_name);
  if (!tool) return item;
  const [text] = tool.textFields;
  const hasPlainItems = tool_name === "run_commands" || tool_name === "search_codebase";
  return { [tool.listFields[0]]: [hasPlainItems ? item[text] : item] };
}
