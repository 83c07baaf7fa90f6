/** The host's own JSON, as sent. */
export type Payload = Record<string, unknown>;

export type Env = Readonly<Record<string, string | undefined>>;

/** What all payloads of a host have in common, by which those of other programs are told. */
export interface PayloadProfile {
  /** The fields of every payload. */
  fields: readonly string[];
  /** Further fields of every payload of a native event. */
  eventFields: Readonly<Record<string, readonly string[]>>;
  /** Whether a tool of the host may have this name, in any release. */
  mayNameTool: (tool_name: string) => boolean;
  /** The fields that a known tool's input may have to be judged by; undefined for an unknown tool. */
  listInputFields: (tool_name: string) => readonly string[] | undefined;
}
