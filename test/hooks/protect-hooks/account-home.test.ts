import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setOwnHome } from "../../../src/call/exceptions/account-home.ts";
import { askBash, askDecision, scratch } from "./project.ts";

/** The home directory in the user database, which isn't the same as `$HOME`. */
const account = join(scratch, "account");

describe("with a different $HOME, the account's own home directory is guarded", () => {
  beforeAll(() => {
    for (const file of [
      ".config/bridge-hooks/exceptions/a.json",
      ".claude/settings.json",
      ".config/other/a.json",
      "planted/exceptions/b.json",
    ]) {
      mkdirSync(join(account, file, ".."), { recursive: true });
      writeFileSync(join(account, file), "{}");
    }
    setOwnHome(account);
  });
  afterAll(() => setOwnHome(""));

  const LINES: [denied: boolean, line: string][] = [
    [true, "echo x > A/.config/bridge-hooks/exceptions/b.json"],
    [true, "echo x > A/.config/bridge-hooks/config.json"],
    [true, "mv A/planted A/.config/bridge-hooks"],
    [true, "cp -r A/planted/. A/.config/bridge-hooks/"],
    [true, "cp -rT A/planted A/.config/bridge-hooks"],
    [true, "ln -sfn A/planted A/.config/bridge-hooks"],
    [true, "mount --bind A/planted A/.config/bridge-hooks"],
    [true, "mv A/.config A/old"],
    [true, "rm -rf A/.config"],
    [true, "rm -rf A"],
    [true, "tar xf x.tar -C A/.config/bridge-hooks"],
    [true, "tar xf x.tar -C A"],
    [true, "echo x > A/.local/state/bridge-hooks/receipts/x.json"],
    [true, "rm -rf A/.claude"],
    [true, "rm -rf ~root/.claude"],
    [true, "echo '{}' > ~root/.claude/settings.json"],
    [true, "tee ~root/.claude/settings.json < x"],
    [true, `cp x ~${userInfo().username}/.claude/settings.json`],
    [true, `cd ~${userInfo().username}/.claude && rm settings.json`],
    [false, "cat ~root/.claude/settings.json"],
    [false, "echo x > ~root/notes.txt"],
    [false, "echo x > ~unknown-user/notes.txt"],
    [false, "rm -rf A/.config/other"],
    [false, "cp -r A/planted A/copy"],
    [false, "ls A/.config/bridge-hooks"],
    [false, "tar xf x.tar -C A/copy"],
  ];
  for (const [denied, line] of LINES)
    test(`${denied ? "denied" : "allowed"}: ${line}`, async () => {
      expect(await askBash(line.replaceAll(/\bA(?=[/ ]|$)/g, account))).toBe(denied ? "deny" : (undefined as never));
    });

  const CALLS: [denied: boolean, tool: string, input: object][] = [
    [true, "Write", { file_path: join(account, ".config/bridge-hooks/exceptions/b.json"), content: "{}" }],
    [
      true,
      "MCP",
      {
        tool: "move_file",
        arguments: { source: join(account, "planted"), destination: join(account, ".config/bridge-hooks") },
      },
    ],
    [true, "MCP", { tool: "delete_directory", arguments: { path: join(account, ".config") } }],
    [false, "Write", { file_path: join(account, ".config/other/b.json"), content: "{}" }],
  ];
  for (const [at, [denied, tool, input]] of CALLS.entries())
    test(`${denied ? "denied" : "allowed"}: ${tool} ${at}`, async () => {
      expect(await askDecision(tool, input)).toBe(denied ? "deny" : (undefined as never));
    });
});
