import { basename, resolve } from "node:path";
import { PROJECT_CONFIG } from "../../policy/config-paths.ts";
import { type ConfigScope, listConfigSources } from "../../policy/sources.ts";

/**
 * Determines a file's scope: the requested scope, else that of an installed file with this path, else "project" for a
 * project config's file name, else "managed".
 */
export const resolveConfigScope = (file: string, requested: ConfigScope | undefined, cwd: string): ConfigScope =>
  requested ??
  listConfigSources(cwd).find(({ path }) => resolve(path) === resolve(cwd, file))?.scope ??
  (basename(file) === PROJECT_CONFIG ? "project" : "managed");
