/** Flags of a plugin's entry. They mark calls that an entry in the host's own config reports as well. */
export const PLUGIN_FLAGS = ["--from", "plugin"] as const;

/** An enabled plugin of the host. */
export interface InstalledPlugin {
  /** The plugin's id in the host's own commands. */
  id: string;
  /** Set if the administrators' settings enable the plugin, so that users can't disable it. */
  isManaged: boolean;
  /**
   * Directory from which the host loads the plugin. The plugin's commands refer to it by the variables in
   * `folderVariables`.
   */
  folder: string;
  folderVariables: readonly string[];
  /** Command or step that removes the plugin. */
  removal: string;
}
