/** The host's own JSON, unchanged. */
export type Payload = Record<string, unknown>;

export type Env = Readonly<Record<string, string | undefined>>;

/** The fields that distinguish a host's payloads from those of other programs. */
export interface PayloadProfile {
  /** Fields of every payload. */
  fields: readonly string[];
  /** Additional fields in every payload of a native event. */
  eventFields: Readonly<Record<string, readonly string[]>>;
  /** Returns whether a tool with this name could exist in any version of the host. */
  mayNameTool: (tool_name: string) => boolean;
  /**
   * Returns the input fields of a known tool, or undefined for an unknown tool. Hooks need at least one of these fields
   * to judge a call.
   */
  listInputFields: (tool_name: string) => readonly string[] | undefined;
}
