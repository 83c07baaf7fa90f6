/** Information about an executable's policy, set at build time. */
export interface BuiltPolicy {
  /** Value of the `build --name` option. */
  name?: string;
  /** Value of the `build --policy-version` option. */
  version?: string;
  /** Hash of the hooks. */
  hooks: string;
  /** Hash of the source files in the hooks directory. */
  sources?: string;
  /** Whether the build checked the types and responses in these source files. */
  checked?: true;
}

/** Policy of an executable. */
export interface OwnPolicy extends BuiltPolicy {
  /** The bridge-hooks version. */
  release: string;
  /** Policy hash when no config file changes the policy. */
  hash: string;
}

/** The policy of this executable; undefined when running from source. The build replaces this file. */
export const policy: OwnPolicy | undefined = undefined;
