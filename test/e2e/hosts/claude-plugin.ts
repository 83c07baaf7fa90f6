import type { HostDriver } from "../driver.ts";

const ID = "bridge-hooks@bridge-hooks";

/** Installs the Claude Code plugin from a marketplace directory. */
export const plugin: NonNullable<HostDriver["plugin"]> = {
  install: (folder) => [
    ["plugin", "marketplace", "add", folder],
    ["plugin", "install", ID],
  ],
  managed: (path) => ({
    "claude-code/managed-settings.json": JSON.stringify({
      allowManagedHooksOnly: true,
      strictKnownMarketplaces: [{ source: "directory", path }],
      extraKnownMarketplaces: { "bridge-hooks": { source: { source: "directory", path } } },
      enabledPlugins: { [ID]: true },
    }),
  }),
  turnOff: { ".claude/settings.json": JSON.stringify({ enabledPlugins: { [ID]: false } }) },
  turnAllOff: { ".claude/settings.json": JSON.stringify({ disableAllHooks: true, enabledPlugins: { [ID]: false } }) },
};
