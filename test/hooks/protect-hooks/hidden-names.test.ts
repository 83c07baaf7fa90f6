import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, root, evilFolder, askDecision, askBash } from "./project.ts";

describe("among many names, protect-hooks", () => {
  const folder = join(scratch, "many");
  const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);
  const added = names(2100).map((name) => `*** Add File: ${name}\n+x\n`);
  const nested = (depth: number): object =>
    depth === 0 ? { path: ".claude/settings.json" } : { inner: nested(depth - 1) };
  beforeAll(() => {
    mkdirSync(join(folder, "src/deep"), { recursive: true });
    for (const name of names(3000)) writeFileSync(join(folder, "src", `${name}.ts`), "");
    for (const name of names(400)) symlinkSync("nowhere", join(folder, "src/deep", name));
  });
  const lines: [denied: boolean, command: string][] = [
    [true, `touch ${names(2100).join(" ")} ~/.claude/settings.json`],
    [true, `touch ${names(2100).join(" ")} .claude/settings.json`],
    [true, `touch ${folder}/src/* ${names(1005).join(" ")} .claude/settings.json`],
    [true, `rm ${folder}/src/deep/* .cl*/settings.json`],
    [true, `rm ${names(400).join(" ")} .cl*/settings.json`],
    [true, `mytool ${names(400).join(" ")} .claude/settings.json`],
    [true, `cp ${names(100).join(" ")} ${evilFolder}/settings.json .claude`],
    [
      true,
      `apply_patch <<'P'\n*** Begin Patch\n${added.join("")}*** Update File: .claude/settings.json\n@@\n-a\n+b\n*** End Patch\nP`,
    ],
    [false, `touch ${names(2100).join(" ")} src/settings.json`],
    [false, `mytool ${names(400).join(" ")} settings.json`],
    [false, `cd ${folder}; eslint src/**/*.ts src/*.ts test/*.ts`],
    [false, `cd ${folder}; cp src/*.ts lib/; rm src/*.ts src/*/* src/f*`],
  ];
  for (const [denied, command] of lines)
    test(`${denied ? "denies" : "allows"} ${command.slice(0, 20)} … ${command.slice(-40)}`, async () =>
      expect(await askBash(command)).toBe(denied ? "deny" : (undefined as never)));
  test("finds a guarded file in a tool's arguments", async () => {
    const mcp = (args: object) => askDecision("MCP", { tool: "write_files", arguments: args });
    expect(await mcp({ paths: [...names(600), ".claude/settings.json"] })).toBe("deny");
    expect(await mcp(nested(6))).toBe("deny");
    expect(await mcp({ rows: names(5000).map((name) => [name, `${name}/x`]), file: "a.csv" })).toBeUndefined();
  });
  test("fails on a call with more values than it can check", async () => {
    expect(askDecision("MCP", { tool: "write", arguments: { rows: names(25_000) } })).rejects.toThrow(
      /too many to check/,
    );
    expect(askDecision("MCP", { tool: "write", arguments: nested(40) })).rejects.toThrow(/too deep to check/);
    expect(askBash(`cd ${folder}/src; rm ${names(9).join("* ")}* ${"*s *t ".repeat(300)}`)).rejects.toThrow(
      /wildcards/,
    );
  });
});

// Commands whose text hides what they do. `out` and `1x` are links to a guarded file, and `cfg` is a link to its
// directory.
const HIDDEN = [
  "r\\\nm -rf .cla\\\nude",
  "echo x | t\\\nee .cl\\\naude/settings.json",
  "cla\\\nude --bare",
  "brid\\\nge-hooks unin\\\nstall",
  "sort -o .cl*/settings.json in",
  "prettier --write .cl*/settings.json",
  ...["gcp in", "gmv in", "grm"].map((line) => `${line} .cl*/settings.json`),
  "x=; r${x}m -rf .cl*",
  "x=e; te$x .claud$x/settings.json",
  "x=; pk${x}ill -f bridge",
  "x=u; cla${x}de --bare",
  "a=d; b=de; c$a .clau$b; cat in > settings.json",
  "cat in >&1x",
  "sort -o out in",
  "shuf -o out in",
  "yq -i .a=1 out",
  "zstd -o out in",
  "gcc -o out in",
  "script out",
  "fallocate -l 0 out",
  "sqlite3 out",
  "npm test out",
  "go build -o out",
  "tsc --outFile=out",
  "cd src && node x.js ../out",
  "sort -o cfg/settings.json in",
  "uniq in out",
  "xxd -r in out",
  "iconv -o out in",
  "tree -o out",
  "history -w out",
];
describe("on hidden names, protect-hooks", () => {
  const LINKS = { out: ".claude/settings.json", "1x": ".claude/settings.json", cfg: ".claude" };
  beforeAll(() => Object.entries(LINKS).forEach(([link, to]) => symlinkSync(to, join(root, link))));
  afterAll(() => Object.keys(LINKS).forEach((link) => rmSync(join(root, link))));
  for (const command of HIDDEN) test(`denies ${command}`, async () => expect(await askBash(command)).toBe("deny"));
});

test("a redirection is denied if its file is a link to a guarded one", async () => {
  symlinkSync(join(root, ".gemini/settings.json"), join(root, "dangling"));
  const lines = [
    "echo x > link.json",
    "echo x >> dir-link/settings.json",
    "echo x > dangling",
    "ls; echo x > .claude/settings.local.json; ls",
  ];
  for (const line of lines) expect([line, await askBash(line)]).toEqual([line, "deny"]);
  expect(await askBash("echo x > notes.txt")).toBeUndefined();
  const input = { command: "echo x > settings.json", cwd: ".claude" };
  expect(await askDecision("Bash", input)).toBe("deny");
  rmSync(join(root, "dangling"));
});
