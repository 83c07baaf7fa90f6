import { expect, test } from "bun:test";
import { DENIED_LINES, ALLOWED_LINES } from "./command-lines.ts";
import { ALLOWED_COPIES, DENIED_COPIES } from "./copy-lines.ts";
import {
  ALLOWED_OPTIONS,
  ALLOWED_SCRIPTS,
  DENIED_BESIDE_EXCLUSIONS,
  DENIED_OPTIONS,
  DENIED_SCRIPTS,
} from "./option-lines.ts";
import { ALLOWED_PLACEMENTS, DENIED_PLACEMENTS } from "./placed-lines.ts";
import { ALLOWED_WRITES, DENIED_WRITES } from "./writer-lines.ts";
import { scratch, decisionCount, askBash } from "./project.ts";

for (const command of [
  ...DENIED_LINES,
  ...DENIED_WRITES,
  ...DENIED_COPIES,
  ...DENIED_OPTIONS,
  ...DENIED_BESIDE_EXCLUSIONS,
  ...DENIED_PLACEMENTS,
  ...DENIED_SCRIPTS,
])
  test(`protect-hooks denies ${command.replaceAll(scratch, "…")}`, async () =>
    expect(await askBash(command)).toBe("deny"));
for (const command of [
  ...ALLOWED_LINES,
  ...ALLOWED_WRITES,
  ...ALLOWED_COPIES,
  ...ALLOWED_OPTIONS,
  ...ALLOWED_PLACEMENTS,
  ...ALLOWED_SCRIPTS,
])
  test(`protect-hooks allows ${command.replaceAll(scratch, "…")}`, async () =>
    expect(await askBash(command)).toBeUndefined());

// Commands that the hook is known to miss. They're listed so that an improvement gets noticed.
const MISSED = [
  "git stash",
  "git reset --hard HEAD~1",
  "git clean -fdx",
  "git checkout other-branch",
  "git checkout HEAD~3 -- .",
  "git apply x.patch",
  "patch -p1 < x.patch",
  "tar xf x.tgz",
  "./change-settings.sh",
  "python3 change-settings.py",
  "npm run change-settings",
  'python3 -c "import base64; exec(base64.b64decode(x))"',
  "X=$(cat name); rm $X",
  "cat names | xargs rm",
  "crontab jobs.txt",
  "tmux source-file x.conf",
  "git submodule foreach rm -rf ../.claude",
];
for (const command of MISSED)
  test(`protect-hooks misses ${command}`, async () => expect(await askBash(command)).toBeUndefined());

test("more than 300 decisions are tested", () => expect(decisionCount).toBeGreaterThan(300));
