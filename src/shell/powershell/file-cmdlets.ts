import type { Cmdlet } from "./cmdlet.ts";

// The one table of cmdlets: their aliases, their parameters, and the program that does the same, by whose name rules
// and other tables know it. Names as in PowerShell 7 and Windows PowerShell 5.1
// [docs https://learn.microsoft.com/powershell/module/].

const FILTERS = "Filter Include Exclude Force! Credential Stream";
const PATH = "Path:0~ LiteralPath/PSPath/LP~";
const PATHS = "Path LiteralPath";
const READ_TEXT = "cat";

/** Cmdlets that work on files and folders, and on what else is kept in drives. */
export const listFileCmdlets = (): readonly Cmdlet[] => [
  {
    name: "Remove-Item",
    aliases: "ri rm* rmdir* del erase rd",
    parameters: `${PATH} Recurse! ${FILTERS}`,
    as: { program: "rm", options: "Recurse=-r Force=-f Confirm=-i", operands: PATHS },
    by: "remove",
  },
  {
    name: "Get-Content",
    aliases: "gc cat* type",
    parameters: `${PATH} ReadCount TotalCount/First/Head Tail/Last Raw! Wait! Delimiter Encoding AsByteStream! ${FILTERS}`,
    as: { program: READ_TEXT, operands: PATHS },
    by: "content",
  },
  {
    name: "Set-Content",
    aliases: "sc",
    parameters: `${PATH} Value:1 PassThru! NoNewline! Encoding AsByteStream! ${FILTERS}`,
    as: { program: "tee", operands: PATHS, stdin: "Value" },
  },
  {
    name: "Add-Content",
    aliases: "ac",
    parameters: `${PATH} Value:1 PassThru! NoNewline! Encoding AsByteStream! ${FILTERS}`,
    as: { program: "tee", first: "-a", operands: PATHS, stdin: "Value" },
  },
  {
    name: "Clear-Content",
    aliases: "clc",
    parameters: `${PATH} ${FILTERS}`,
    as: { program: "truncate", first: "-s 0", operands: PATHS },
  },
  {
    name: "Out-File",
    parameters:
      "FilePath/Path:0~ Encoding:1 LiteralPath/PSPath/LP~ Append! Force! NoClobber/NoOverwrite! Width NoNewline! InputObject",
    as: { program: "tee", options: "Append=-a", operands: "FilePath LiteralPath", stdin: "InputObject" },
  },
  {
    name: "Tee-Object",
    aliases: "tee*",
    parameters: "FilePath/Path:0~ LiteralPath/PSPath/LP~ Append! Variable Encoding InputObject",
    as: { program: "tee", options: "Append=-a", operands: "FilePath LiteralPath", stdin: "InputObject" },
  },
  {
    name: "Export-Csv",
    aliases: "epcsv",
    parameters:
      "Path/FilePath:0~ LiteralPath/PSPath/LP~ Delimiter:1 Append! Force! NoClobber! NoTypeInformation/NTI! Encoding UseCulture! InputObject",
    as: { program: "tee", options: "Append=-a", operands: PATHS },
  },
  {
    name: "Export-Clixml",
    parameters: "Path:0~ LiteralPath/PSPath/LP~ Depth Force! NoClobber! Encoding InputObject",
    as: { program: "tee", operands: PATHS },
  },
  {
    name: "Import-Csv",
    aliases: "ipcsv",
    parameters: "Path:0~ Delimiter:1 LiteralPath/PSPath/LP~ UseCulture! Header Encoding",
    as: { program: READ_TEXT, operands: PATHS },
  },
  {
    name: "Import-Clixml",
    parameters: "Path:0~ LiteralPath/PSPath/LP~ Skip First IncludeTotalCount!",
    as: { program: READ_TEXT, operands: PATHS },
  },
  {
    name: "Import-PowerShellDataFile",
    parameters: "Path:0~ LiteralPath/PSPath/LP~ SkipLimitCheck!",
    as: { program: READ_TEXT, operands: PATHS },
  },
  {
    name: "Format-Hex",
    aliases: "fhx",
    parameters: "Path:0~ LiteralPath/PSPath/LP~ Encoding Count Offset Raw! InputObject",
    as: { program: "hexdump", operands: PATHS },
  },
  {
    name: "Get-FileHash",
    parameters: "Path:0~ Algorithm:1 LiteralPath/PSPath/LP~ InputStream",
    as: { program: "sha256sum", operands: PATHS },
  },
  {
    name: "Select-String",
    aliases: "sls",
    parameters:
      "Pattern:0 Path:1~ LiteralPath/PSPath/LP~ Include Exclude SimpleMatch! CaseSensitive! Quiet! List! NotMatch! AllMatches! Raw! NoEmphasis! Encoding Context Culture InputObject",
    as: { program: "grep", options: "Quiet=-q List=-l", operands: "Pattern Path LiteralPath" },
  },
  {
    name: "Get-ChildItem",
    aliases: "gci dir* ls*",
    parameters: `Path:0~ Filter:1 LiteralPath/PSPath/LP~ Include Exclude Recurse/s! Depth Force! Name! Directory/ad/d! File/af! Hidden/ah/h! ReadOnly/ar! System/as! Attributes FollowSymlink!`,
    as: { program: "ls", options: "Recurse=-R", operands: PATHS },
    by: "list",
  },
  {
    name: "Get-Item",
    aliases: "gi",
    parameters: `${PATH} ${FILTERS}`,
    as: { program: "ls", first: "-d", operands: PATHS },
    by: "item",
  },
  {
    name: "Test-Path",
    parameters: `${PATH} PathType/Type IsValid! OlderThan NewerThan ${FILTERS}`,
    as: { program: "test", first: "-e", operands: PATHS },
  },
  {
    name: "Resolve-Path",
    aliases: "rvpa",
    parameters: "Path:0~ LiteralPath/PSPath/LP~ Relative! RelativeBasePath Credential",
    as: { program: "realpath", operands: PATHS },
    by: "pass",
  },
  {
    name: "Convert-Path",
    aliases: "cvpa",
    parameters: "Path:0~ LiteralPath/PSPath/LP~",
    as: { program: "realpath", operands: PATHS },
    by: "pass",
  },
  {
    name: "Split-Path",
    parameters:
      "Path:0~ LiteralPath/PSPath/LP~ Parent! Leaf! LeafBase! Extension! Qualifier! NoQualifier! Resolve! IsAbsolute!",
    as: { program: "dirname", operands: PATHS },
    by: "split",
  },
  {
    name: "Join-Path",
    parameters: "Path/PSPath:0~ ChildPath:1~ AdditionalChildPath:2~ Resolve! Credential",
    as: { program: "echo" },
    by: "join",
  },
  {
    name: "Get-ItemProperty",
    aliases: "gp",
    parameters: `${PATH} Name:1 ${FILTERS}`,
    as: { program: "stat", operands: PATHS },
  },
  {
    name: "Get-ItemPropertyValue",
    aliases: "gpv",
    parameters: `${PATH} Name:1 ${FILTERS}`,
    as: { program: "stat", operands: PATHS },
  },
  { name: "Get-Acl", parameters: `${PATH} Audit! ${FILTERS}`, as: { program: "stat", operands: PATHS } },
  {
    name: "Set-Acl",
    parameters: `${PATH} AclObject:1 InputObject PassThru! ClearCentralAccessPolicy! ${FILTERS}`,
    as: { program: "chmod", first: "0", operands: PATHS },
  },
  {
    name: "Copy-Item",
    aliases: "cpi cp* copy",
    parameters: `${PATH} Destination:1~ Container! Recurse! PassThru! FromSession ToSession ${FILTERS}`,
    as: { program: "cp", options: "Recurse=-r Force=-f", operands: `${PATHS} Destination` },
    by: "copy",
  },
  {
    name: "Move-Item",
    aliases: "mi mv* move",
    parameters: `${PATH} Destination:1~ PassThru! ${FILTERS}`,
    as: { program: "mv", options: "Force=-f", operands: `${PATHS} Destination` },
    by: "copy",
  },
  {
    name: "Rename-Item",
    aliases: "rni ren",
    parameters: `${PATH} NewName:1 PassThru! ${FILTERS}`,
    as: { program: "mv", options: "Force=-f", operands: `${PATHS} NewName` },
    by: "rename",
  },
  {
    name: "New-Item",
    aliases: "ni",
    parameters: `Path:0~ Name ItemType/Type Value/Target Force! Credential`,
    as: { program: "touch", operands: "Path", stdin: "Value" },
    by: "create",
  },
  {
    name: "mkdir",
    aliases: "md mkdir*",
    parameters: `Path:0~ Name ItemType/Type Value Force! Credential`,
    as: { program: "mkdir", operands: "Path" },
  },
  {
    name: "Clear-Item",
    aliases: "cli",
    parameters: `${PATH} ${FILTERS}`,
    as: { program: "rm", operands: PATHS },
    by: "remove",
  },
  {
    name: "Set-Item",
    aliases: "si",
    parameters: `${PATH} Value:1 PassThru! ${FILTERS}`,
    as: { program: "tee", operands: PATHS, stdin: "Value" },
    by: "setItem",
  },
  {
    name: "Set-ItemProperty",
    aliases: "sp",
    parameters: `${PATH} Name/PSProperty:1 Value:2 PropertyType/Type PassThru! InputObject ${FILTERS}`,
    as: { program: "touch", operands: PATHS },
    by: "property",
  },
  {
    name: "New-ItemProperty",
    parameters: `${PATH} Name/PSProperty:1 Value:2 PropertyType/Type ${FILTERS}`,
    as: { program: "touch", operands: PATHS },
    by: "property",
  },
  {
    name: "Remove-ItemProperty",
    aliases: "rp",
    parameters: `${PATH} Name/PSProperty:1 ${FILTERS}`,
    as: { program: "touch", operands: PATHS },
    by: "dropProperty",
  },
  {
    name: "Clear-ItemProperty",
    aliases: "clp",
    parameters: `${PATH} Name/PSProperty:1 PassThru! ${FILTERS}`,
    as: { program: "touch", operands: PATHS },
    by: "dropProperty",
  },
  {
    name: "Rename-ItemProperty",
    aliases: "rnp",
    parameters: `${PATH} Name/PSProperty:1 NewName:2 PassThru! ${FILTERS}`,
    as: { program: "touch", operands: PATHS },
    by: "dropProperty",
  },
];
