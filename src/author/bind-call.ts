import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { EventOf } from "../protocol/event.ts";
import { shellCall } from "../protocol/shell-call.ts";
import type { BoundFile, CallBinding } from "../call/exceptions/record.ts";
import { commands } from "../shell/index.ts";
import { git } from "./kit/git.ts";
import { paths } from "./kit/paths.ts";

/** A tool call that hasn't run yet. */
export type PendingCall = EventOf<"PreToolUse" | "PermissionRequest">;

/** Maximum number of files per call. A call with more files can't have an exception. */
const MAX_FILES = 256;
/**
 * Maximum number of bytes of file content to hash per call. Files beyond that are identified by size and timestamps.
 */
const MAX_READ_BYTES = 4 * 1024 * 1024;

const hashParts = (parts: unknown): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);

/**
 * Identifies a call by its input, its working directory, the files it names (with links resolved) and the contents of
 * the files it reads or runs. For git commands, the branch and its commit are included.
 * @throws Error if the call can't be inspected or names too many files.
 */
export function bindCall(event: PendingCall): CallBinding {
  const { tool, input, host } = event;
  const { command, file_path, arguments: given, cwd: own } = input as Readonly<Record<string, unknown>>;
  const folder = typeof own === "string" && own !== "" ? join(isAbsolute(own) ? "" : event.cwd, own) : event.cwd;
  // Where possible, use only fields shared by all events for the call.
  const subject =
    tool === "Bash" ? command : tool === "Read" ? file_path : tool === "MCP" ? [mcpTool(event), given] : input;
  const files = listBoundFiles(event);
  const repository = git({ cwd: folder });
  const state = [
    host,
    tool,
    subject,
    files,
    usesGit(event) ? [repository?.root, repository?.branch, repository?.head] : [],
  ];
  const callState = [event.tool_name, input];
  const folderNames = [folder, resolveFolder(folder)];
  const project = repository?.root ?? folderNames[1];
  const bind = (directory: unknown) => {
    const actHash = hashParts([directory, ...state]);
    return [actHash, hashParts([actHash, ...omitFolder(callState)])] as const;
  };
  const [act, exact] = bind(folderNames);
  const [actInProject, exactInProject] = bind(["project", project]);
  return { act, exact, actInProject, exactInProject, files };
}

const mcpTool = ({ input }: PendingCall) => (input as { tool?: unknown }).tool;

/** The working directory is hashed separately. */
const omitFolder = ([name, input]: readonly unknown[]) => {
  const { cwd: _, ...fields } = input as Readonly<Record<string, unknown>>;
  return [name, fields];
};

function resolveFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

const usesGit = (event: PendingCall) => {
  const call = shellCall(event);
  return call !== undefined && commands(call).some(({ program }) => program === "git");
};

function listBoundFiles(event: PendingCall): BoundFile[] {
  const pathUses = paths(event).filter(({ remote }) => !remote);
  const boundFiles = new Map<string, BoundFile>();
  let remainingBytes = MAX_READ_BYTES;
  for (const { named, path, access, uncertain } of pathUses) {
    const isRead = access === "read" || uncertain === true;
    const existing = boundFiles.get(named);
    if (existing && (!isRead || existing.content !== undefined)) continue;
    const content = isRead ? hashContent(path, remainingBytes) : undefined;
    remainingBytes -= content?.bytes ?? 0;
    boundFiles.set(named, { named, path, ...(content && { content: content.hash }) });
    if (boundFiles.size > MAX_FILES) throw new Error(`the call names more than ${MAX_FILES} files`);
  }
  return [...boundFiles.values()];
}

/** Hashes a file's content. Returns undefined if the path isn't a regular file; pipes and devices are never read. */
export function hashContent(path: string, maxBytes = MAX_READ_BYTES): { hash: string; bytes: number } | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const { size, mtimeMs, ctimeMs, ino } = fstatSync(fd);
    if (!fstatSync(fd).isFile()) return undefined;
    if (size > maxBytes) return { hash: hashParts([size, mtimeMs, ctimeMs, ino]), bytes: 0 };
    const bytes = new Uint8Array(size + 1);
    let read = 0;
    for (let count = -1; count !== 0 && read < bytes.length; read += count)
      count = readSync(fd, bytes, read, bytes.length - read, null);
    const digest = new Bun.CryptoHasher("sha256").update(bytes.subarray(0, read)).digest("hex").slice(0, 40);
    return { hash: digest, bytes: read };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
