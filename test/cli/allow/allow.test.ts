import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { createMachine, hasMachine } from "./machine.ts";

const PUSH = "git push --force origin main";
const describeHere = describe.skipIf(!hasMachine);

describeHere("an exception confirmed by a user in a terminal", () => {
  test("allows the denied call once, and denial, exception and call are logged", () => {
    const machine = createMachine();
    const lines = machine.run(`
      call '${PUSH}'; ID=$(id)
      person confirm "$BRIDGE" allow --last --reason "'the branch is mine'"
      "$BRIDGE" status --host claude | sed -n 2p
      call '${PUSH}'; call '${PUSH}'
      "$BRIDGE" log --json | sed 's/.*"exceptions":\\["\\([a-z0-9]*\\)"\\].*/passed by \\1/; s/.*"change".*"command":"\\([a-z]*\\)".*/person: \\1/; s/^{.*/denied/'
      "$BRIDGE" allow list | sed -n 1p; "$BRIDGE" allow list | sed -n 1p
      echo "id $ID"`);
    const id = lines.at(-1)?.slice(3) ?? "";
    const text = lines.join("\n");
    expect(id).toMatch(/^[a-z0-9]{8}$/);
    expect(text).toContain(`call      ${PUSH}\n`);
    expect(text).toContain(`folder    ${machine.project}\n`);
    expect(text).toContain("because   the branch is mine\n");
    expect(text).toContain("terminal  terminal-emulator\n");
    expect(text).toMatch(/Type (?:[bdfgklmnprstvz][aeiou]){3} to continue: /);
    expect(text).toContain(`exception ${id} (in force): ${PUSH}, once, until `);
    expect(lines.filter((line) => line.startsWith("exit "))).toEqual(["exit 2", "exit 0", "exit 2"]);
    expect(lines.slice(-7)).toEqual([
      ...["denied", `passed by ${id}`, "person: allow", "denied"],
      ...[`${id}  used`, "No exceptions.", `id ${id}`],
    ]);
    // HOME points elsewhere, so this directory can only come from the user database.
    expect(readdirSync(machine.place)).toEqual(["used"]);
    expect(statSync(machine.place).mode & 0o777).toBe(0o700);
  });

  test("is rejected without a terminal, with a wrong confirmation and in a terminal that a host runs", () => {
    const machine = createMachine();
    const lines = machine.run(`
      call '${PUSH}' >/dev/null; ID=$(id)
      setsid -w "$BRIDGE" allow --last --reason x
      echo "$ID" | setsid -w "$BRIDGE" allow --last --reason x
      person yes "$BRIDGE" allow --last --reason x | grep bridge-hooks:
      cp /bin/sh "$PROJECT/claude"
      person confirm "$PROJECT/claude" -c "'\\"$BRIDGE\\" allow --last --reason x; true'"
      "$BRIDGE" allow 2>&1
      call '${PUSH}' | tail -1`);
    const said = lines.flatMap((line) => /bridge-hooks: allow: .*|^exit.*/.exec(line) ?? []);
    expect(said).toEqual([
      "bridge-hooks: allow: no changes made",
      `bridge-hooks: allow: Claude Code runs this terminal; run the command in a terminal that agents can't type into: ${EXECUTABLE} allow --last --reason x`,
      `bridge-hooks: allow: pass an ID, --last or --rule; see ${EXECUTABLE} allow --help`,
      "exit 2",
      ...Array.from(
        { length: 2 },
        () =>
          `bridge-hooks: allow: this process has no terminal; a person must run the command in their own terminal: ${EXECUTABLE} allow --last --reason x`,
      ),
    ]);
    expect(existsSync(machine.place)).toBe(false);
  });

  test("for one call allows one of twelve concurrent calls", () => {
    const machine = createMachine();
    const lines = machine.run(`
      call '${PUSH}' >/dev/null; ID=$(id)
      person confirm "$BRIDGE" allow "$ID" --once --reason x >/dev/null
      for at in 1 2 3 4 5 6 7 8 9 10 11 12; do call '${PUSH}' "session$at" | tail -1 & done; wait`);
    expect(lines.toSorted()).toEqual(["exit 0", ...Array.from({ length: 11 }, () => "exit 2")]);
  });

  test("for a rule is void with other hooks, and listed with the reason", () => {
    const machine = createMachine();
    const lines = machine.run(`
      person confirm "$BRIDGE" allow --rule git/push-force --for 1h --reason x >/dev/null
      call '${PUSH}' | tail -1
      sed 's/"policy": "[0-9a-f]*"/"policy": "0123456789ab"/' -i ${machine.place}/*.json
      call '${PUSH}' | tail -1; "$BRIDGE" allow list | sed -n 1p`);
    expect(lines).toEqual([
      ...["exit 0", "exit 2"],
      expect.stringMatching(
        /^[a-z0-9]{8} {2}void: the exception was created for other hooks \(hash 0123456789ab, here [0-9a-f]{12}\); revoke it, and create it again/,
      ),
    ]);
  });

  test("is refused for a call that a mode let through, with the reason", () => {
    const machine = createMachine({ mode: "observe" });
    const lines = machine.run(`
      call '${PUSH}' | tail -1
      ID=$("$BRIDGE" log --denied --json | sed -n 's/.*"id":"\\([a-z0-9]*\\)".*/\\1/p')
      "$BRIDGE" allow "$ID" | tail -1; "$BRIDGE" allow zzzzzzzz`);
    expect(lines).toEqual([
      "exit 0",
      expect.stringMatching(
        /allow: the call "[a-z0-9]{8}" was not denied, so there is nothing to allow; its decision: would deny \(mode: observe\)$/,
      ),
      expect.stringContaining('there is no denied call "zzzzzzzz" to allow; if it is too old, repeat the call'),
    ]);
  });

  test("is named by explain for a typed command, whether it covers the call, its rule or everything", () => {
    const machine = createMachine();
    const explain = `"$BRIDGE" explain --command '${PUSH}' --json | sed -n '/userExceptions/,/]/p' | grep -oE '"(once|pause|rule)": [^,]*'`;
    const lines = machine.run(`
      ${explain}; "$BRIDGE" explain --command 'git status' --json | grep -c userExceptions
      call '${PUSH}' >/dev/null; ID=$(id)
      person confirm "$BRIDGE" allow "$ID" --once --reason x >/dev/null; ${explain}; cd /; ${explain}; cd "$PROJECT"
      "$BRIDGE" allow revoke --all >/dev/null
      person confirm "$BRIDGE" allow --rule git/push-force --for 1h --reason x >/dev/null; ${explain}
      "$BRIDGE" explain --command '${PUSH}' | grep -A3 excepted | tr -s ' \n' ' '; echo
      "$BRIDGE" allow revoke --all >/dev/null
      person confirm "$BRIDGE" pause 10m --reason x >/dev/null; ${explain}
      "$BRIDGE" explain --command 'bridge-hooks uninstall' --json | grep -c userExceptions`);
    expect(lines).toEqual([
      ...["0", '"rule": "git/push-force"', '"once": true', '"rule": "git/push-force"'],
      expect.stringMatching(
        /excepted the exception [a-z0-9]{8} lets calls that break git\/push-force through until .*: x to end it: .* allow revoke [a-z0-9]{8}/,
      ),
      ...['"pause": true', "0"],
    ]);
  });

  test("is named by explain for a past call, without a suggestion to allow the call again", () => {
    const machine = createMachine();
    const lines = machine.run(`
      call '${PUSH}' >/dev/null; ID=$(id)
      person confirm "$BRIDGE" allow "$ID" --once --reason x >/dev/null; call '${PUSH}' | tail -1
      "$BRIDGE" explain --last > "$HOME/explained"; grep -c '^  options' "$HOME/explained"
      grep -o "^  excepted the exception $ID allowed this call" "$HOME/explained"`);
    expect(lines).toEqual(["exit 0", "0", expect.stringMatching(/^  excepted the exception \w{8} allowed this call$/)]);
  });

  test("for one call allows both entries that the host starts for it", () => {
    const machine = createMachine();
    const lines = machine.run(`
      call '${PUSH}' >/dev/null; ID=$(id)
      person confirm "$BRIDGE" allow "$ID" --once --reason x >/dev/null
      call '${PUSH}' s one | tail -1; call '${PUSH}' s one | tail -1; call '${PUSH}' s two | tail -1`);
    expect(lines).toEqual(["exit 0", "exit 0", "exit 2"]);
  });

  test("covers a rule, or pauses the hooks, for a limited time or until it is revoked", () => {
    const machine = createMachine();
    const lines = machine.run(`
      person confirm "$BRIDGE" allow --rule git/push-force --for 1h --reason x >/dev/null
      call '${PUSH}' | tail -1; call 'rm -rf /usr' | tail -1
      person confirm "$BRIDGE" pause 10m --reason "'it is broken'" | grep -c 'paused until'
      call 'rm -rf /usr' | tail -1; call 'bridge-hooks uninstall' | tail -1
      "$BRIDGE" doctor --host claude --json | grep -c '"check": "exception"'
      "$BRIDGE" allow revoke --all | grep -c 'revoked'
      call '${PUSH}' | tail -1
      person confirm "$BRIDGE" allow --rule hooks/switch-off --reason x
      "$BRIDGE" pause 9h --reason x 2>&1`);
    expect(lines).toEqual([
      ...["exit 0", "exit 2", "1", "exit 0", "exit 2", "2", "2", "exit 2"],
      "bridge-hooks: allow: hooks/switch-off can't have exceptions, because it guards the policy itself",
      // The duration is checked even without a terminal, where nobody could confirm a pause.
      'bridge-hooks: pause: "9h" is too long; pass 8h or less',
    ]);
  });
});

