import { isAbsolute, join, resolve, sep } from "../../system/paths.ts";
import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import { setChangeKinds } from "../../shell/files/file-changes.ts";
import { listFileUses } from "../../shell/files/files.ts";
import { shellCall } from "../../protocol/shell-call.ts";
import { commands } from "../../shell/index.ts";
import type { FileUse } from "../../shell/files/operands.ts";
import type { FileAccess, FileChangeKind } from "../../shell/programs/program.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import {
  type DiskCache,
  mayExist,
  mayBeFolder,
  createDiskCache,
  createPathsError,
  resolveRealPath,
} from "./disk-cache.ts";
import { getEventFolder } from "./event-folder.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";
import { followLinks, type SymbolicLink, findCreatedLinks } from "./created-links.ts";
import { parseFileUrl } from "./file-url.ts";
import { expandWord } from "./word-path.ts";
import { findMatchingPaths, createFolderCache, type FolderCache } from "./wildcards.ts";
import { findToolFiles, getRemainingCall } from "./tool-files.ts";

/** A file that a call reads, writes or lists. */
export interface PathUse {
  /**
   * The file that is ultimately opened: an absolute path, with links in its existing part resolved. Paths on another
   * machine (`remote`) and paths for another platform (`C:\x` outside Windows) are left unchanged.
   */
  path: string;
  /** The absolute path before links are resolved, i.e. the name that is opened, replaced or removed. */
  named: string;
  /** The path as written in the call: `~/x`, `*.ts`, the `x` in `of=x`. */
  given: string;
  /**
   * "list": the call reads only the file's name, size or existence. "read": the call reads its content, or files below
   * it. "write": the call creates, changes, moves or removes the file.
   */
  access: FileAccess;
  /**
   * Set if the path might not be a file or might only be read: an argument of an unknown program, or a path after a
   * `cd` to an unknown directory.
   */
  uncertain?: true;
  /** Set if the path is a glob. Files that currently match are listed separately. */
  wildcard?: true;
  /** Set for a file created in the directory named by `given`: `there/x` in `cp x there`. */
  inside?: true;
  /** Set for a directory that receives files the call doesn't name, such as files from an archive. */
  fills?: true;
  /** Set if the path is on another machine, in a container or under another root. */
  remote?: true;
  /**
   * How a "write" changes the file, if certain. "edit": the file's content changes. "delete": the file is deleted or
   * moved away. "delete-all": a directory is deleted or moved away with all its contents. "any": one of these changes.
   */
  change?: FileChangeKind;
}

/** A file that a command uses, with the directory that its path is relative to. */
interface FileUseInFolder extends FileUse {
  folder: string;
  /** The directory in which the command line starts. */
  start?: string;
  /** Set if the directory is unknown and `folder` is a guess. */
  isFolderGuessed?: true;
  /** Links that earlier commands create. */
  links?: readonly SymbolicLink[];
}

/**
 * File system lookups for one event. Names and wildcard matches have separate limits, so that neither can exhaust the
 * other's.
 */
interface EventLookups {
  disk: DiskCache;
  wildcardDisk: DiskCache;
  reading: FolderCache;
}

/**
 * Cached results, keyed by event. An error means that the files couldn't be determined, and undefined means that a
 * search is still running.
 */
const knownPaths = new WeakMap<AnyEvent, readonly PathUse[] | Error | undefined>();

/**
 * Lists every file that a call names, in order, once per kind of access. The list includes files of file tools, patches
 * and MCP file tools. For shell commands (also those of an MCP tool), it includes files in redirections, here-document
 * patches and program arguments. Prompt attachments count as read. If the kind of access is unknown, the access is
 * "write" and `uncertain` is set.
 *
 * The list doesn't include names built at run time (variables that this process doesn't have, `$(…)`). It doesn't
 * include files that are opened by a script, by a recursive program (for `grep -r` or `rm -r`, only the directory is
 * listed) or by code in another language. It also lacks files that `find` or a pipe passes to `xargs`, unless the
 * command shows their names. Paths keep their case: compare them with `comparablePath`. Links are resolved for the
 * first few hundred names.
 *
 * @throws Error named "ShellError" for a shell command that is too long or nested too deeply, and named "PathsError"
 * for a call with too many files or wildcard matches. The hook's failure policy then decides.
 */
export function paths(event: AnyEvent): readonly PathUse[] {
  let cached = knownPaths.get(event);
  if (!cached) {
    // If the time limit interrupts this search, other hooks must not restart it.
    if (knownPaths.has(event)) throw createPathsError("checking the files in this call took too long; split the call");
    knownPaths.set(event, undefined);
    knownPaths.set(event, (cached = findPathsOrError(event)));
  }
  if (cached instanceof Error) throw cached;
  return cached;
}

function findPathsOrError(event: AnyEvent): PathUse[] | Error {
  try {
    return findPaths(event);
  } catch (error) {
    return error as Error;
  }
}

function findPaths(event: AnyEvent): PathUse[] {
  const fileUses = findFileUses(event);
  let namedCount = fileUses.length;
  for (const { takes } of fileUses) namedCount += takes?.length ?? 0;
  if (namedCount > MAX_NAMED_FILES)
    throw createPathsError(
      `this call names ${namedCount} files, too many to check (at most ${MAX_NAMED_FILES}); split the call`,
    );
  const lookups: EventLookups = {
    disk: createDiskCache(),
    wildcardDisk: createDiskCache(),
    reading: createFolderCache(),
  };
  const usesByKey = new Map<string, PathUse>();
  for (const use of fileUses) {
    for (const pathUse of locateUse(use, lookups)) {
      if (
        !use.uncertain ||
        hasPathForm(use) ||
        (!pathUse.wildcard && !pathUse.remote && mayExist(pathUse.named, lookups.disk))
      )
        usesByKey.set(JSON.stringify(pathUse), pathUse);
    }
  }
  return [...usesByKey.values()];
}

