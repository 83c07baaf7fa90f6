/** What the build knows about the policy of an executable. */
export interface BuiltPolicy {
  /** As `build --name` has it. */
  name?: string;
  /** As `build --policy-version` has it. */
  version?: string;
  /** The hash of the hooks. */
  hooks: string;
  /** The hash of the sources in the folder of the hooks. */
  sources?: string;
}

/** A policy whose executable has one. */
export interface OwnPolicy extends BuiltPolicy {
  /** The release of bridge-hooks. */
  release: string;
  /** Of the hooks, where no config file says anything. */
  hash: string;
}

/** What this executable's policy is; undefined in a run from source. The build replaces this file. */
export const policy: OwnPolicy | undefined = undefined;
