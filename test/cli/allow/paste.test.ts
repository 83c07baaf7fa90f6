import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { createMachine, hasMachine } from "./machine.ts";

// Tests every command suggested to a blocked user: it must work when copied from the output and pasted into a shell.

const PUSH = "git push --force origin main";

/** Shell functions: `explained` saves what `explain` prints, and `way N` prints the Nth command it suggests. */
const HELPERS = `
way() { sed -n '/^  options/,$s/^ \\{13\\}//p' "$HOME/explained" | sed -n "$1p"; }
explained() { "$BRIDGE" explain "$@" > "$HOME/explained"; }
# Enters a reason, and then types the confirmation word.
reasoned() { # REASON COMMAND
  local shown="$HOME/terminal" word
  echo "$2" > "$HOME/pasted.sh"; rm -f "$shown" "$shown.end"; touch "$shown"
  {
    until grep -qas 'Reason .*: $' "$shown" || [ -e "$shown.end" ]; do sleep 0.02; done
    echo "$1"
    until grep -qas ' to continue:' "$shown" || [ -e "$shown.end" ]; do sleep 0.02; done
    grep -ao 'Type [a-z]* to continue:' "$shown" | cut -d' ' -f2
    until [ -e "$shown.end" ]; do sleep 0.02; done
  } | { $MAKER -qefc "stty cols 80; sleep 2.1; bash $HOME/pasted.sh" "$shown"; touch "$shown.end"; } | tr -d '\\r'
}
`;

const describeHere = describe.skipIf(!hasMachine);
const run = (machine: ReturnType<typeof createMachine>, script: string) => machine.run(HELPERS + script);
const last = (lines: readonly string[], count: number) => lines.slice(-count);

describeHere("the command that a denial suggests, when pasted,", () => {
  test("asks for the reason, and allows the call once, wherever the executable is", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `mkdir "$HOME/a b"; cp "$BRIDGE" "$HOME/a b/acme guard"; BRIDGE="$HOME/a b/acme guard"
       call '${PUSH}' >/dev/null
       COMMAND=$(grep -o 'this call, run .* in your own terminal' "$HOME/answer" | sed 's/this call, run //; s/ in your own terminal//')
       cd /; reasoned 'the branch is mine' "$COMMAND" | sed "s#$HOME#HOME#" | grep -E "because|HOME.* allow revoke"
       cd "$PROJECT"; call '${PUSH}' | tail -1; call '${PUSH}' | tail -1`,
    );
    expect(lines).toEqual([
      "because   the branch is mine",
      expect.stringMatching(/'HOME\/a b\/acme guard' allow revoke \w{8}/),
      ...["exit 0", "exit 2"],
    ]);
  });

  test("changes nothing without a reason", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; reasoned '' "$BRIDGE allow $(id)" | tail -1; call '${PUSH}' | tail -1`,
    );
    expect(lines).toEqual(["bridge-hooks: allow: no changes made; a reason is required", "exit 2"]);
    expect(existsSync(machine.place)).toBe(false);
  });

  test("revokes what was allowed, as the message about it and the list suggest", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null
       COLS=80 person confirm "$BRIDGE" allow --last --for 1h --reason x > "$HOME/said"
       call '${PUSH}' | tail -1
       bash -c "$(grep -o '[^ ]*bridge-hooks allow revoke [a-z0-9]*' "$HOME/said")"; call '${PUSH}' | tail -1
       COLS=80 person confirm "$BRIDGE" pause 10m --reason x > "$HOME/said"; call '${PUSH}' | tail -1
       bash -c "$(grep -o '[^ ]*bridge-hooks allow revoke [a-z0-9]*' "$HOME/said")"; call '${PUSH}' | tail -1`,
    );
    const taken = expect.stringMatching(/^\w{8}: revoked$/);
    expect(lines).toEqual(["exit 0", taken, "exit 2", "exit 0", taken, "exit 2"]);
  });

  test("is the complete command line if the terminal is the wrong one", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; ID=$(id)
       setsid -w "$BRIDGE" allow "$ID" 2> "$HOME/said"
       reasoned mine "$(sed -n 's/.*their own terminal: //p' "$HOME/said")" | grep -c 'is allowed;'; call '${PUSH}' | tail -1`,
    );
    expect(lines).toEqual(["1", "exit 0"]);
  });

  test("works for an administrator with sudo, if only administrators may allow", () => {
    const machine = createMachine({ allow: { by: "administrators" } });
    const lines = run(
      machine,
      `export XDG_STATE_HOME=${machine.own}/.local/state PATH="/mnt:$PATH" SUDO_UID=0
       printf '#!/bin/sh\\nexec env -i PATH=/usr/bin:/bin SUDO_UID=0 SSH_CONNECTION="$SSH_CONNECTION" TERM=dumb TZ=UTC "$@"\\n' > /mnt/sudo; chmod 755 /mnt/sudo
       call '${PUSH}' >/dev/null
       COMMAND=$(grep -o 'this call, run .* in your own terminal' "$HOME/answer" | sed 's/this call, run //; s/ in your own terminal//')
       explained; [ "$(way 1)" = "$COMMAND" ] && echo same
       reasoned mine "$COMMAND" | grep -c 'is allowed;'; call '${PUSH}' | tail -1
       call 'rm -rf /usr' >/dev/null; "$BRIDGE" allow --last 2> "$HOME/said"
       reasoned mine "$(sed -n 's/.*create exceptions; run: //p' "$HOME/said")" | grep -c 'is allowed;'; call 'rm -rf /usr' | tail -1`,
    );
    expect(lines).toEqual(["same", "1", "exit 0", "1", "exit 0"]);
  });

  test("is missing if the managed file forbids exceptions", () => {
    const machine = createMachine({ allow: { by: "nobody" } });
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; grep -c 'in your own terminal' "$HOME/answer"; explained
       grep -o 'forbids exceptions.*' "$HOME/explained"; grep -c 'bridge-hooks allow' "$HOME/explained"
       way 1 | grep -o 'config set exceptions.+'`,
    );
    expect(lines).toEqual(["0", "forbids exceptions; ask its owner", "0", "config set exceptions.+"]);
  });
});

