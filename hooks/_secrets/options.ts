import * as v from "valibot";

const answer = v.optional(v.picklist(["deny", "ask", "off"]), "deny");
const globs = v.optional(v.array(v.string()), []);

export const Options = v.strictObject({
  /** Files that may be read and written although they look as if they held secrets: globs of names (`.env.test`) or paths. */
  allow: globs,
  /** Further files that hold secrets. A file that is in both is protected. */
  deny: globs,
  /** A call that reads, changes or sends a file of secrets. */
  files: answer,
  /** A call that prints secrets from the environment or a keeper of passwords. */
  printing: answer,
  /** A call that holds a secret itself. */
  content: answer,
  /** A prompt that holds one. */
  prompts: v.optional(v.picklist(["deny", "warn", "off"]), "deny"),
  /** Kinds of secrets, as `secrets()` names them, that are none here: `gcp-key`. */
  ignore: v.optional(v.array(v.string()), []),
});

export type Settings = v.InferOutput<typeof Options>;
