/** The host's own JSON, unchanged. */
export type Payload = Record<string, unknown>;

export type Env = Readonly<Record<string, string | undefined>>;

/** The fields that distinguish a host's payloads from other programs' payloads. */
export interface PayloadProfile {
  /** Fields of every payload. */
  fields: readonly string[];
  /** Additional fields in every payload of a native event. */
  eventFields: Readonly<Record<string, readonly string[]>>;
  /** Returns whether a tool of the host may have this name, in any version. */
  mayNameTool: (tool_name: string) => boolean;
  /**
   * Returns the input fields of a known tool. Hooks need at least one of these fields to judge the call. Returns
   * undefined for an unknown tool.
   */
  listInputFields: (tool_name: string) => readonly string[] | undefined;
}
