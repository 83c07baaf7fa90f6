import type { Concerns } from "../../protocol/concerns.ts";
import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { listHookNames } from "./hook-names.ts";
import { SELECTING_PROGRAMS } from "./switch-off.ts";

/** Variables that are always set on Windows, with their default values. Hosts fall back to the same values. */
const WINDOWS_VARIABLES: Readonly<Record<string, string>> = {
  ProgramData: "C:\\ProgramData",
  ProgramFiles: "C:\\Program Files",
};

/**
 * Fragments of the product's package names, and of wildcards that match them. None of them contains the executable's
 * full name.
 */
const PACKAGE_FRAGMENTS = ["bridgehooks", "bridge*", "bridge-*", "bridge-h", "bridge?", "bridge.*"];

/**
 * Returns the `concerns` of a hook that uses `guarded`, which covers the files that keep hooks in force. Any call that
 * names these files or switches hooks off contains one of these strings. Programs that act on whole directories aren't
 * included, so add the programs that your hook checks. The result is the same on every machine, so compute it at build
 * time (`*.build.ts`).
 */
export function guardedConcerns(): Required<Pick<Concerns, "words" | "texts" | "variables">> {
  const variables = new Set(hostRegistry.flatMap(({ hookControls }) => hookControls.variables));
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        variables.add(String(name));
        return undefined;
      },
    },
  );
  const machines = (["linux", "darwin", "win32"] as const).map(
    (platform): Pick<MachineContext, "home" | "platform" | "env"> => ({ home: "/home", platform, env }),
  );
  const programs = hostRegistry.flatMap((host) => [host.id, ...host.programs]);
  return {
    words: [...new Set([...programs.flatMap((name) => [name, `${name}.*`]), ...SELECTING_PROGRAMS])],
    texts: [...new Set([...machines.flatMap(listHookNames), ...PACKAGE_FRAGMENTS])],
    variables: [...variables].map((name) => (name in WINDOWS_VARIABLES ? `${name}=${WINDOWS_VARIABLES[name]}` : name)),
  };
}
