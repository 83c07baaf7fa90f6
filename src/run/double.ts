import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import type { ConfigEntry, Host, Payload, Scope, World } from "../core/host.ts";

/**
 * Whether a host that found our command in another host's config also has an entry of its own for us, which answers the
 * same call. An entry in the project, which whoever wrote the repository controls, does not silence one outside of it.
 */
export async function standsDown(host: Host, found_in: Host, native_event: string, payload: Payload, world: World): Promise<boolean> {
  const covers = ({ native_event: event, matcher }: ConfigEntry) =>
    event === native_event && (!matcher || matcher === "*" || matcher === ".*");
  const [own, other] = await Promise.all([ours(host, payload, world), ours(found_in, payload, world)]);
  if ([...own.user, ...own.system].some(covers)) return true;
  return own.project.some(covers) && other.user.length + other.system.length === 0;
}

/** Our entries in a host's configs, by scope. */
async function ours(host: Host, payload: Payload, { env }: World): Promise<Record<Scope, ConfigEntry[]>> {
  const setup = await host.setup();
  const files = setup.configs({ roots: host.roots(payload), home: homedir(), platform: process.platform, env });
  const entriesOf = (file: string) => {
    try {
      return setup.entries(readFileSync(file, "utf8"), file).filter(({ command }) => isOurs(command, host));
    } catch {
      return [];
    }
  };
  return { project: files.project.flatMap(entriesOf), user: files.user.flatMap(entriesOf), system: files.system.flatMap(entriesOf) };
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
