import { expect, test } from "bun:test";
import { createMachine, hasMachine } from "../allow/machine.ts";

const WEAK = {
  hooks: { "block-destructive": { allow: ["git reset *"] } },
  rules: { "git/push-force": { enabled: false }, "git/clean": { action: "ask" } },
  exceptions: [{ rule: "git/stash-drop", reason: "x" }],
  log: { level: "off" },
};

/**
 * Prints how many lines of doctor, `status --session` and the announcement mention what a user's config file changes.
 */
const ask = (config: object) => `
  "$BRIDGE" install --host claude --yes >/dev/null
  mkdir -p "$HOME/.config/bridge-hooks"; echo '${JSON.stringify({ announce: "user", ...config })}' > "$HOME/.config/bridge-hooks/config.json"
  "$BRIDGE" doctor --host claude --json | grep 'config file changes this machine' || echo none
  "$BRIDGE" status --session --host claude --json | grep "changed by the user's config file" || echo none
  printf '{"session_id":"s","transcript_path":"/t","cwd":"%s","hook_event_name":"SessionStart","source":"startup"}' "$PROJECT" |
    "$BRIDGE" --host claude --event SessionStart | grep "changed by the user's config file" || echo none`;

test.skipIf(!hasMachine)("doctor, status and the announcement name what the user weakens beside a managed file", () => {
  const [finding, gap, announced] = createMachine({ rules: {} }).run(ask(WEAK));
  for (const part of [
    "git/push-force off",
    "git/clean ask",
    "exceptions.0",
    "hooks.block-destructive.allow",
    "log.level off",
  ])
    expect(finding).toContain(part);
  for (const text of [gap, announced])
    expect(text).toContain(
      "git/push-force off, git/clean ask, exceptions.0 and 2 more (changed by the user's config file)",
    );
});

test.skipIf(!hasMachine)("without a managed file, or with everything locked, there is nothing to name", () => {
  const nothing = ["none", "none", "none"];
  expect(createMachine().run(ask(WEAK))).toEqual(nothing);
  expect(createMachine({ locked: true, log: { level: "decisions" } }).run(ask(WEAK))).toEqual(nothing);
  // The managed file itself is allowed to turn the log off.
  expect(createMachine({ locked: true, log: { level: "off" } }).run(ask(WEAK))).toEqual(nothing);
});

test.skipIf(!hasMachine)("what can't weaken the policy is not named", () => {
  const stricter = {
    hooks: {
      "block-destructive": { deny: ["terraform *"], protect: ["migrations"], decision: "deny" },
      "session-context": { commits: 1 },
    },
    rules: { "git/push-force": { action: "deny" }, "mine/deploy": { program: "deploy", reason: "x" } },
    exceptions: [{ rule: "mine/deploy", reason: "x" }],
  };
  const nothing = ["none", "none", "none"];
  expect(createMachine({ rules: {} }).run(ask(stricter))).toEqual(nothing);
  // This is stricter than the managed file, although weaker than the default.
  const managed = { rules: { "git/push-force": { action: "warn" } } };
  expect(createMachine(managed).run(ask({ rules: { "git/push-force": { action: "ask" } } }))).toEqual(nothing);
});
