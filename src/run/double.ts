import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import type { ConfigEntry, Host, Payload, World } from "../core/host.ts";

/**
 * Whether a host that found our command in another host's config also has an entry of its own for us, which answers the
 * same call. It may be one that the host does not obey (a file that it finds fault with, a project that is not trusted),
 * so it is no reason to let anything pass.
 */
export async function hasOwnEntry(host: Host, native_event: string, payload: Payload, { env }: World): Promise<boolean> {
  const setup = await host.setup();
  const files = setup.configs({ roots: host.roots(payload), home: homedir(), platform: process.platform, env });
  const all = ({ matcher }: ConfigEntry) => !matcher || matcher === "*" || matcher === ".*";
  return Object.values(files)
    .flat()
    .some((file) => {
      try {
        const entries = setup.entries(readFileSync(file, "utf8"), file);
        return entries.some((entry) => entry.native_event === native_event && all(entry) && isOurs(entry.command, host));
      } catch {
        return false;
      }
    });
}

/** A command that runs this very executable for this host: recognised by its program, not by its text. A relative path is none. */
function isOurs(command: string, host: Host): boolean {
  const [program = "", ...args] = words(command);
  const named = args.findIndex((word) => word === "--host");
  const id = named >= 0 ? args[named + 1] : args.find((word) => word.startsWith("--host="))?.slice(7);
  if (id !== undefined && id !== host.id) return false;
  const path = isAbsolute(program) ? program : /[\\/]/.test(program) ? null : Bun.which(program);
  try {
    return path !== null && realpathSync(path) === realpathSync(process.execPath);
  } catch {
    return false;
  }
}

/** The words of a simple command line, quotes taken off; anything that a shell would do more with yields no words. */
function words(command: string): string[] {
  if (/[;&|<>`$(){}\n]/.test(command)) return [];
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
