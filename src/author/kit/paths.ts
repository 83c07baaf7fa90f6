import { isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import { listFileUses } from "../../shell/files.ts";
import { commands, shellCall } from "../../shell/index.ts";
import type { FileUse } from "../../shell/operands.ts";
import type { FileAccess } from "../../shell/programs/program.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { findArgumentFiles } from "./argument-files.ts";
import {
  type DiskCache,
  mayExist,
  mayBeFolder,
  createDiskCache,
  createPathsError,
  resolveRealPath,
} from "./disk-cache.ts";
import { expandWord, getShellHome, toNativePath } from "./expand-word.ts";
import { followLinks, type SymbolicLink, findCreatedLinks } from "./created-links.ts";
import { findMatchingPaths, createFolderCache, type FolderCache } from "./wildcards.ts";

/** A file that a call reads, changes, or asks about. */
export interface PathUse {
  /**
   * Absolute, with links followed as far as there is something: what is opened in the end. A file of another machine
   * (`remote`), and a path in the form of another system (`C:\x` outside of Windows), are as they were given.
   */
  path: string;
  /** Absolute, before links are followed: the name that is opened, replaced or removed. */
  named: string;
  /** As the call has it: `~/x`, `*.ts`, the `x` of `of=x`. */
  given: string;
  /** "list": only its name, size or being there. "read": its content, or below it. "write": made, changed, moved, removed. */
  access: FileAccess;
  /** Perhaps no file at all, or only read: a word of a program that isn't known, or behind a `cd` that isn't. */
  uncertain?: true;
  /** A pattern of names. What it fits now is there besides. */
  wildcard?: true;
  /** Put into the folder that `given` names: `there/x` of `cp x there`. */
  inside?: true;
  /** On another machine, in a container, or under another root. */
  remote?: true;
}

/** A use, and the folder that it is seen from. */
interface FileUseInFolder extends FileUse {
  folder: string;
  /** The folder isn't known: this one is as good as another. */
  lost?: true;
  /** The links that the line has made before. */
  links?: readonly SymbolicLink[];
}

/** What was asked for one event: of names that it tells apart from those that its wildcards fit, so that neither leaves the other without an answer. */
interface EventLookups {
  disk: DiskCache;
  wildcardDisk: DiskCache;
  reading: FolderCache;
}

/** Of a call that can't be looked at, the error. */
const knownPaths = new WeakMap<AnyEvent, readonly PathUse[] | Error>();

/**
 * Every file that a call names, in the call's order, once for each kind of access: those of file tools, patches and MCP
 * file tools, and in a shell line (an MCP tool's too) those of redirections, here-document patches and of programs' arguments. The attachments
 * of a prompt are read. Where it isn't certain what is done with a file, that is "write", and `uncertain`.
 *
 * Not found: names that are put together when a command runs (other variables than those of this process, `$(…)`), what
 * a script, a recursive program (`grep -r`, `rm -r`: the folder is found) or another language opens, files that `find` or a
 * pipe hand to `xargs`. Letters count as they are: on a file system that ignores their case, compare so. Links are followed
 * for the first few hundred names.
 * @throws Error named "ShellError" for a shell line that is too long or nested too deeply, and named "PathsError" for a call that
 * names more files than can be looked at, or whose wildcards are tried on more: the hook's failure policy decides then.
 */
export function paths(event: AnyEvent): readonly PathUse[] {
  let found = knownPaths.get(event);
  if (!found) {
    // Where the time runs out, nobody else is to begin anew.
    knownPaths.set(event, createPathsError("the files of this call take too long to look at; split it up"));
    knownPaths.set(event, (found = findPathsOrError(event)));
  }
  if (found instanceof Error) throw found;
  return found;
}

function findPathsOrError(event: AnyEvent): PathUse[] | Error {
  try {
    return findPaths(event);
  } catch (error) {
    return error as Error;
  }
}

function findPaths(event: AnyEvent): PathUse[] {
  const uses = findFileUses(event);
  const named = uses.reduce((sum, { takes = [] }) => sum + 1 + takes.length, 0);
  if (named > MAX_NAMED_FILES)
    throw createPathsError(
      `this call names too many files to look at (${named}; at most ${MAX_NAMED_FILES}); split it up`,
    );
  const asked: EventLookups = {
    disk: createDiskCache(),
    wildcardDisk: createDiskCache(),
    reading: createFolderCache(),
  };
  const found = new Map<string, PathUse>();
  for (const use of uses) {
    for (const one of locateUse(use, asked)) {
      if (!use.uncertain || hasPathForm(use) || (!one.wildcard && !one.remote && mayExist(one.named, asked.disk)))
        found.set(JSON.stringify(one), one);
    }
  }
  return [...found.values()];
}

const MAX_NAMED_FILES = 10_000;

/** The folder that an event's paths are seen from. */
function getEventFolder(event: AnyEvent): string {
  const { cwd: commandCwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  const cwd = isAbsolute(event.cwd) ? toNativePath(event.cwd) : process.cwd();
  return isToolCallEvent(event) && event.tool === "Bash" && typeof commandCwd === "string"
    ? resolve(cwd, toNativePath(commandCwd))
    : cwd;
}

function findFileUses(event: AnyEvent): FileUseInFolder[] {
  const folder = getEventFolder(event);
  if (!isToolCallEvent(event)) {
    const attached = event.event === "UserPromptSubmit" ? (event.attachments ?? []) : [];
    return attached.map((text) => ({ text, access: "read", folder }));
  }
  const inFields = (call: ToolCall) =>
    findToolFiles(call).map((use): FileUseInFolder => ({ ...use, ...markHomePath(use), folder }));
  const shell = shellCall(event);
  const found = shell ? findShellUses(shell, getEventFolder(shell)) : [];
  if (event.tool !== "Bash") found.push(...inFields(event));
  return event.guessed ? [...found, ...inFields(getRemainingCall(event))] : found;
}

/** What a guessed call has beside its line and folder, or its file and text, as a call of a tool that isn't known. */
function getRemainingCall({ tool, tool_name, input }: ToolCall): ToolCall {
  const knownValues: unknown[] =
    tool === "Bash" ? [input.command, input.cwd] : tool === "Write" ? [input.file_path, input.content] : [];
  return {
    tool: "Other",
    tool_name,
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => !knownValues.includes(value))),
  };
}

