import { type Concerns, defineHook } from "bridge-hooks";
import * as v from "valibot";

const textsOption = v.optional(v.array(v.string()), []);

const CONCERNS: Concerns = {
  results: "secrets",
  narrowedBy: ["allow", "ignore"],
  // It has no rules, so that none of them changes what concerns it.
  ruleCategories: [
    ...["filesystem", "git", "database", "cloud", "disks", "system", "downloads"],
    ...["secrets", "hooks"],
  ],
};

/**
 * Takes keys, tokens and passwords that can be told by their form out of a finished call's result before the model reads
 * it, and puts their kind there: `[redacted: github-token]`. Where the host can't replace a result, the user is told.
 *
 * It does not see secrets without a form of their own (`PASSWORD=hunter2`), in base64 or in parts, what a call leaves in
 * a file, and the error of a call that failed.
 */
export default defineHook({
  description: "Takes secrets out of results before the model reads them",
  event: "PostToolUse",
  tool: ["Bash", "Read", "Grep", "WebFetch", "MCP"],
  // After hooks that change results otherwise.
  order: 20,
  onError: "allow",
  pure: true,
  concerns: CONCERNS,
  options: v.strictObject({
    /** Files whose secrets may be read: globs of names (`*.test.ts`), or of paths if they have a slash (`test/**`). */
    allow: textsOption,
    /** Kinds of secrets, as `secrets()` names them, that are none here: `jwt`. */
    ignore: textsOption,
  }),
  // All: a list that a clone brings would let secrets pass.
  trustedOptions: ["allow", "ignore"],
  async handler(event, { options, log }) {
    const response = await (await import("./_redact.ts")).redactResult(event, options);
    if (response?.reason !== undefined) log(response.reason);
    return response;
  },
});
