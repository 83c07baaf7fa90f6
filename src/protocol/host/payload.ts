/** The host's own JSON, as sent. */
export type Payload = Record<string, unknown>;

export type Env = Readonly<Record<string, string | undefined>>;

/** What all payloads of a host have in common, which distinguishes them from other programs' payloads. */
export interface PayloadProfile {
  /** Fields of every payload. */
  fields: readonly string[];
  /** Additional fields in every payload of a native event. */
  eventFields: Readonly<Record<string, readonly string[]>>;
  /** Returns whether a tool of the host may have this name, in any version. */
  mayNameTool: (tool_name: string) => boolean;
  /**
   * Returns the fields of a known tool's input, of which hooks need one to judge the call; undefined for an unknown
   * tool.
   */
  listInputFields: (tool_name: string) => readonly string[] | undefined;
}
