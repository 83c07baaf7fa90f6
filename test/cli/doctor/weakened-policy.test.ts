import { expect, test } from "bun:test";
import { createMachine, hasMachine } from "../allow/machine.ts";

const WEAK = JSON.stringify({
  hooks: { "block-destructive": { allow: ["git reset *"] } },
  rules: { "git/push-force": { enabled: false }, "git/clean": { action: "ask" } },
  exceptions: [{ rule: "git/stash-drop", reason: "x" }],
  log: { level: "off" },
});

/** Prints the finding of doctor and the note of `status --session`, with the user's config file above. */
const ASK = `
  "$BRIDGE" install --host claude --yes >/dev/null
  mkdir -p "$HOME/.config/bridge-hooks"; echo '${WEAK}' > "$HOME/.config/bridge-hooks/config.json"
  "$BRIDGE" doctor --host claude --json | grep 'config file changes the policy'
  "$BRIDGE" status --session --host claude --json | grep -c 'config file changes the policy'`;

test.skipIf(!hasMachine)("doctor and status name what the user weakens on a machine with a managed file", () => {
  const [finding, noted] = createMachine({ rules: {} }).run(ASK);
  for (const part of ["git/push-force off", "exceptions.0", "hooks.block-destructive.allow", "log.level off"])
    expect(finding).toContain(part);
  expect(noted).toBe("1");
});

test.skipIf(!hasMachine)("without a managed file, or with everything locked, there is nothing to name", () => {
  expect(createMachine().run(ASK)).toEqual(["0"]);
  expect(createMachine({ locked: true, log: { level: "decisions" } }).run(ASK)).toEqual(["0"]);
  // The managed file itself may turn the log off.
  expect(createMachine({ locked: true, log: { level: "off" } }).run(ASK)).toEqual(["0"]);
});
