import { basename, resolve } from "node:path";
import { PROJECT_CONFIG } from "../../policy/config-paths.ts";
import { type ConfigScope, listConfigSources } from "../../policy/sources.ts";

/** Whose file it is: as given, as its path says, a project's by its name, else the company's. */
export const resolveConfigScope = (file: string, given: ConfigScope | undefined, cwd: string): ConfigScope =>
  given ??
  listConfigSources(cwd).find(({ path }) => resolve(path) === resolve(cwd, file))?.scope ??
  (basename(file) === PROJECT_CONFIG ? "project" : "managed");
