import type { Command } from "bridge-hooks";
import { isSameOrAbove, type LineContext, normalizePath, type OperandPath } from "./line-context.ts";

/** Programs that run containers. */
export const CONTAINER_PROGRAM = /^(?:docker|podman|nerdctl)$/;
/** Options, other than mounts, that give a container access to the host or to another container. */
const HOST_ACCESS_OPTION = /^--(?:privileged|device|volumes-from|pid|cap-add|ipc|security-opt)\b/;
const MOUNT_OPTION = /^(?:-[a-z]*v|--volume|--mount)(?:=|$)|^-v./i;
/** Mounts, such as `/srv:/data:ro`, `data:/data`, or `type=bind,source=/srv,target=/data`. */
const VOLUME_MOUNT = /^(?:-[A-Za-z]{0,9}v=?|--volume=)?([^:]*):(\/[^:]*)(?::[\w,]+)?$/;
const MOUNT_TARGET = /\b(?:target|dst|destination)=(\/[^,]*)/;
const BIND_MOUNT_SOURCE = /^[./~$`]|^[A-Za-z]:|\b(?:source|src)=[./~$`]/;

/** A directory in a container that outlives the container. */
interface MountedFolder {
  path: string;
  /**
   * Whether the directory is mounted from the host. If so, rules for commands in the container also check the path on
   * the host.
   */
  isBound: boolean;
}

/**
 * Lists the persistent directories of a new container; undefined if no container is created or if the container has
 * wider access to the host.
 */
export function listMountedFolders({ program, args }: Command): readonly MountedFolder[] | undefined {
  const isCreated = /^(?:run|create)$/.test(args[args[0] === "container" ? 1 : 0] ?? "");
  if (!CONTAINER_PROGRAM.test(program) || !isCreated || args.some((arg) => HOST_ACCESS_OPTION.test(arg)))
    return undefined;
  const mountedFolders: MountedFolder[] = [];
  for (const [at, arg] of args.entries()) {
    if (!MOUNT_OPTION.test(arg)) continue;
    const spec = [arg, args[at + 1] ?? ""].find((word) => VOLUME_MOUNT.test(word) || MOUNT_TARGET.test(word));
    if (spec === undefined) return undefined;
    const [, source = spec, target = MOUNT_TARGET.exec(spec)?.[1] ?? "/"] = MOUNT_TARGET.test(spec)
      ? []
      : (VOLUME_MOUNT.exec(spec) ?? []);
    mountedFolders.push({ path: normalizePath(target), isBound: BIND_MOUNT_SOURCE.test(source) });
  }
  return mountedFolders;
}

/** Whether a path is on the disposable disk of a container that the same command starts. */
export function isInNewContainer({ path, remote }: OperandPath, command: Command, { commands }: LineContext): boolean {
  const { via } = command;
  if (!remote || !via.some((name) => CONTAINER_PROGRAM.test(name))) return false;
  const starts = commands
    .slice(0, commands.indexOf(command) + 1)
    .findLast((candidate) => CONTAINER_PROGRAM.test(candidate.program) && candidate.via.length < via.length);
  const folders = starts && listMountedFolders(starts);
  const isInContainerFolder = (folder: MountedFolder) =>
    folder.isBound
      ? path === folder.path || !isSameOrAbove(path, folder.path)
      : !isSameOrAbove(path, folder.path) && !isSameOrAbove(folder.path, path);
  return folders?.every(isInContainerFolder) === true;
}
