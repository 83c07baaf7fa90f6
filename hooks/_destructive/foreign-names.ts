/**
 * What cmdlets and the builtins of cmd.exe, and the programs of Windows, are in the rules: after each such program, the
 * names that stand for it. `bridge-hooks` reads them so, and a glance at a line has to know them as well.
 */
const FOREIGN_NAMES: readonly (readonly [program: string, cmdlets: string, aliases?: string])[] = [
  ["rm", "remove-item clear-item get-item get-childitem", "ri rd del erase rmdir cli gi gci dir"],
  ["tee", "set-content out-file tee-object export-csv export-clixml set-item new-item", "sc epcsv si ni"],
  ["truncate", "clear-content", "clc"],
  ["mv", "move-item rename-item", "mi move rni ren rename"],
  ["cp", "copy-item xcopy", "cpi copy"],
  ["rsync", "robocopy"],
  ["chmod", "set-acl icacls cacls", "attrib"],
  ["chown", "takeown"],
  ["kill", "stop-process", "spps"],
  ["service", "stop-service remove-service", "spsv"],
  ["reg", "remove-itemproperty clear-itemproperty rename-itemproperty", "rp clp rnp"],
  ["sqlcmd", "invoke-sqlcmd"],
  [
    "wmic",
    "get-wmiobject get-ciminstance remove-wmiobject remove-ciminstance invoke-wmimethod invoke-cimmethod",
    "gwmi gcim rwmi rcim iwmi icim",
  ],
];

/** Names that no POSIX shell has a command for, each with the program that it stands for: `|remove-item=rm|`. */
export const FOREIGN_CMDLETS = `|${FOREIGN_NAMES.flatMap(([program, cmdlets]) => cmdlets.split(" ").map((name) => `${name}=${program}`)).join("|")}|`;
/** Names that may be other words elsewhere. */
export const FOREIGN_ALIASES = `|${FOREIGN_NAMES.flatMap(([program, , aliases]) => aliases?.split(" ").map((name) => `${name}=${program}`) ?? []).join("|")}|`;
