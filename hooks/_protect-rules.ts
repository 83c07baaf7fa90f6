import type { Rule } from "bridge-hooks";

/** The rules of protect-hooks, keyed by the part of the id after `hooks/`. */
export const HOOKS_RULES = {
  "switch-off": {
    finds:
      "a command that turns a host's hooks off, starts it where none are configured, or changes the config of bridge-hooks",
    reason: "a command in this line turns hooks off",
    deny: [
      "claude --bare",
      "codex -c features.hooks=false",
      "bridge-hooks uninstall",
      "bridge-hooks config set rules.git/push-force.enabled false",
    ],
    allow: ["claude --version", "bridge-hooks status", "bridge-hooks config show --origin"],
  },
  "change-files": {
    finds: "a call that writes, removes, moves, links or replaces a file that keeps hooks in force",
    reason: "it changes <file>, which keeps hooks in force",
    deny: ["rm .claude/settings.json", "echo '{}' > .cursor/hooks.json"],
    allow: ["cat .claude/settings.json", "ls .cursor"],
  },
  "write-startup-file": {
    finds: "a command that turns hooks off, written to a file that is run by itself",
    reason: "it writes such a command to <file>",
    deny: ["echo 'alias claude=\"claude --bare\"' >> ~/.bashrc"],
    allow: ["echo 'alias ll=\"ls -l\"' >> ~/.bashrc"],
  },
  "unreadable-line": {
    finds: "a line that can't be read as a shell reads it, and that names a file that keeps hooks in force",
    reason: "what the line does to that file is not known",
    deny: ["x=$(cat .claude/settings.json"],
    allow: ["echo done"],
  },
} as const satisfies Readonly<Record<string, Pick<Rule, "finds" | "reason" | "deny" | "allow">>>;

/** Builds the rule list with the configured decision. */
export const listRules = ({ decision }: { decision: "deny" | "ask" }): Rule[] =>
  Object.entries(HOOKS_RULES).map(([name, rule]) => ({ id: `hooks/${name}`, ...rule, action: decision, fixed: true }));