describeHere("the managed config file", () => {
  const allowBoth = `
    call '${PUSH}' >/dev/null; ID=$(id)
    person confirm "$BRIDGE" allow --last --for 4h --reason x | grep -E 'bridge-hooks: |until|is allowed;'
    person confirm "$BRIDGE" pause 5m --reason x | grep -E 'bridge-hooks: |paused'`;

  test("forbids exceptions and pauses", () => {
    const machine = createMachine({ allow: { by: "nobody" } });
    const forbidden = "/etc/bridge-hooks/config.json forbids exceptions";
    expect(
      machine.run(
        `call '${PUSH}'; id; person confirm "$BRIDGE" allow --rule git/push-force --reason x; person confirm "$BRIDGE" pause 5m --reason x`,
      ),
    ).toEqual([
      expect.stringContaining("Blocked"),
      "exit 2",
      `bridge-hooks: allow: ${forbidden}`,
      `bridge-hooks: pause: ${forbidden}`,
    ]);
  });
  test("forbids exceptions if its setting for them is invalid", () => {
    const machine = createMachine({ allow: { by: "me" } });
    expect(
      machine.run(
        `person confirm "$BRIDGE" allow --rule git/push-force --reason x; "$BRIDGE" config check /etc/bridge-hooks/config.json | grep -c 'must be one of users, administrators, nobody'`,
      ),
    ).toEqual(["bridge-hooks: allow: /etc/bridge-hooks/config.json forbids exceptions", "1"]);
  });
  test("determines in which kinds of terminal exceptions are confirmed", () => {
    const config = "/etc/bridge-hooks/config.json";
    const machine = createMachine({ allow: { from: ["ssh", "login-terminal"] } });
    const lines = machine.run(`
      call '${PUSH}' >/dev/null
      person confirm "$BRIDGE" allow --last --reason x | tail -1
      MAKER=/mnt/sshd person confirm "$BRIDGE" allow --last --for 1h --reason x | grep -c 'is allowed;'
      call '${PUSH}' | tail -1
      echo '{"allow":{"from":"login-terminal"}}' > ${config}
      call '${PUSH}' | tail -1; "$BRIDGE" allow list | sed -n 1p
      "$BRIDGE" log --json | grep -o '"confirmed":"[a-z]*"'
      echo '{"allow":{"from":"anywhere"}}' > ${config}
      MAKER=/mnt/sshd person confirm "$BRIDGE" allow --last --reason x | tail -1
      "$BRIDGE" config check ${config} | grep -o 'must be one of login-terminal.*'`);
    expect(lines).toEqual([
      `bridge-hooks: allow: ${config} requires confirmation in ssh or login-terminal, but this is terminal-emulator; run the command there: ${EXECUTABLE} allow --last --reason x`,
      ...["1", "exit 0", "exit 2"],
      expect.stringMatching(
        /^[a-z0-9]{8} {2}void: the confirmation came from ssh, but the managed config file requires login-terminal$/,
      ),
      '"confirmed":"ssh"',
      `bridge-hooks: allow: ${config} forbids exceptions`,
      expect.stringContaining(
        "must be one of login-terminal, ssh, terminal-emulator, tmux, screen, container, wsl, or a list",
      ),
    ]);
  });
  test("limits the duration of exceptions, and forbids pauses", () => {
    const machine = createMachine({ allow: { longest: "1h", pause: false } });
    const [until = "", confirmation, pause] = machine.run(allowBoth);
    expect(Date.parse(`${until.slice(10)}Z`) - Date.now()).toBeLessThan(3_601_000);
    expect(confirmation).toContain("is allowed;");
    expect(pause).toBe("bridge-hooks: /etc/bridge-hooks/config.json does not allow this exception");
    // Editing a record manually doesn't extend its lifetime.
    const file = join(machine.place, readdirSync(machine.place)[0] as string);
    const record = JSON.parse(readFileSync(file, "utf8")) as object;
    const old = JSON.stringify({ ...record, made: "2020-01-01T00:00:00Z", until: "2099-01-01T00:00:00Z" });
    expect(machine.run(`call '${PUSH}' | tail -1; echo '${old}' > ${file}; call '${PUSH}' | tail -1`)).toEqual([
      "exit 0",
      "exit 2",
    ]);
  });
  test("restricts exceptions to administrators, who create them with sudo for the calling account", () => {
    const machine = createMachine({ allow: { by: "administrators" } });
    const lines = machine.run(`
      export XDG_STATE_HOME=${machine.own}/.local/state
      call '${PUSH}' >/dev/null; ID=$(id)
      person confirm "$BRIDGE" allow --last --reason x
      person confirm "$BRIDGE" allow --last --managed --reason x | tail -1
      person confirm "SUDO_UID=0 $BRIDGE" allow --last --managed --reason x | tail -1
      call '${PUSH}' | tail -1; call '${PUSH}' | tail -1; ls /etc/bridge-hooks/exceptions | wc -l`);
    expect(lines).toEqual([
      expect.stringContaining(
        `allows only administrators to create exceptions; run: sudo ${EXECUTABLE} allow --last --reason x --managed`,
      ),
      "bridge-hooks: allow: --managed needs administrator rights; run the command with sudo from the account that should get the exception",
      expect.stringContaining(`  ${EXECUTABLE} allow revoke `),
      ...["exit 0", "exit 2", "1"],
    ]);
  });
  test("locks rules, which then accept no exception, not even a manually written one", () => {
    const machine = createMachine({ locked: ["rules/git/*"] });
    const lines = machine.run(`
      call '${PUSH}' | tail -1; echo "id $(id)"
      person confirm "$BRIDGE" allow --rule git/push-force --reason x
      person confirm "$BRIDGE" allow --rule filesystem/rm-recursive --for 1h --reason x >/dev/null
      call 'rm -rf /usr' | tail -1
      sed 's/filesystem.rm-recursive/git\\/push-force/' -i ${machine.place}/*.json
      call '${PUSH}' | tail -1`);
    expect(lines).toEqual([
      ...["exit 2", "id "],
      "bridge-hooks: allow: /etc/bridge-hooks/config.json locks git/push-force; only that file can contain an exception",
      ...["exit 0", "exit 2"],
    ]);
  });
  test("locks rules, for which explain names neither exceptions nor pauses made before", () => {
    const machine = createMachine();
    const count = `"$BRIDGE" explain --command '${PUSH}' --json | grep -c '"until"'`;
    const lines = machine.run(`
      lock() { echo '{"locked":["rules/git/*"]}' > /etc/bridge-hooks/config.json; }
      person confirm "$BRIDGE" allow --rule git/push-force --for 1h --reason x >/dev/null
      ${count}; lock; ${count}; call '${PUSH}' | tail -1
      rm /etc/bridge-hooks/config.json; "$BRIDGE" allow revoke --all >/dev/null
      person confirm "$BRIDGE" pause 10m --reason x >/dev/null
      ${count}; lock; ${count}; call '${PUSH}' | tail -1`);
    expect(lines).toEqual(["1", "0", "exit 2", "1", "0", "exit 2"]);
  });
});
