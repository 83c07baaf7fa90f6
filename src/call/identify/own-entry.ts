import { homedir } from "../../system/home.ts";
import { isAbsolute } from "node:path";
import { splitCommand } from "../../protocol/host/quote.ts";
import type { Host, Payload, ProcessInput } from "../../protocol/host/host.ts";
import type { ConfigEntry } from "../../protocol/host/install.ts";
import { isSameFile } from "../../hosts/follow-links.ts";
import { readConfigText } from "../../hosts/setup/entries.ts";
import { listSessionRoots } from "../../protocol/project.ts";

/**
 * Recognizes matchers that are safe to run: a list of names, each with an optional wildcard suffix, or everything
 * except one prefix.
 */
const SAFE_MATCHER = /^(\w+(\|\w+)*|\^\(\w+:?(\.\*)?(\|\w+:?(\.\*)?)*\)\$|\^\(\?!\w+:\))$/;
/** Compiles a matcher. A plain list of names matches whole names only. */
const compileMatcher = (matcher: string) => new RegExp(/^[\w|]+$/.test(matcher) ? `^(${matcher})$` : matcher);

/**
 * Maximum number of config characters to read. A project may have any number of files, and the host is waiting for an
 * answer.
 */
const MAX_CHARACTERS_READ = 2_000_000;

/**
 * Returns whether a host's own config has an entry of ours that answers the same call. Used when the host runs our
 * command from another host's config or from a plugin. The host may ignore its own entry, for example if the file is
 * invalid or the project isn't trusted, so never allow a call because that entry exists.
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
  // Test only names and the patterns that `install` writes. Other regular expressions could take too long.
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
 * Returns whether a command runs this executable for this host, going by the program's file. Relative paths never
 * match.
 */
function isOwnCommand([program = "", ...args]: readonly string[], host: Host): boolean {
  // A plugin's entry leaves the call to the other entry, no matter where the plugin is installed.
  if (args.some((word) => word.startsWith("--from"))) return false;
  const hostFlag = args.findIndex((word) => word === "--host");
  const id = hostFlag >= 0 ? args[hostFlag + 1] : args.find((word) => word.startsWith("--host="))?.slice(7);
  if (id !== undefined && id !== host.id) return false;
  const path = isAbsolute(program) ? program : /[\\/]/.test(program) ? null : Bun.which(program);
  return path !== null && isSameFile(path, process.execPath);
}
