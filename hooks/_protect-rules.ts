import type { Rule } from "bridge-hooks";

/** The rules of protect-hooks, keyed by the part of the id after `hooks/`. */
export const HOOKS_RULES = {
  "switch-off": {
    finds:
      "a command that turns off a host's hooks, starts the host without its hook config, or changes the bridge-hooks config",
    reason: "the call turns hooks off",
    deny: [
      "claude --bare",
      "codex -c features.hooks=false",
      "bridge-hooks uninstall",
      "bridge-hooks config set rules.git/push-force.enabled false",
    ],
    allow: ["claude --version", "bridge-hooks status", "bridge-hooks config show --origin"],
  },
  "change-files": {
    finds: "a call that writes, removes, moves, links or replaces a file that hooks depend on",
    reason: "it changes <file>, which hooks depend on",
    deny: ["rm .claude/settings.json", "echo '{}' > .cursor/hooks.json"],
    allow: ["cat .claude/settings.json", "ls .cursor"],
  },
  "write-startup-file": {
    finds: "a call that writes a hook-disabling command to a file that runs automatically",
    reason: "it writes a hook-disabling command to <file>",
    deny: ["echo 'alias claude=\"claude --bare\"' >> ~/.bashrc"],
    allow: ["echo 'alias ll=\"ls -l\"' >> ~/.bashrc"],
  },
  "unreadable-line": {
    finds: "a command that can't be parsed and names a file that hooks depend on",
    reason: "the command can't be parsed, and it names a file that hooks depend on",
    deny: ["x=$(cat .claude/settings.json"],
    allow: ["echo done"],
  },
} as const satisfies Readonly<Record<string, Pick<Rule, "finds" | "reason" | "deny" | "allow">>>;

/** Lists the rules with the configured decision as their action. */
export const listRules = ({ decision }: { decision: "deny" | "ask" }): Rule[] =>
  Object.entries(HOOKS_RULES).map(([name, rule]) => ({ id: `hooks/${name}`, ...rule, action: decision, fixed: true }));
