import { homedir } from "./home.ts";
import { isAbsolute } from "node:path";
import { splitCommand } from "../protocol/host/quote.ts";
import type { Host, Payload, ProcessInput } from "../protocol/host/host.ts";
import type { ConfigEntry } from "../protocol/host/install.ts";
import { isSameFile } from "../hosts/follow-links.ts";
import { readConfigText } from "../hosts/setup.ts";

/** Names, each with anything behind it or not; or all but what begins with one. */
const SIMPLE = /^(\w+(\|\w+)*|\^\(\w+:?(\.\*)?(\|\w+:?(\.\*)?)*\)\$|\^\(\?!\w+:\))$/;
/** A list of names is compared whole. */
const whole = (matcher: string) => new RegExp(/^[\w|]+$/.test(matcher) ? `^(${matcher})$` : matcher);

/** Characters of config that are looked at: a project may have any number of files, and the call is waiting. */
const MOST_READ = 2_000_000;

/**
 * Whether a host that found our command in another host's config also has an entry of its own for us, which answers the
 * same call. It may be one that the host does not obey (a file that it finds fault with, a project that is not trusted),
 * so it is no reason to let anything pass.
 */
export async function hasOwnEntry(
  host: Host,
  native_event: string,
  payload: Payload,
  { env }: ProcessInput,
): Promise<boolean> {
  const setup = await host.setup();
  const { platform } = process;
  const named = host.eventAliases?.[native_event] ?? native_event;
  // Names, or what an installation makes of them: another pattern could take longer than the call has.
  const covers = ({ matcher }: ConfigEntry) =>
    !matcher ||
    matcher === "*" ||
    matcher === ".*" ||
    (SIMPLE.test(matcher) && whole(matcher).test(String(payload.tool_name)));
  let left = MOST_READ;
  return setup.listConfigFiles({ roots: host.listRoots(payload), home: homedir(), platform, env }).some(({ path }) => {
    try {
      const text = left > 0 ? readConfigText(path) : "";
      left -= text.length;
      return setup.parseEntries(text, path).some((entry) => {
        const line = entry.args
          ? [entry.command, ...entry.args]
          : splitCommand(entry.command, setup.listDialects(platform)[0], env);
        return line && entry.native_event === named && covers(entry) && isOurs(line, host);
      });
    } catch {
      return false;
    }
  });
}

/** A command that runs this very executable for this host: recognised by its program, not by its text. A relative path is none. */
function isOurs([program = "", ...args]: readonly string[], host: Host): boolean {
  const named = args.findIndex((word) => word === "--host");
  const id = named >= 0 ? args[named + 1] : args.find((word) => word.startsWith("--host="))?.slice(7);
  if (id !== undefined && id !== host.id) return false;
  const path = isAbsolute(program) ? program : /[\\/]/.test(program) ? null : Bun.which(program);
  return path !== null && isSameFile(path, process.execPath);
}
