import { constants } from "node:fs";
import { dirname } from "node:path";
import { findProgram } from "../../hosts/find-program.ts";
import { readOutput } from "../../hosts/run-program.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { mayAccess } from "../machine/files.ts";
import { DEFAULT_PROGRAM_PATHS } from "../mdm/programs.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Package managers with recognizable installation directories, and their update commands. */
const INSTALL_FOLDER_OWNERS: readonly (readonly [path: RegExp, owner: string, command: string])[] = [
  [/[\\/]node_modules[\\/]/, "npm", "npm install bridge-hooks@latest"],
  [/[\\/](Cellar|homebrew)[\\/]/, "Homebrew", "brew upgrade bridge-hooks"],
  [/[\\/]scoop[\\/]apps[\\/]/i, "Scoop", "scoop update bridge-hooks"],
  [/[\\/]WinGet[\\/]Packages[\\/]/i, "winget", "winget upgrade BridgeHooks.BridgeHooks"],
  [/[\\/]mise[\\/]installs[\\/]/, "mise", "mise upgrade bridge-hooks"],
  [/[\\/]aquaproj-aqua[\\/]/, "aqua", "aqua update"],
  [/^\/nix\/store\//, "Nix", "your flake or channel"],
];

/** Package managers that can list their installed files. */
const FILE_LISTING_MANAGERS: readonly (readonly [argv: readonly string[], owner: string, command: string])[] = [
  [["dpkg", "-S"], "dpkg", "apt and the new .deb"],
  [["rpm", "-qf"], "rpm", "dnf and the new .rpm"],
];

/**
 * Explains why an executable must not update itself, and how to update it instead. Returns undefined if the executable
 * may update itself.
 * @param file path of the executable, with all links resolved
 */
export function explainOwner(file: string, entries: readonly HookDescriptor[]): string | undefined {
  if (entries.some(({ origin }) => origin !== "starter"))
    return `the executable contains your own hooks, which are not in a release; build the executable again with the new release: ${getOwnCommand()} build`;
  const [, owner, command] = INSTALL_FOLDER_OWNERS.find(([path]) => path.test(file)) ?? findListedOwner(file) ?? [];
  if (owner !== undefined) return `${file} belongs to ${owner}; update it with ${command}`;
  if (Object.values(DEFAULT_PROGRAM_PATHS).includes(file))
    return `${file} was deployed by an administrator; update it the same way`;
  if (!mayAccess(dirname(file), constants.W_OK))
    return `no permission to write to ${dirname(file)}; ask an administrator to update the executable`;
  return undefined;
}

function findListedOwner(file: string) {
  return FILE_LISTING_MANAGERS.find(([argv]) => {
    const program = findProgram(argv[0] ?? "", { path: process.env.PATH ?? "" });
    if (program === undefined) return false;
    try {
      return (
        readOutput({ argv: [...argv, file], cwd: dirname(file), env: process.env, timeout: 5_000 }).exit_code === 0
      );
    } catch {
      return false;
    }
  });
}