describeHere("the commands that explain suggests, when pasted,", () => {
  // The command as it appears in a JSON string, and the exit code the hook then gives another command with the same
  // program and option.
  const LINES: Record<string, [line: string, other: string]> = {
    "a plain command": [PUSH, "exit 2"],
    "a command with quotes and shell characters": [`git push --force origin 'a b$c'`, "exit 2"],
    // A pattern can't contain text that messages show in quotes, so the suggested pattern accepts any words.
    "a command with an apostrophe and a substitution": ['git push --force \\"it\'s\\" `x`', "exit 0"],
    "a command line with other commands": ["cd src && git push -f; ls", "exit 2"],
    "a command that matches two rules": ["git push --force origin main && rm -rf /usr", "exit 2"],
  };
  for (const [what, [line, other]] of Object.entries(LINES))
    test(`create an exception for ${what}, without a config file`, () => {
      const machine = createMachine();
      writeFileSync(join(machine.project, "line"), line);
      const lines = run(
        machine,
        `LINE=$(cat line); rm line; call "$LINE" | tail -1; explained
         cd /; bash -c "$(way 2)" | sed 's/ = .*//; /^to undo: /d'
         for at in 3 4; do bash -c "$(way $at | grep 'exceptions.+')" >/dev/null; done; cd "$PROJECT"
         call "$LINE" | tail -1; call 'git push --force origin other' | tail -1; call 'rm -rf /opt' | tail -1`,
      );
      expect(lines).toEqual([
        "exit 2",
        expect.stringContaining(".config/bridge-hooks/config.json:3:5: exceptions.0"),
        ...["exit 0", other, "exit 2"],
      ]);
    });

  test("fit a terminal of 80 columns, and are pasted with its line breaks", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `LINE='git push --force origin a-branch-with-quite-a-long-name'; call "$LINE" >/dev/null
       COLS=80 person none "$BRIDGE explain --no-pager" > "$HOME/explained"
       grep '.\\{81\\}' "$HOME/explained" | sed 's/^ *//; s/: .*//; s/.*bridge-hooks config set .*/command/'
       bash -c "$(sed -n "/exceptions.+/,/}'$/p" "$HOME/explained")" >/dev/null; call "$LINE" | tail -1`,
    );
    // A path, the judged command line and a suggested command must each stay on one line.
    expect(lines.filter((line) => line !== '"project"')).toEqual(['"match"', "command", "exit 0"]);
  });

  test("include the action ask on hosts that deny instead, and are missing for a rule that warns", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; explained; grep -o "ask the user instead of denying, in every project; .*" "$HOME/explained"
       "$BRIDGE" config set rules.git/push-force.action warn >/dev/null; explained
       sed -n 's/^  options  //p' "$HOME/explained"; grep -c 'config set' "$HOME/explained"
       explained --command '${PUSH}'; grep -c '^  options' "$HOME/explained"`,
    );
    expect(lines).toEqual([
      expect.stringMatching(
        /^ask the user instead of denying, in every project; .*\bCodex\b.* can't ask and would still deny$/,
      ),
      "such a call is now allowed, with a warning",
      ...["0", "0"],
    ]);
    expect(lines[0]).not.toContain("Claude Code");
  });

  test("add a second exception to the list, however many it had when the command was printed", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; explained; FIRST=$(way 2)
       call 'rm -rf /usr' >/dev/null; explained; SECOND=$(way 2)
       bash -c "$FIRST" >/dev/null; bash -c "$SECOND" >/dev/null
       call '${PUSH}' | tail -1; call 'rm -rf /usr' | tail -1
       grep -c '"rule"' "$HOME/.config/bridge-hooks/config.json"`,
    );
    expect(lines).toEqual(["exit 0", "exit 0", "2"]);
  });

  test("make the rule ask the user, and are then no longer suggested", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; explained; bash -c "$(way 3)" >/dev/null
       call '${PUSH}' | tail -1; grep -o '"permissionDecision":"[a-z]*"' "$HOME/answer"
       explained --command '${PUSH}'; grep -c 'action ask' "$HOME/explained"`,
    );
    expect(lines).toEqual(["exit 0", '"permissionDecision":"ask"', "0"]);
  });

  test("are missing for a locked and a built-in rule, and show the errors in a config file", () => {
    const locked = createMachine({ locked: ["rules/git/*"] });
    expect(
      run(locked, `call '${PUSH}' >/dev/null; explained; sed -n 's/^  options //p' "$HOME/explained"; way 1`),
    ).toEqual([expect.stringContaining("locks git/push-force; only that file can contain an exception")]);
    const plain = createMachine();
    expect(
      run(
        plain,
        `call 'bridge-hooks uninstall' >/dev/null; explained; sed -n 's/^  options  //p' "$HOME/explained"; way 1
         mkdir -p "$HOME/.config/bridge-hooks"; echo '{' > "$HOME/.config/bridge-hooks/config.json"
         explained --command '${PUSH}'; bash -c "$(way 1)" | grep -c 'not valid JSON'`,
      ),
    ).toEqual(["hooks/switch-off can't have exceptions", expect.stringMatching(/^[1-9]/)]);
  });

  test("show the failure if a hook failed", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `mkdir -p "$HOME/.config/bridge-hooks" hooks
       printf 'import { defineHook } from "bridge-hooks";\\nexport default defineHook({ event: "PreToolUse", onError: "deny", handler() { throw new Error("broken"); } });\\n' > hooks/broken.ts
       "$BRIDGE" build --no-check --outfile "$HOME/acme" >/dev/null 2>&1 || echo "no build"
       BRIDGE="$HOME/acme"; call 'ls' | tail -1; explained; grep -o 'a failure decided.*' "$HOME/explained"
       bash -c "$(way 1)" >/dev/null 2>&1; echo "doctor $?"
       bash -c "$(way 2)" 2>&1 | grep -c 'broken'`,
    );
    expect(lines.slice(0, 3)).toEqual([
      "exit 2",
      "a failure decided this call, not a rule; find out what failed",
      "doctor 1",
    ]);
    expect(Number(last(lines, 1)[0])).toBeGreaterThan(0);
  });

  test("allow a denial from a hook that names no rule", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `mkdir hooks
       printf 'import { defineHook } from "bridge-hooks";\\nexport default defineHook({ event: "PreToolUse", handler: () => ({ decision: "deny" as const, reason: "no" }) });\\n' > hooks/strict.ts
       "$BRIDGE" build --no-check --outfile "$HOME/acme" >/dev/null 2>&1 || echo "no build"
       BRIDGE="$HOME/acme"; call 'ls' | tail -1; explained
       reasoned mine "$(way 1)" | grep -c 'is allowed;'; call 'ls' | tail -1
       explained --command ls; bash -c "$(way 1)" | grep -c strict`,
    );
    expect(lines.slice(0, 3)).toEqual(["exit 2", "1", "exit 0"]);
    expect(Number(last(lines, 1)[0])).toBeGreaterThan(0);
  });
});

describeHere("the commands that doctor and status suggest, when pasted,", () => {
  test("show the errors in a config file, wherever the file and the executable are", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `mkdir -p "$HOME/a b" "$HOME/.config/bridge-hooks"; cp "$BRIDGE" "$HOME/a b/bridge-hooks"; BRIDGE="$HOME/a b/bridge-hooks"
       printf '{"rules":{"mine/rule":{"programs":["x"]}},"exceptions":[{"rule":"git/push-forc","reason":"r"}]}' > "$HOME/a b/config.json"
       cp "$HOME/a b/config.json" "$HOME/.config/bridge-hooks/config.json"; cd /
       "$BRIDGE" doctor --host claude > "$HOME/said"
       bash -c "$(grep -o "'[^']*bridge-hooks' rules test [^ ]*" "$HOME/said" | head -1)" | grep -c 'did you mean program'
       bash -c "$(grep -o "'[^']*bridge-hooks' rules --all" "$HOME/said" | tail -1)" | grep -c '^ *git/push-force'
       bash -c "$(grep -o "'[^']*bridge-hooks' install --host claude" "$HOME/said") --yes" | grep -c 'written'
       "$BRIDGE" status --host cursor | grep -o "'.*' install --host cursor" > "$HOME/said"
       bash -c "$(cat "$HOME/said") --yes" | grep -c 'written'`,
    );
    for (const line of lines) expect(line).toMatch(/^[1-9]\d*$/);
    expect(lines).toHaveLength(4);
  });

  test("show and revoke an exception", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `person confirm "$BRIDGE" allow --rule git/push-force --for 1h --reason x >/dev/null
       bash -c "$("$BRIDGE" doctor --host claude | grep -o '[^ ]*bridge-hooks allow revoke [a-z0-9]*')"
       call '${PUSH}' | tail -1
       bash -c "$("$BRIDGE" allow list | sed -n 's/.*to allow a call: \\(.*\\) ID/\\1/p') list" | grep -c '${PUSH}'`,
    );
    expect(lines).toEqual([expect.stringMatching(/^\w{8}: revoked$/), "exit 2", "1"]);
  });
});

describeHere("explain without an argument", () => {
  test("explains the last denial of this project, or else of all projects, and says which of the two it is", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `git init -q "$PROJECT"; git init -q "$HOME/second"
       "$BRIDGE" explain 2>&1; echo "code $?"
       call '${PUSH}' >/dev/null; call 'ls' >/dev/null
       FIRST="$PROJECT"; PROJECT="$HOME/second"; call 'rm -rf /usr' >/dev/null
       for folder in "$FIRST" "$HOME/second" /; do
         cd "$folder"; "$BRIDGE" explain | grep -oE '^  chosen .*|^  rule .*'
         "$BRIDGE" explain --json | grep -oE '"chosen": "[a-z-]*"'
       done`,
    );
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^bridge-hooks: the log has no denials yet; to check a command before running it: .* explain --command LINE$/,
      ),
      "code 1",
    ]);
    const [here, elsewhere] = ["the last denial in this project:", "the last denial, in another project:"];
    expect(lines.slice(2).map((line) => line.replace(/\s+/g, " ").replace(/(project:) \S+$/, "$1"))).toEqual([
      ...[` chosen ${here}`, " rule git/push-force", '"chosen": "last-in-project"'],
      ...[` chosen ${here}`, " rule filesystem/rm-recursive", '"chosen": "last-in-project"'],
      ...[` chosen ${elsewhere}`, " rule filesystem/rm-recursive", '"chosen": "last-of-all"'],
    ]);
  });

  test("reports that the log is off, and where to find denied calls instead", () => {
    const machine = createMachine({ log: { level: "off" } });
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; "$BRIDGE" explain 2> "$HOME/said"
       bash -c "$(sed -n 's/.*that can be allowed: \\(.*\\)/\\1/p' "$HOME/said")" | grep -c '${PUSH}'`,
    );
    expect(lines).toEqual(["1"]);
  });
});

