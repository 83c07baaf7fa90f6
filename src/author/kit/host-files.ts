import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";

type HostMachine = Pick<MachineContext, "home" | "platform" | "env">;

interface KnownFiles extends Pick<HostMachine, "home" | "platform"> {
  /** The environment variables that the files depend on, with their values. */
  asked: ReadonlyMap<string, string | undefined>;
  files: readonly string[];
}

/** Cached files, keyed by home directory. A call can involve two home directories. */
const knownFiles = new Map<string, KnownFiles>();
const MAX_CACHED_HOMES = 16;

/**
 * Returns all hosts' files that configure or disable hooks. The result is cached until an environment variable that
 * affects it changes.
 */
export function listHostFiles(machine: HostMachine): readonly string[] {
  let cached = knownFiles.get(machine.home);
  if (!cached || !isSameMachine(cached, machine)) {
    if (knownFiles.size >= MAX_CACHED_HOMES) knownFiles.clear();
    knownFiles.set(machine.home, (cached = readHostFiles(machine)));
  }
  return cached.files;
}

function isSameMachine({ home, platform, asked }: KnownFiles, machine: HostMachine): boolean {
  if (home !== machine.home || platform !== machine.platform) return false;
  for (const [name, value] of asked) if (machine.env[name] !== value) return false;
  return true;
}

function readHostFiles({ home, platform, env: given }: HostMachine): KnownFiles {
  const variables = new Map<string, string | undefined>();
  const env = new Proxy<HostMachine["env"]>(given, {
    get(_, name: string) {
      variables.set(name, given[name]);
      return given[name];
    },
  });
  const files = hostRegistry.flatMap((host) => host.hookControls.files({ home, platform, env }));
  return { home, platform, asked: variables, files };
}
