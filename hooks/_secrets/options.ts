import * as v from "valibot";

const decisionOption = v.optional(v.picklist(["deny", "ask", "off"]), "deny");
const globsOption = v.optional(v.array(v.string()), []);

export const secretsOptionsSchema = v.strictObject({
  /**
   * Globs for files that may be read and written even though they look like secret files. They match names
   * (`.env.test`) or paths.
   */
  allow: globsOption,
  /** Globs for additional secret files, which take precedence over `allow`. */
  deny: globsOption,
  /** Calls that read, change, or send a secret file. */
  files: decisionOption,
  /** Calls that print secrets from the environment or a password store. */
  printing: decisionOption,
  /** Calls that contain a secret. */
  content: decisionOption,
  /** Prompts that contain a secret. */
  prompts: v.optional(v.picklist(["deny", "warn", "off"]), "deny"),
  /** Kinds of secrets to ignore, by the name `secrets()` gives them: `gcp-key`. */
  ignore: v.optional(v.array(v.string()), []),
});

export type SecretsSettings = v.InferOutput<typeof secretsOptionsSchema>;
