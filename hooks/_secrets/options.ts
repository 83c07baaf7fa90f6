import * as v from "valibot";

const decisionOption = v.optional(v.picklist(["deny", "ask", "off"]), "deny");
const globsOption = v.optional(v.array(v.string()), []);

export const secretsOptionsSchema = v.strictObject({
  /**
   * Files that may be read and written although they look as if they held secrets: globs of names (`.env.test`) or
   * paths.
   */
  allow: globsOption,
  /** Further files that hold secrets. A file that is in both is protected. */
  deny: globsOption,
  /** A call that reads, changes or sends a file of secrets. */
  files: decisionOption,
  /** A call that prints secrets from the environment or a keeper of passwords. */
  printing: decisionOption,
  /** A call that holds a secret itself. */
  content: decisionOption,
  /** A prompt that holds one. */
  prompts: v.optional(v.picklist(["deny", "warn", "off"]), "deny"),
  /** Kinds of secrets, as `secrets()` names them, that are none here: `gcp-key`. */
  ignore: v.optional(v.array(v.string()), []),
});

export type SecretsSettings = v.InferOutput<typeof secretsOptionsSchema>;
