import type { Concerns } from "../../protocol/concerns.ts";
import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { listHookNames } from "./hook-names.ts";
import { SELECTING_PROGRAMS } from "./switch-off.ts";

/** Variables that Windows always sets, with their usual values, which are the defaults of the hosts' folders as well. */
const WINDOWS_VARIABLES: Readonly<Record<string, string>> = {
  ProgramData: "C:\\ProgramData",
  ProgramFiles: "C:\\Program Files",
};

/** Parts of our packages' names, and of wildcards for them, that lack the name of the executable. */
const PACKAGE_PIECES = ["bridgehooks", "bridge*", "bridge-*", "bridge-h", "bridge?", "bridge.*"];

/**
 * What a call has to mention to name one of the files that keep hooks in force, or to switch hooks off, for the
 * `concerns` of a hook that guards them. Programs that work on whole folders are not among the words: name those that
 * the hook looks at. It holds for every machine: compute it in a module that the build evaluates (`*.build.ts`).
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
  const places = (["linux", "darwin", "win32"] as const).map(
    (platform): Pick<MachineContext, "home" | "platform" | "env"> => ({ home: "/home", platform, env }),
  );
  const programs = hostRegistry.flatMap((host) => [host.id, ...host.programs]);
  return {
    words: [...new Set([...programs.flatMap((name) => [name, `${name}.*`]), ...SELECTING_PROGRAMS])],
    texts: [...new Set([...places.flatMap(listHookNames), ...PACKAGE_PIECES])],
    variables: [...variables].map((name) => (name in WINDOWS_VARIABLES ? `${name}=${WINDOWS_VARIABLES[name]}` : name)),
  };
}
