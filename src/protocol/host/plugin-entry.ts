/** Flags of a plugin's entry. The flags mark calls that an entry in the host's own config also reports. */
export const PLUGIN_FLAGS = ["--from", "plugin"] as const;

/** An enabled plugin of the host. */
export interface InstalledPlugin {
  /** Plugin id in the host's own commands. */
  id: string;
  /** Set if the administrators' settings enable the plugin. Users then can't disable the plugin. */
  isManaged: boolean;
  /**
   * Directory from which the host loads the plugin. `folderVariables` are the variables that represent this directory
   * in the plugin's commands.
   */
  folder: string;
  folderVariables: readonly string[];
  /** Command or step that removes the plugin. */
  removal: string;
}
