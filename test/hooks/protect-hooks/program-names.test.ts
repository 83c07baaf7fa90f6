import { describe, expect, test } from "bun:test";
import { askBash } from "./project.ts";

const DENIED = [
  "cl*e --bare",
  "/usr/bin/cl?ude --bare",
  "sudo cl[a]ude --bare",
  "cla${x}ude --bare",
  "CLAUDE --bare",
  "claude.cmd --bare",
  "CLAUDE_CONFIG_DIR=/tmp c?aude",
  "/path/bridge-h* pause",
  "sudo /path/bridge-h* pause",
  "bash -c '/path/bridge-h* pause'",
  "/path/bridge-hooks-l*-x64 pause",
  "bridge-${x}hooks pause",
  "bridge-hooks${x} uninstall",
  "pki${x}ll bridge-hooks",
  "/usr/bin/pki?l bridge-hooks",
  "cd .c[l]aude; echo > settings.json",
  "cd .cl*; echo > settings.json",
  "cd .cl* && echo > settings.json",
  "(cd .cl*/ && rm settings.json)",
  "pushd .cl?ude && sed -i s/a/b/ settings.json",
  "cd src && cd ../.cl* && rm settings.json",
  'cd "$PWD"/.cl* && rm settings.json',
  "cd ${UNSET:-.claude} && rm settings.json",
  "mkdir -p .gemini && cd .gem* && echo > settings.json",
];
const ALLOWED = [
  "cl*e --version",
  "./c*.sh --bare",
  "/path/bridge-h* status",
  "cd sr* && echo x > settings.json",
  "cd $NOTHING && ls",
  "cd */ && ls",
  "cd .git* && ls",
  "git-lfs pull",
];

describe("protect-hooks on a name with unknown parts", () => {
  for (const line of DENIED) test(`denies ${line}`, async () => expect(await askBash(line)).toBe("deny"));
  for (const line of ALLOWED) test(`allows ${line}`, async () => expect(await askBash(line)).toBeUndefined());
});
