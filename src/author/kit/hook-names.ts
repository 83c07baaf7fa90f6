import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { normalizeText } from "./comparable-path.ts";
import { listHostFiles } from "./host-files.ts";
import { EXECUTABLE_NAME, getOwnName } from "./switch-off.ts";

type Machine = Pick<MachineContext, "home" | "platform" | "env">;

/** Whether a string mentions a host's program, variables or files, or this program, ignoring quotes. */
export function mentionsHook(text: string, machine: Machine): boolean {
  const foldedText = normalizeText(text.replace(/['"\\]/g, ""));
  for (const { programs } of hostRegistry) for (const word of programs) if (foldedText.includes(word)) return true;
  for (const name of listHookNames(machine)) if (foldedText.includes(name)) return true;
  const ownName = getOwnName();
  return ownName !== undefined && foldedText.includes(ownName.toLowerCase());
}

/** Returns the names of this program and of the hosts' packages, variables and files, in lowercase. */
export function listHookNames(machine: Machine): readonly string[] {
  const files = listHostFiles(machine);
  if (cachedNames?.files === files) return cachedNames.names;
  const names = new Set([EXECUTABLE_NAME]);
  for (const { hookControls, packages } of hostRegistry) {
    for (const name of packages) names.add(name);
    for (const word of hookControls.variables) names.add(word.toLowerCase());
  }
  for (const file of files) names.add(getRecognizableName(file).toLowerCase());
  cachedNames = { files, names: [...names] };
  return cachedNames.names;
}
let cachedNames: { files: readonly string[]; names: readonly string[] } | undefined;

/**
 * Returns the part of a guarded file's path that a command must mention: the first directory of a path ending, or the
 * last segment of an absolute path.
 */
function getRecognizableName(file: string): string {
  if (file.startsWith("**/")) {
    const at = file.indexOf("/", 3);
    return at < 0 ? file.slice(3) : file.slice(3, at);
  }
  const end = file.length - (file.endsWith("/") ? 1 : 0);
  return file.slice(file.lastIndexOf("/", end - 1) + 1, end);
}
