/** Name of the config file in a project's root or in the session's directory. */
export const PROJECT_CONFIG = ".bridge-hooks.json";

const MANAGED_CONFIGS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/bridge-hooks/config.json",
  // Don't use ProgramData: any user can create files there.
  win32: "C:\\Program Files\\bridge-hooks\\config.json",
};

/** Returns the path of the administrators' config file. */
export const getManagedConfig = (platform: NodeJS.Platform = process.platform): string =>
  MANAGED_CONFIGS[platform] ?? "/etc/bridge-hooks/config.json";

/** Returns the path of the user's config file as a list of segments, relative to the home directory. */
export const getUserConfigSteps = (): readonly string[] =>
  process.platform === "win32"
    ? ["AppData", "Roaming", "bridge-hooks", "config.json"]
    : [".config", "bridge-hooks", "config.json"];
