/** What the build knows about the policy of an executable. */
export interface BuiltPolicy {
  /** Value of `build --name`. */
  name?: string;
  /** Value of `build --policy-version`. */
  version?: string;
  /** Hash of the hooks. */
  hooks: string;
  /** Hash of the source files in the hooks directory. */
  sources?: string;
  /** Set if the build checked the types and answers of these sources. */
  checked?: true;
}

/** The policy of an executable. */
export interface OwnPolicy extends BuiltPolicy {
  /** The bridge-hooks version. */
  release: string;
  /** Hash of the policy if no config file changes it. */
  hash: string;
}

/** The policy of this executable; undefined if it runs from source. The build replaces this file. */
export const policy: OwnPolicy | undefined = undefined;
