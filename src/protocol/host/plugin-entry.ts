/** The flags of an entry that comes with a plugin: one in the host's own config reports the same call. */
export const PLUGIN_FLAGS = ["--from", "plugin"] as const;

/** A plugin of the host's that is turned on. */
export interface InstalledPlugin {
  /** By which the host's own commands name it. */
  id: string;
  /** The administrators' settings turn it on, so that nobody else can turn it off. */
  isManaged: boolean;
  /** Where the host reads it, and the variables in its commands that stand for that. */
  folder: string;
  folderVariables: readonly string[];
  /** What removes it. */
  removal: string;
}
