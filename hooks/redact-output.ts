import { type Concerns, defineHook } from "bridge-hooks";
import * as v from "valibot";

const stringListOption = v.optional(v.array(v.string()), []);

const CONCERNS: Concerns = {
  results: "secrets",
  narrowedBy: ["allow", "ignore"],
  // The hook has no rules, so rule settings can't change which calls it handles, whatever the category.
  ruleCategories: [
    ...["filesystem", "git", "database", "cloud", "disks", "system", "downloads"],
    ...["secrets", "hooks"],
  ],
};

/**
 * Redacts keys, tokens, and passwords of known formats in a finished call's result before the model reads it. A placeholder such as
 * `[redacted: github-token]` names the kind. If the host can't replace a result, the user is notified.
 *
 * The hook doesn't see secrets without a recognizable format (`PASSWORD=hunter2`), secrets in base64 or in pieces, secrets that a call
 * writes to a file, or errors from failed calls.
 */
export default defineHook({
  description: "Redacts secrets in results before the model reads them",
  event: "PostToolUse",
  tool: ["Bash", "Read", "Grep", "WebFetch", "MCP"],
  // Run after other hooks that change results.
  order: 20,
  onError: "allow",
  pure: true,
  concerns: CONCERNS,
  options: v.strictObject({
    /**
     * Files whose secrets may be read. A glob without a slash matches names (`*.test.ts`), one with a slash matches
     * paths (`test/**`).
     */
    allow: stringListOption,
    /** Kinds of secrets to ignore, by the name `secrets()` gives them: `jwt`. */
    ignore: stringListOption,
  }),
  // List both options. Otherwise, a cloned project's config could let secrets through.
  trustedOptions: ["allow", "ignore"],
  async handler(event, { options, log }) {
    const response = await (await import("./_redact.ts")).redactResult(event, options);
    if (response?.reason !== undefined) log(response.reason);
    return response;
  },
});
