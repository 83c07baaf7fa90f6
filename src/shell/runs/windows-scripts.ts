import { readCmd } from "../cmd/reader.ts";
import { readPowerShell } from "../powershell/reader.ts";
import type { ShellReader } from "../scope.ts";

/** Reads a script in a Windows shell's syntax. */
export const readForeign: ShellReader["readForeign"] = (shell, text, scope) =>
  shell === "cmd" ? readCmd(text, scope) : readPowerShell(text, scope);
