import type { AnyEvent } from "../../protocol/event.ts";
import { isToolCallEvent } from "../../protocol/event.ts";
import type { FileChange, ToolCall } from "../../protocol/tool.ts";
import type { Command, Redirect } from "../../shell/index.ts";
import { statSync } from "../../system/files.ts";
import { resolve } from "../../system/paths.ts";
import { homedir } from "../../system/home.ts";
import { type ArgumentFile, findArgumentFiles } from "./argument-files.ts";
import { toNativePath } from "./expand-word.ts";
import { parseFileUrl } from "./file-url.ts";
import { getRemainingCall } from "./tool-files.ts";

/** Arguments that contain the file content a tool writes. */
const CONTENT_ARGUMENTS = /^(?:(?:file|new)_?)?(?:contents?|text|data|body)$/i;

/**
 * Returns shell commands equivalent to a file tool's call, so that rules for commands also apply to tools: `> x` for a
 * file that is overwritten (with the new content as `stdin`, if the call contains it), `>> x` for an edited file,
 * `rm -r x`, `mv x y`, `cp -r x y`, `ln x y`, `chmod x`. Returns an empty list for shell calls; use `commands` instead.
 */
export function fileCommands(event: AnyEvent): readonly Command[] {
  if (!isToolCallEvent(event)) return [];
  const files = listCallCommands(event, event.cwd);
  return event.guessed ? [...files, ...listCallCommands(getRemainingCall(event), event.cwd)] : files;
}

function listCallCommands(call: ToolCall, cwd: string): Command[] {
  switch (call.tool) {
    case "Write":
      return [createWrite(call.input.file_path, ">", call.input.content)];
    case "Edit":
      return call.input.files.flatMap((change) => listChangeCommands(change, cwd));
    case "MCP":
      return listArgumentCommands(call.input.tool, call.input.arguments, cwd);
    case "Other":
      return listArgumentCommands(call.tool_name, call.input, cwd);
    case "Bash":
    case "Read":
    case "Glob":
    case "Grep":
    case "WebFetch":
    case "WebSearch":
    case "Task":
      return [];
  }
}

function listChangeCommands({ file_path, operation, moved_to, edits }: FileChange, cwd: string): Command[] {
  switch (operation) {
    case "add":
      return [createWrite(file_path, ">", edits.map(({ new_string }) => new_string).join("\n"))];
    case "update":
      return [createWrite(file_path, ">>")];
    case "delete":
      return createRemoval(file_path, cwd);
    case "move":
      return moved_to === undefined ? [] : [createCommand("mv", [file_path, moved_to])];
  }
}

function listArgumentCommands(tool: string, input: unknown, cwd: string): Command[] {
  const files = findArgumentFiles(tool, input).filter(({ effect }) => effect !== undefined);
  const content = findContent(input);
  const [targets, sources] = [files.filter(({ isTarget }) => isTarget), files.filter(({ isTarget }) => !isTarget)];
  const commands: Command[] = [];
  for (const [at, { text, access, effect }] of files.entries()) {
    if (access !== "write") continue;
    if (effect === "write") commands.push(createWrite(text, ">", content));
    else if (effect === "edit") commands.push(createWrite(text, ">>"));
    else if (effect === "remove") commands.push(...createRemoval(text, cwd));
    else if (effect === "mode") commands.push(createCommand("chmod", ["000", text]));
    else if (at === 0 && files.length === 1 && (effect === "move" || effect === "link"))
      commands.push(...createRemoval(text, cwd));
  }
  const verb = { move: ["mv"], copy: ["cp", "-r"], link: ["ln", "-s"], mount: ["mount", "--bind"] } as const;
  for (const effect of ["move", "copy", "link", "mount"] as const) {
    const of = (list: readonly ArgumentFile[]) => list.flatMap((file) => (file.effect === effect ? [file.text] : []));
    const [from, to] = pairFiles(of(sources), of(targets));
    const [program, ...options] = verb[effect];
    for (const target of to) if (from.length > 0) commands.push(createCommand(program, [...options, ...from, target]));
    // Tools disagree about which argument names the link.
    if (effect === "link") for (const source of from) commands.push(createCommand("ln", ["-s", ...to, source]));
  }
  return commands;
}

/**
 * Splits files into sources and targets. If no argument is known to be a target, the last file is taken as the target.
 */
const pairFiles = (sources: readonly string[], targets: readonly string[]): [readonly string[], readonly string[]] =>
  targets.length > 0 || sources.length < 2 ? [sources, targets] : [sources.slice(0, -1), sources.slice(-1)];

/**
 * Returns the command that removes a file. Returns nothing for a missing file, because many tools use the same
 * arguments for remote items.
 */
const createRemoval = (text: string, cwd: string): Command[] => {
  const kind = findKind(resolve(toNativePath(cwd || "/"), expandHomePath(toPath(text))));
  if (kind === "absent") return [];
  return [createCommand("rm", kind === "file" ? [text] : ["-r", text])];
};

function findKind(path: string): "file" | "absent" | "unknown" {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? "absent" : stats.isFile() ? "file" : "unknown";
  } catch {
    return "unknown";
  }
}

const expandHomePath = (path: string): string => path.replace(/^~(?=[\\/]|$)/, () => homedir());
const toPath = (text: string): string => parseFileUrl(text) ?? text;

const createWrite = (text: string, operator: Redirect["operator"], stdin?: string): Command => {
  const path = toPath(text);
  const dynamic = markHome(path);
  return {
    ...createCommand("", []),
    words: [operator, path],
    redirects: [{ operator, target: path, ...(dynamic !== undefined && { dynamic }) }],
    ...(stdin !== undefined && { stdin }),
  };
};

function createCommand(program: string, rawArgs: readonly string[]): Command {
  const args = rawArgs.map(toPath);
  const dynamic = Object.fromEntries(
    args.flatMap((text, at) => {
      const markedText = markHome(text);
      return markedText === undefined ? [] : [[at, markedText]];
    }),
  );
  return { program, args, words: [program, ...args], redirects: [], env: {}, dynamic, cwd: "", via: [], patched: [] };
}

/** Expands `~` to the home directory. Tools don't treat any other character specially. */
const markHome = (text: string): string | undefined =>
  /^~(?=[\\/]|$)/.test(text) ? `~${text.slice(1).replace(/[\\$`*?[(]/g, "\\$&")}` : undefined;

/** Finds the content that a tool writes, by argument name. */
function findContent(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  for (const [name, value] of Object.entries(input))
    if (typeof value === "string" && CONTENT_ARGUMENTS.test(name)) return value;
  return undefined;
}
