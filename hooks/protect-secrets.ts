import { ask, defineHook, deny, type Events, type IHookResponse, shellCall, warn } from "bridge-hooks";
import { secretsOptionsSchema } from "./_secrets/options.ts";
import type { LineShell } from "./_secrets/rules.ts";
import { createSecretsPolicy, type SecretsPolicy } from "./_secrets/policy.ts";
import {
  type PendingCall,
  type StopReason,
  findSecretKinds,
  formatKinds,
  type CallText,
  listCallTexts,
} from "./_secrets/texts.ts";
import { CONCERNS } from "./_secrets/concerns.build.ts";

/** Loads the check of a call's files and commands only when needed. Most prompts don't need it. */
const loadCallReasons = () => import("./_secrets/call-reasons.ts");

/** Loads the denial messages only when needed. Most calls don't need them. */
const loadRules = () => import("./_secrets/rules.ts");

/** Collects the reasons for stopping a call. */
async function findReasons(event: PendingCall, policy: SecretsPolicy): Promise<StopReason[]> {
  const { options } = policy;
  const reasons = await (await loadCallReasons()).findCallReasons(event, policy);
  for (const callText of options.content === "off" ? [] : listCallTexts(event)) {
    const kinds = await findSecretKinds(callText.text, options, callText.replacedText);
    if (
      kinds.length === 0 ||
      (callText.file !== undefined &&
        (await loadCallReasons()).isAllowedFile(callText.file, event, policy.withExceptions("secrets/in-text")))
    )
      continue;
    reasons.push({ rule: "secrets/in-text", finding: describeSecretLocation(callText, event, formatKinds(kinds)) });
  }
  return reasons;
}

const describeSecretLocation = ({ location, file }: CallText, { tool }: PendingCall, kinds: string) =>
  `${location} ${file !== undefined && tool !== "Read" ? "would contain" : "contains"} a secret (${kinds})`;

/** Returns the shell that runs a call's command: the one the host specifies, or else the system's default shell. */
const getLineShell = (event: PendingCall): LineShell =>
  shellCall(event)?.input.shell ?? (process.platform === "win32" ? "powershell" : "bash");

async function checkPrompt(
  event: Events["UserPromptSubmit"],
  { options, decide, withExceptions }: SecretsPolicy,
): Promise<IHookResponse | undefined> {
  if (options.prompts === "off") return undefined;
  const kinds = decide("secrets/in-prompt") === "off" ? [] : await findSecretKinds(event.prompt, options);
  const mayAttachFiles = !event.attachments?.length || decide("secrets/attach-file") === "off";
  const file = mayAttachFiles
    ? undefined
    : (await loadCallReasons()).findAttachedSecretFile(event, withExceptions("secrets/attach-file"));
  if (kinds.length === 0 && file === undefined) return undefined;
  const { SECRETS_RULES, formatReason } = await loadRules();
  const [rule, finding] =
    file === undefined
      ? (["secrets/in-prompt", formatKinds(kinds)] as const)
      : (["secrets/attach-file", file] as const);
  const sentence = SECRETS_RULES[rule].describe(finding).slice(0, -1);
  if (decide(rule) === "warn")
    return {
      user_message: `${sentence}, and it was sent to the model. If that wasn't intended, replace the secret with a new one.`,
    };
  return {
    ...(decide(rule) === "ask" ? ask : deny)(`Blocked: ${formatReason(rule, finding)}`, { rule }),
    user_message: `${sentence}, so it was not sent. Replace the secret with a reference to an environment variable, or to a file that the agent can't read.`,
  };
}

/**
 * Keeps secrets away from the agent: secret files (by name and symlink target), commands that print the environment or a password store's
 * contents, and keys, tokens, and passwords in a call or prompt.
 *
 * The hook doesn't see what a program reads by itself (`npm start`, `docker compose up`, `tar cz .`, `grep -r KEY .`), what a script or
 * code does beyond naming files and environment variables, or secrets without a recognizable format (`hunter2`).
 */
export default defineHook({
  description: "Keeps secrets away from the agent, and out of calls and prompts",
  event: ["PreToolUse", "PermissionRequest", "UserPromptSubmit"],
  onError: "deny",
  pure: true,
  concerns: CONCERNS,
  options: secretsOptionsSchema,
  // List every option. Otherwise, a cloned project's config could replace the user's lists.
  trustedOptions: ["allow", "deny", "files", "printing", "content", "prompts", "ignore"],
  additiveOptions: ["deny"],
  async rules(options) {
    return (await loadRules()).listRules(options);
  },
  async handler(event, { options, rules }) {
    const policy = createSecretsPolicy(options, rules);
    if (event.event === "UserPromptSubmit") return checkPrompt(event, policy);
    const reasons = await findReasons(event, policy);
    for (const action of ["deny", "ask", "warn"] as const) {
      const firstReason = reasons.find(({ rule }) => policy.decide(rule) === action);
      if (!firstReason) continue;
      const { rule, finding } = firstReason;
      const reason = (await loadRules()).formatReason(rule, finding, getLineShell(event));
      if (action === "deny") return deny(`Blocked: ${reason}`, { rule });
      return action === "ask" ? ask(`This needs a review: ${reason}`, { rule }) : warn(reason, { rule });
    }
    return undefined;
  },
});
