import { type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import { formatOwnCommand } from "../../system/own-command.ts";
import { formatPath } from "../terminal/layout.ts";
import type { ConfigChange } from "./change.ts";

/** Returns the config file from --config, if any. */
export const findProposedSource = (cwd: string): ConfigSource | undefined =>
  listConfigSources(cwd).find(({ target }) => target !== undefined);

/**
 * Formats a change to a config file as a command. `config set` can't change a file from --config, so a change to such a
 * file is described instead.
 */
export function formatConfigChange(
  { key, value, scope }: ConfigChange,
  cwd: string,
  flags: readonly string[] = [],
): string {
  const proposed = findProposedSource(cwd);
  if (proposed?.scope === scope) {
    const file = formatPath(proposed.path);
    return value === undefined
      ? `remove "${key}" from ${file}`
      : key.endsWith(".+")
        ? `add ${value} to "${key.slice(0, -2)}" in ${file}`
        : `set "${key}" to ${value} in ${file}`;
  }
  const scopeFlags = scope === "user" ? [] : ["--scope", scope];
  return formatOwnCommand([
    ...["config", value === undefined ? "unset" : "set", ...flags, ...scopeFlags, key],
    ...(value === undefined ? [] : [value]),
  ]);
}
