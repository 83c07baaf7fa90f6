import { homedir } from "../../system/home.ts";
import { isAbsolute } from "node:path";
import { splitCommand } from "../../protocol/host/quote.ts";
import type { Host, Payload, ProcessInput } from "../../protocol/host/host.ts";
import type { ConfigEntry } from "../../protocol/host/install.ts";
import { isSameFile } from "../../hosts/follow-links.ts";
import { readConfigText } from "../../hosts/setup/entries.ts";
import { listSessionRoots } from "../../protocol/project.ts";

/**
 * Matchers that are safe to run: a list of names, each with an optional wildcard suffix, or everything except one
 * prefix.
 */
const SAFE_MATCHER = /^(\w+(\|\w+)*|\^\(\w+:?(\.\*)?(\|\w+:?(\.\*)?)*\)\$|\^\(\?!\w+:\))$/;
/** Compiles a matcher. Plain lists of names match whole names only. */
const compileMatcher = (matcher: string) => new RegExp(/^[\w|]+$/.test(matcher) ? `^(${matcher})$` : matcher);

/**
 * Maximum number of config characters to read. A project may have any number of files, and the host is waiting for the
 * answer.
 */
const MAX_CHARACTERS_READ = 2_000_000;

/**
 * Returns whether a host's own config contains our entry, for a host that runs our command from another host's config
 * or from a plugin. The entry in the host's own config answers the same call. The host may not obey that entry, e.g.
 * because of an invalid file or an untrusted project, so the entry isn't a reason to allow anything.
 */
export async function hasOwnEntry(
  host: Host,
  native_event: string,
  payload: Payload,
  { env }: ProcessInput,
): Promise<boolean> {
  const setup = await host.setup();
  const { platform } = process;
  const eventKey = host.eventAliases?.[native_event] ?? native_event;
  // Only names and the patterns that `install` writes are tested, because other regular expressions could take too
  // long.
  const covers = ({ matcher }: ConfigEntry) =>
    !matcher ||
    matcher === "*" ||
    matcher === ".*" ||
    (SAFE_MATCHER.test(matcher) && compileMatcher(matcher).test(String(payload.tool_name)));
  let remainingLength = MAX_CHARACTERS_READ;
  return setup
    .listConfigFiles({ roots: listSessionRoots(host.project, payload, env), home: homedir(), platform, env })
    .some(({ path, only, plugin }) => {
      if (only === "settings" || plugin) return false;
      try {
        const text = remainingLength > 0 ? readConfigText(path) : "";
        remainingLength -= text.length;
        return setup.parseEntries(text, path).some((entry) => {
          const line = entry.args
            ? [entry.command, ...entry.args]
            : splitCommand(entry.command, setup.listDialects(platform)[0], env);
          return line && entry.native_event === eventKey && covers(entry) && isOwnCommand(line, host);
        });
      } catch {
        return false;
      }
    });
}

/**
 * Returns whether a command runs this executable for this host, judged by the program's file. Relative paths never
 * match.
 */
function isOwnCommand([program = "", ...args]: readonly string[], host: Host): boolean {
  // A plugin's entry leaves the call to another entry, wherever the plugin is installed.
  if (args.some((word) => word.startsWith("--from"))) return false;
  const hostFlag = args.findIndex((word) => word === "--host");
  const id = hostFlag >= 0 ? args[hostFlag + 1] : args.find((word) => word.startsWith("--host="))?.slice(7);
  if (id !== undefined && id !== host.id) return false;
  const path = isAbsolute(program) ? program : /[\\/]/.test(program) ? null : Bun.which(program);
  return path !== null && isSameFile(path, process.execPath);
}
