/** Flags of an entry that a plugin contains. They mark calls that an entry in the host's own config also reports. */
export const PLUGIN_FLAGS = ["--from", "plugin"] as const;

/** An enabled plugin of the host. */
export interface InstalledPlugin {
  /** Id that the host's own commands use for the plugin. */
  id: string;
  /** The administrators' settings enable the plugin, so users can't disable it. */
  isManaged: boolean;
  /**
   * Directory from which the host loads the plugin. `folderVariables` are the variables in its commands that stand for
   * the directory.
   */
  folder: string;
  folderVariables: readonly string[];
  /** Command or step that removes the plugin. */
  removal: string;
}