/** Tools take `~` for the home folder, as a shell does. */
const markHomePath = ({ text, dynamic }: FileUse): Partial<FileUse> =>
  dynamic === undefined && /^~(?=[\\/]|$)/.test(text)
    ? { dynamic: `~${text.slice(1).replace(/[\\$`*?[(]/g, "\\$&")}` }
    : {};

function findShellUses(event: AnyEvent, folder: string): FileUseInFolder[] {
  let links: readonly SymbolicLink[] = [];
  return commands(event).flatMap((command) => {
    const inside = command.cwd?.replace(/^~(?=\/|$)/, getShellHome);
    const seen = { folder: resolve(folder, toNativePath(inside ?? "")), ...(links.length > 0 && { links }) };
    const found = listFileUses(command).map((use): FileUseInFolder => ({
      ...use,
      ...seen,
      ...(command.guessed && { uncertain: true as const }),
      ...(inside === undefined && !use.remote && !isAbsolute(use.text) && { lost: true as const }),
    }));
    const made = findCreatedLinks(command, seen.folder);
    if (made.length === 0 || links.length > MAX_CREATED_LINKS) return found;
    links = [...links, ...made];
    return [
      ...found,
      ...made.flatMap(({ target, given, isGuess }): FileUseInFolder[] =>
        isGuess ? [] : [{ text: target, given, access: "read", ...seen }],
      ),
    ];
  });
}

/** More than these are not followed: a person makes a few. */
const MAX_CREATED_LINKS = 200;

/** The files that a file tool names. */
function findToolFiles(call: ToolCall): FileUse[] {
  switch (call.tool) {
    case "Read":
      return [{ text: call.input.file_path, access: "read" }];
    case "Write":
      return [{ text: call.input.file_path, access: "write" }];
    case "Edit":
      return call.input.files
        .flatMap(({ file_path, moved_to }) => [file_path, ...(moved_to ? [moved_to] : [])])
        .map((text) => ({ text, access: "write" }));
    case "Glob":
      return getSearchUses(call.input.path, call.input.pattern, "list");
    case "Grep":
      return getSearchUses(call.input.path, call.input.glob, "read");
    case "MCP":
      return findArgumentFiles(call.input.tool, call.input.arguments);
    case "Other":
      return findArgumentFiles(call.tool_name, call.input);
    case "Bash":
    case "WebFetch":
    case "WebSearch":
    case "Task":
      return [];
  }
}

/** A folder that is searched, and what is searched in it. */
function getSearchUses(folder = ".", pattern: string | undefined, access: FileAccess): FileUse[] {
  const name = pattern && (isAbsolute(pattern) ? pattern : `${folder}/${pattern}`);
  return [{ text: folder, access }, ...(name ? [{ text: name, dynamic: name, access }] : [])];
}

/** Whether a word has the form of a path. */
const hasPathForm = ({ text, dynamic }: FileUse) =>
  (/[\\/]|^[.~]/.test(text) || dynamic !== undefined) && !/\s/.test(text);

/** Devices that hold nothing. */
const EMPTY_DEVICES = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+)$/;
const FOREIGN_PATH = sep === "/" ? /^(?:[A-Za-z]:[\\/]|\\\\)/ : /^\/(?!\/)/;

/** Where a use lies: the name, what a wildcard in it fits, and what is put into it if it is a folder. */
function locateUse(
  { text, dynamic, given = text, access, uncertain, lost, remote, folder, takes, links = [] }: FileUseInFolder,
  { disk, wildcardDisk, reading }: EventLookups,
): PathUse[] {
  const common = { given, access, ...((uncertain || lost) && { uncertain: true as const }) };
  if (remote) return [{ path: text, named: text, ...common, remote }];
  if (text.length > MAX_PATH_LENGTH) return [{ path: text, named: text, ...common }];
  const url = parseFileUrl(text);
  if (url === undefined) return [];
  const word = expandWord(url, dynamic, folder);
  if (!word || EMPTY_DEVICES.test(word.text)) return [];
  if (FOREIGN_PATH.test(word.text)) return [{ path: word.text, named: word.text, ...common }];
  const at = (name: string, asked = disk): PathUse => ({
    path: resolveRealPath(followLinks(name, links), asked),
    named: resolve(name),
    ...common,
  });
  const absolute = (name: string) => (isAbsolute(name) ? name : `${folder}${sep}${name}`);
  if (word.pattern !== undefined) {
    const named = resolve(folder, word.text);
    return [
      { path: named, named, ...common, wildcard: true },
      ...findMatchingPaths(followLinks(absolute(word.pattern), links), reading).map((name) => at(name, wildcardDisk)),
    ];
  }
  const whole = absolute(word.text);
  const found = [at(whole)];
  if (takes && mayBeFolder(whole, disk))
    for (const name of takes) found.push({ ...at(join(whole, name)), inside: true });
  return found;
}

/** No file has a longer name. */
const MAX_PATH_LENGTH = 4096;

/** A path out of a `file:` URL; nothing for another URL. */
function parseFileUrl(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return text;
  if (!/^file:/i.test(text)) return undefined;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}