describeHere("the files that uninstall leaves", () => {
  test("are deleted by the command that it prints, which deletes only files that bridge-hooks wrote", () => {
    const machine = createMachine();
    const lines = run(
      machine,
      `mkdir -p "$HOME/.claude" "$HOME/kept"; echo '{}' > "$HOME/.claude/settings.json"; echo x > "$HOME/kept/file"
       "$BRIDGE" install --host claude --yes >/dev/null
       call '${PUSH}' >/dev/null; person confirm "$BRIDGE" allow --rule git/push-force --for 1h --reason x >/dev/null
       STATE="$HOME/.local/state/bridge-hooks"; echo mine > "$STATE/mine.txt"; ln -s "$HOME/kept" "$STATE/denied/link"
       "$BRIDGE" config set log.level decisions >/dev/null
       "$BRIDGE" uninstall --host claude --yes > "$HOME/said"; cat "$HOME/.claude/settings.json"
       COMMAND=$(sed -n 's/.*; to delete them: //p' "$HOME/said")
       bash -c "$COMMAND" </dev/null >/dev/null 2> "$HOME/refused"; echo "unasked $?"; [ -e "$STATE/decisions.jsonl" ] && echo there
       bash -c "$(sed -n 's/.*to skip confirmation: //p' "$HOME/refused")" | sed "s#$HOME#HOME#g; s#${machine.own}#OWN#g"
       ls "$STATE" "$HOME/kept"; ls ${machine.own}/.config/bridge-hooks 2>&1 | wc -l; [ -e "$HOME/.config/bridge-hooks/config.json" ] && echo config`,
    );
    const text = lines.join("\n");
    expect(text).toStartWith("{}\nunasked 1\nthere\n");
    expect(text).toContain("No user config has a bridge-hooks entry.\nDeleted:\n");
    for (const name of ["decisions.jsonl", "denied", "install.lock"]) expect(text).toContain(`/bridge-hooks/${name}\n`);
    expect(text).toContain("OWN/.config/bridge-hooks/exceptions/");
    expect(text).toContain(
      `Kept; delete these files manually:\n  - ~/.config/bridge-hooks/config.json\n  - ${EXECUTABLE}\n`,
    );
    expect(text).toContain("Kept, not written by bridge-hooks: ");
    expect(last(lines, 6)).toEqual(["mine.txt", "", expect.stringContaining("/kept:"), "file", "0", "config"]);
    expect(readFileSync(join(machine.project, "../home/kept/file"), "utf8")).toBe("x\n");
  });

  test("remain if the managed file determines how the log is kept", () => {
    const machine = createMachine({ log: { level: "decisions" } });
    const lines = run(
      machine,
      `call '${PUSH}' >/dev/null; "$BRIDGE" uninstall --purge --yes; ls "$HOME/.local/state/bridge-hooks"`,
    );
    expect(lines.join("\n")).toContain(
      "--purge: /etc/bridge-hooks/config.json configures the log, so it can't be deleted",
    );
    expect(lines).toContain("decisions.jsonl");
  });
});
