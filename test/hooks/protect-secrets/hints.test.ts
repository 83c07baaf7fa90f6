import { describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "../../../hooks/_secrets/file-names.ts";
import { FILE_PIECES, KEEPER_HINTS, NAME_PIECES, PRINT_HINTS } from "../../../hooks/_secrets/hints.build.ts";
import { mayConcernSecrets } from "../../../hooks/_secrets/hints.ts";
import { ALIASES, KEEPERS } from "../../../hooks/_secrets/keeper-rules.ts";
import { listRequiredPieces } from "../../../hooks/_secrets/literals.ts";
import { findPrintedSecret } from "../../../hooks/_secrets/printing.ts";
import { SECRETS_RULES, type SecretsRule } from "../../../hooks/_secrets/rules.ts";
import { shellLine } from "../../../src/index.ts";
import { buildHarmfulLines } from "../../score/harmful/lines.ts";
import { buildSecretPaths } from "../../score/harmful/paths.ts";
import { SECRETS } from "../windows-file-lines.ts";
import { PRINTING_LINES } from "./denied-lines.ts";
import { askBash } from "./project.ts";
import { SPELLINGS, WINDOWS_SPELLINGS } from "./spellings.ts";

type Shell = "bash" | "powershell" | "cmd";

/** Code that shows the environment, and what shows all of it by an option. */
const CODE_LINES = String.raw`
node -p 'process["env"]'
node -p 'process["env"].API_KEY'
node -e 'const { env } = process; console.log(env)'
python3 -c 'import os; print(os.environ)'
python3 -c 'import os; print(os.getenv("API_KEY"))'
php -r 'print_r($_ENV);'
ruby -e 'p ENV'
perl -e 'print %ENV'
awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'
jq -n env
jq -n '[env]'
ps e
ps auxe
ps eww -p 1
export -p
declare -xp
readonly -p
env X='a b'
printenv -0
declare -n r=API_KEY; echo "$r"`
  .trim()
  .split("\n");

const isHinted = (line: string) => mayConcernSecrets(line, "/", []);

describe("the hints of secrets", () => {
  for (const pattern of [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS])
    test(`cover the pattern ${pattern.source.slice(0, 60)}`, () => {
      const pieces = listRequiredPieces(pattern) ?? [];
      expect(pieces).not.toBeEmpty();
      for (const piece of pieces) expect(FILE_PIECES.some((hint) => piece.includes(hint))).toBe(true);
    });
  test("cover each secret store, and leave out its other commands", () => {
    expect(Object.keys(KEEPER_HINTS).sort()).toEqual([...Object.keys(KEEPERS), ...Object.keys(ALIASES)].sort());
    expect(Object.keys(KEEPER_HINTS).filter((name) => KEEPER_HINTS[name]?.length === 0)).toEqual([
      "pass",
      "gpg",
      "gpg2",
    ]);
    for (const line of [
      "gh pr list",
      "kubectl get pods",
      "aws s3 ls",
      "git status",
      "docker ps -a",
      "npm run security",
    ])
      expect([line, isHinted(line)]).toEqual([line, line === "docker ps -a"]);
  });
  test("cover each kind of secret variable name", () => {
    expect(NAME_PIECES.length).toBeGreaterThan(20);
    for (const piece of NAME_PIECES) expect([piece, isHinted(`echo $X${piece}`)]).toEqual([piece, true]);
  });
  test("cover whatever the expressions for printing match", () => {
    const harmful = [...buildHarmfulLines()].flatMap(([, all]) => all.map((line) => line.toLowerCase()));
    const lines = [...harmful, "powershell.exe -enc x", "pwsh -nop /e x"];
    const found = PRINT_HINTS.map(({ source, pieces }) => {
      const expression = new RegExp(source);
      const matches = lines.flatMap((line) => expression.exec(line)?.[0] ?? []);
      expect(matches.filter((match) => !pieces.some((piece) => match.includes(piece)))).toEqual([]);
      return matches.length;
    });
    expect(found.every((count) => count > 0)).toBe(true);
  });
  test("leave out other uses of the environment", () => {
    for (const line of [
      "python -m venv x",
      "NODE_ENV=test npm test",
      "x --env=dev",
      "set -e",
      "export CI=1",
      "set foo",
    ])
      expect([line, isHinted(line)]).toEqual([line, false]);
  });
  test("cover each path of a secret file", () => {
    expect(buildSecretPaths().filter((path) => !isHinted(`cat '${path.replace(/^~/, homedir())}'`))).toEqual([]);
  });
  test("cover each denied line", async () => {
    const examples = Object.values(SECRETS_RULES).flatMap(({ setting, deny }: SecretsRule) =>
      setting === "files" || setting === "printing" ? deny.filter((example) => typeof example === "string") : [],
    );
    const harmful = [...buildHarmfulLines()].flatMap(([name, lines]) => (name.endsWith("-secrets") ? lines : []));
    expect(harmful.length).toBeGreaterThan(1_500);
    const missed = [...examples, ...harmful].filter((line) => !isHinted(line));
    for (const line of missed) expect([line, await askBash(line)]).toEqual([line, undefined]);
    expect(missed.length).toBeLessThan(5);
  });
});

/** What a line prints that is a secret, when it is read whether or not it is hinted. */
function findPrinted(command: string, shell: Shell | undefined): string | undefined {
  const input = { command, ...(shell && { shell }) };
  const event = { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd: "/", input };
  return findPrintedSecret(command, shellLine(event as Parameters<typeof shellLine>[0]).commands, () => false)?.what;
}

describe("a line that prints a secret has a hint", () => {
  const examples = Object.values(SECRETS_RULES).flatMap(({ deny }: SecretsRule) =>
    deny.filter((example) => typeof example === "string"),
  );
  const harmful = buildHarmfulLines().get("print-secrets") ?? [];
  const lines = [...new Set([...examples, ...PRINTING_LINES, ...CODE_LINES, ...harmful])];
  const shells = { bash: SPELLINGS, powershell: WINDOWS_SPELLINGS, cmd: WINDOWS_SPELLINGS } as const;
  for (const [shell, spellings] of Object.entries(shells)) {
    const given = [
      ...lines,
      ...SECRETS.flatMap((cases) => (cases.shell === shell ? cases.denied.filter((line) => line !== "") : [])),
    ];
    for (const [name, spell] of Object.entries(spellings))
      test(`in ${shell}, ${name}`, () => {
        const unread = given.map(spell).filter((line) => !isHinted(line));
        expect(unread.filter((line) => findPrinted(line, shell as Shell) !== undefined)).toEqual([]);
      });
  }
  test("in more than 700 lines, of which most print secrets", () => {
    expect(lines.length).toBeGreaterThan(700);
    expect(lines.filter((line) => findPrinted(line, undefined) !== undefined).length).toBeGreaterThan(
      lines.length * 0.9,
    );
  });
});
