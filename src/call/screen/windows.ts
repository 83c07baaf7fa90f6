import type { Env } from "../../protocol/host/host.ts";
import { REDEFINED_COMMANDS, EQUIVALENT_COMMANDS } from "../../shell/powershell/command-names.build.ts";
import type { ReadCall } from "./shapes.ts";

/**
 * What Windows interprets differently in a path: streams, short names, and dots and spaces at the end of a name, which
 * it drops.
 */
const AMBIGUOUS_NAME = /[:~]| (?:\/|$)|[^/]\.(?:\/|$)/;

/**
 * Converts a path to the notation used on other systems: `/C:/x` for an absolute path, `x` for a relative one. Returns
 * undefined for other kinds of paths.
 */
export function toPlainPath(path: string): string | undefined {
  const hasDrive = /^[a-z]:[\\/]/i.test(path);
  const relativePath = (hasDrive ? path.slice(2) : path).replaceAll("\\", "/");
  if ((!hasDrive && relativePath.startsWith("/")) || AMBIGUOUS_NAME.test(relativePath)) return undefined;
  return `${hasDrive ? `/${path.slice(0, 2)}` : ""}${relativePath.replace(/\/$/, "")}`;
}

/**
 * Converts a call to the notation used on other systems, with the home directory in `HOME`. Returns undefined if
 * Windows might interpret a path or the command differently.
 */
export function translateCall(call: ReadCall, env: Env): { call: ReadCall; env: Env } | undefined {
  const { cwd, roots, folder = "", paths, command } = call;
  const [home, ...plain] = [env.USERPROFILE ?? "", cwd, folder, ...roots, ...paths].map(toPlainPath);
  if (home === undefined || (command !== undefined && !isPlainInAllShells(command))) return undefined;
  const [plainCwd, plainFolder, ...others] = plain.filter((path) => path !== undefined);
  if (plainCwd === undefined || plainFolder === undefined || others.length < roots.length + paths.length)
    return undefined;
  const [plainRoots, plainPaths] = [others.slice(0, roots.length), others.slice(roots.length)];
  return {
    call: { ...call, cwd: plainCwd, roots: plainRoots, folder: call.folder && plainFolder, paths: plainPaths },
    env: new Proxy<Env>({}, { get: (_, name) => (name === "HOME" ? home : getVariable(String(name), env)) }),
  };
}

/** Returns a variable's value. For `NAME=default`, returns it only if it isn't the default. */
function getVariable(name: string, env: Env): string | undefined {
  const at = name.indexOf("=");
  if (at < 0) return env[name];
  const value = env[name.slice(0, at)];
  return value?.toLowerCase() === name.slice(at + 1).toLowerCase() ? undefined : value;
}

/** Redirections to the null device. */
const NULL_TARGET = /[012]?>>? ?\/dev\/null(?=$|[\s;|&])/g;
/**
 * Matches text that Windows or one of the shells doesn't take literally. Examples are escapes, cmd.exe variables, short
 * names, streams, system and PowerShell drives (`C:x`, `env:`), options with values (`-a:b`, `-I/x`), paths without a
 * drive, names whose ending Windows drops (`x./y`), two slashes outside a URL, and the switches and null device of
 * cmd.exe. `isCmdLine` recognizes cmd.exe commands by the same switches and device, but it takes longer to load.
 */
const NON_LITERAL = new RegExp(
  [
    String.raw`[\\~\`^%\r\x01]|:[:$]|:/(?!/)|(?<!https?:)//|[\w-]\.[. ]*/`,
    String.raw`(?<![\w.-])(?:[a-z]|env|environment|hk\w+|registry|alias|function|variable|cert|wsman|filesystem):`,
    String.raw`(?<![\w.-])-\w*[:/]|(?:^|[\s"'=@,>])/|/[a-z](?![\w.-])|>\s?nul\b`,
  ].join("|"),
  "i",
);
/** A quoted string that is either a whole word or the value within one. */
const QUOTED_STRING = /(?<=^|[ =])(?:"[^"$]*"|'[^']*')(?=$|[ ;|&\n])/g;
const BARE_LINE = /^(?:[\w\s./:=+@;|\x01-]|&&|>(?:&[12])?)*$/;
const COMMAND_NAME = /^(?:[a-z]|\.\.?\/)[\w./+-]*$/i;
/** Options that don't affect what a cmdlet does, and the options of `Invoke-WebRequest`. */
const IDLE_OPTION = /^-(?:-.*|[1alnp]|l?ah?|al|lh)?$/;
const REQUEST_OPTION = /^-(?:uri|outf|inf|meth|useb|head|body|cred)/i;

/** Returns whether bash, PowerShell and cmd.exe all parse a command into the same words. */
export function isPlainInAllShells(command: string): boolean {
  const line = command.replace(NULL_TARGET, " ");
  if (NON_LITERAL.test(line)) return false;
  if (line.match(QUOTED_STRING)?.some((text) => text.includes(" /") || (text.includes(" .") && text.includes("./"))))
    return false;
  const unquoted = line.replace(QUOTED_STRING, "\x01");
  if (!BARE_LINE.test(unquoted) || /(?:^|[\s=])@/.test(unquoted)) return false;
  const parts = unquoted.split(/(&&|\|\||[;|\n])/);
  for (let at = 0; at < parts.length; at += 2) {
    const words = (parts[at] as string).split(/\s+/).filter((word) => word !== "");
    if (words.length > 0 && !isSameCommand(words, parts[at - 1] === "|")) return false;
  }
  return true;
}

function isSameCommand([program = "", ...args]: readonly string[], isPiped: boolean): boolean {
  if (!COMMAND_NAME.test(program)) return false;
  const name = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  const key = `|${name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, "")}|`;
  if (REDEFINED_COMMANDS.includes(key)) return false;
  if (!EQUIVALENT_COMMANDS.includes(key)) return true;
  const options = args.filter((word) => word.startsWith("-"));
  if (key === "|curl|") return !options.some((option) => REQUEST_OPTION.test(option));
  // A cmdlet treats piped files as its operands.
  return !isPiped && options.every((option) => IDLE_OPTION.test(option));
}