const MAX_NAMED_FILES = 10_000;

function findFileUses(event: AnyEvent): FileUseInFolder[] {
  const folder = getEventFolder(event);
  if (!isToolCallEvent(event)) {
    const attachments = event.event === "UserPromptSubmit" ? (event.attachments ?? []) : [];
    return attachments.map((text) => ({ text, access: "read", folder }));
  }
  const inFields = (call: ToolCall) =>
    findToolFiles(call).map((use): FileUseInFolder => ({ ...use, ...markHomePath(use), folder }));
  const shell = shellCall(event);
  const shellUses = shell ? findShellUses(shell, getEventFolder(shell)) : [];
  if (event.tool !== "Bash") shellUses.push(...inFields(event));
  return event.guessed ? [...shellUses, ...inFields(getRemainingCall(event))] : shellUses;
}

/** Expands `~` to the home directory, as tools and shells do. */
const markHomePath = ({ text, dynamic }: FileUse): Partial<FileUse> =>
  dynamic === undefined && /^~(?=[\\/]|$)/.test(text)
    ? { dynamic: `~${text.slice(1).replace(/[\\$`*?[(]/g, "\\$&")}` }
    : {};

function findShellUses(event: AnyEvent, folder: string): FileUseInFolder[] {
  let links: readonly SymbolicLink[] = [];
  return commands(event).flatMap((command) => {
    const commandFolder = command.cwd?.replace(/^~(?=\/|$)/, getShellHome);
    const context = {
      folder: resolve(folder, toNativePath(commandFolder ?? "")),
      start: folder,
      ...(links.length > 0 && { links }),
    };
    const fileUses = setChangeKinds(command, listFileUses(command)).map((use): FileUseInFolder => ({
      ...use,
      ...context,
      ...(command.guessed && { uncertain: true as const }),
      ...(commandFolder === undefined && !use.remote && !isAbsolute(use.text) && { isFolderGuessed: true as const }),
    }));
    const createdLinks = findCreatedLinks(command, context.folder);
    if (createdLinks.length === 0 || links.length > MAX_CREATED_LINKS) return fileUses;
    links = [...links, ...createdLinks];
    return [
      ...fileUses,
      ...createdLinks.flatMap(({ target, given, isGuess }): FileUseInFolder[] =>
        isGuess ? [] : [{ text: target, given, access: "read", ...context }],
      ),
    ];
  });
}

/** Maximum number of links to follow. Ordinary scripts create only a few. */
const MAX_CREATED_LINKS = 200;

/** Whether a word looks like a path. */
const hasPathForm = ({ text, dynamic }: FileUse) =>
  (/[\\/]|^[.~]/.test(text) || dynamic !== undefined) && !/\s/.test(text);

/** Device files without stored content. */
const EMPTY_DEVICES = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+)$/;
const FOREIGN_PATH = sep === "/" ? /^(?:[A-Za-z]:[\\/]|\\\\)/ : /^\/(?!\/)/;

/** Resolves a file use to paths: the name itself, wildcard matches and, for a directory, the files created in it. */
function locateUse(
  {
    text,
    dynamic,
    given = text,
    access,
    uncertain,
    isFolderGuessed,
    remote,
    folder,
    start,
    takes,
    fills,
    change,
    links = [],
  }: FileUseInFolder,
  { disk, wildcardDisk, reading }: EventLookups,
): PathUse[] {
  const common = {
    given,
    access,
    ...((uncertain || isFolderGuessed) && { uncertain: true as const }),
    ...(fills && { fills }),
    ...(change && { change }),
  };
  if (remote) return [{ path: text, named: text, ...common, remote }];
  if (text.length > MAX_PATH_LENGTH) return [{ path: text, named: text, ...common }];
  const url = parseFileUrl(text);
  if (url === undefined) return [];
  const word = expandWord(url, dynamic, folder, start);
  if (!word || (word.text.startsWith("/dev/") && EMPTY_DEVICES.test(word.text))) return [];
  if (FOREIGN_PATH.test(word.text)) return [{ path: word.text, named: word.text, ...common }];
  const at = (name: string, lookups = disk): PathUse => ({
    path: resolveRealPath(followLinks(name, links), lookups),
    named: resolve(name),
    ...common,
  });
  const toAbsolute = (name: string) => (isAbsolute(name) ? name : `${folder}${sep}${name}`);
  if (word.pattern !== undefined) {
    const namedPath = resolve(folder, word.text);
    return [
      { path: namedPath, named: namedPath, ...common, wildcard: true },
      ...findMatchingPaths(followLinks(toAbsolute(word.pattern), links), reading).map((name) => at(name, wildcardDisk)),
    ];
  }
  const fullPath = toAbsolute(word.text);
  const uses = [at(fullPath)];
  if (takes && mayBeFolder(fullPath, disk))
    for (const name of takes) uses.push({ ...at(join(fullPath, name)), inside: true });
  return uses;
}

/** Maximum length of a path, longer than any valid path. */
const MAX_PATH_LENGTH = 4096;
