const splitAtSpaces = (names: string): readonly string[] => names.split(" ");

/** Cmdlets and Windows programs that the parser maps to programs named in rules. */
export const FOREIGN_CMDLETS = splitAtSpaces(
  "remove-item clear-item get-item get-childitem set-content out-file tee-object export-csv export-clixml set-item new-item " +
    "clear-content move-item rename-item copy-item xcopy robocopy set-acl icacls cacls takeown stop-process stop-service " +
    "remove-service remove-itemproperty clear-itemproperty rename-itemproperty invoke-sqlcmd get-wmiobject get-ciminstance " +
    "remove-wmiobject remove-ciminstance invoke-wmimethod invoke-cimmethod",
);

/** PowerShell aliases and cmd.exe builtins whose names could mean something else in other shells. */
export const FOREIGN_ALIASES = splitAtSpaces(
  "ri rd del erase rmdir cli gi gci dir sc epcsv si ni clc mi move rni ren rename cpi copy attrib spps spsv rp clp rnp " +
    "gwmi gcim rwmi rcim iwmi icim",
);
