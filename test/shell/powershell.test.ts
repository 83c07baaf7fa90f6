import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Command, commandsIn, readLine } from "../../src/shell/index.ts";
import { FOREIGN_ALIASES, FOREIGN_CMDLETS } from "../../hooks/_destructive/foreign-names.ts";
import { listCmdlets, lookUpCmdlet } from "../../src/shell/powershell/cmdlets.ts";
import { fuzz } from "../support/fuzz.ts";
import { measureCpuTime } from "../support/machine.ts";
import { outcomeOf, showCommand } from "./windows-support.ts";

const encode = (text: string) => Buffer.from(text, "utf16le").toString("base64");

/** Command lines, each with the commands that hooks see: program and arguments. "↯" marks remote commands. */
const READ: Record<string, readonly string[]> = {
  "Remove-Item -Recurse -Force x": ["rm -r -f x"],
  "ri x -rec -fo": ["rm -r -f x"],
  "rm -rf x": ["rm -rf x"],
  "Remove-Item -Path:x -Recurse:$false": ["rm x"],
  "Remove-Item a, 'b c', d": ["rm a b c d"],
  "Remove-Item -LiteralPath 'a[1]'": ["rm a[1]"],
  "Remove-Item -- -x": ["rm -- -x"],
  "Get-Content -Path .\\a.txt -TotalCount 3": ["cat ./a.txt"],
  "gc a.txt | Select-String x": ["cat a.txt", "grep x"],
  "Set-Content a.txt 'some text'": ["tee a.txt <some text>"],
  "'a', 'b' | Set-Content a.txt": ["tee a.txt <a\nb>"],
  "Add-Content -Value x -Path a.txt": ["tee -a a.txt <x>"],
  "Out-File -Append a.txt": ["tee -a a.txt"],
  "Copy-Item -Recurse src dst": ["cp -r src dst"],
  "Copy-Item src": ["cp src ."],
  "Rename-Item a\\b.txt c.txt": ["mv a/b.txt a/c.txt"],
  "New-Item -ItemType Directory a\\b": ["mkdir -p a/b"],
  "New-Item -Name a.txt -Path b": ["touch b/a.txt"],
  "ni -ItemType SymbolicLink -Path l -Target t": ["ln -s t l"],
  "mkdir a": ["mkdir a"],
  "Get-ChildItem -Recurse -Filter *.log": ["find . -mindepth 1 -name *.log"],
  "gci a -File -Recurse -Depth 2": ["find a -mindepth 1 -type f"],
  "gci | ri": ["ls", "rm ./* ./.*"],
  "gci -r | where Extension -eq .log | ri": ["find . -mindepth 1", "find . -mindepth 1 -name *.log -delete"],
  "$a = 'x'; Remove-Item $a": ["rm x"],
  "$a = 'x'; $a += 'y'; ri \"$a.z\"": ["rm xy.z"],
  "$a = 'x', 'y'; ri $a": ["rm x y"],
  "$a = 'x'; ri '$a' ": ["rm $a"],
  "$env:X = 'y'; ri $env:X": ["X=y", "rm y"],
  "$a, $b = 1, 2, 3; ri $a; ri $b": ["rm 1", "rm 2 3"],
  "ri $env:FOO\\x": ["rm $FOO/x"],
  "ri $HOME\\x, ~\\y, $env:USERPROFILE": ["rm $HOME/x ~/y $HOME"],
  "ri $undefined": ["rm $undefined"],
  "ri (Join-Path a b)": ["echo a/b", "rm a/b"],
  "ri ('a' + 'b')": ["rm ab"],
  "ri ('{0}-{1}' -f 'a', 'b')": ["rm a-b"],
  "ri ('a', 'b' -join '.')": ["rm a.b"],
  "ri ([char]97 + 'b')": ["rm ab"],
  "ri $(echo a)": ["echo a", "rm a"],
  'ri "a`$b`n"': ["rm a$b\n"],
  "ri 'it''s'": ["rm it's"],
  "ri \u201Ca b\u201D": ["rm a b"],
  "ri \u2013Recurse a": ["rm -r a"],
  "ri @'\na\nb\n'@": ["rm a\nb"],
  'ri @"\n$HOME\n"@': ["rm $HOME"],
  "a; b && c || d | e & f": ["a", "b", "c", "d", "e", "f"],
  "a `\n  b": ["a b"],
  "a # b": ["a"],
  "a <# b #> c": ["a c"],
  "a a#b": ["a a#b"],
  "a |\n b": ["a", "b"],
  "a\n| b": ["a", "b"],
  "& 'C:\\Program Files\\x\\tool.exe' -a 'b c'": ["tool -a b c"],
  ". .\\script.ps1 a": ["script a"],
  "& { a; b }": ["a", "b"],
  "& $tool x": ["$tool x"],
  "git log --format='%H %s' -1": ["git log --format=%H %s -1"],
  "git stash 'drop' stash@'{'0'}'": ["git stash drop stash@{0}"],
  "GIT.EXE Status": ["git Status"],
  "npm.cmd run x -- --y=z": ["npm run x -- --y=z"],
  'tool --% a & b "c d"': ["tool a & b c d"],
  "7z x a.zip": ["7z x a.zip"],
  "a 2>&1 > b.txt": ["a 2>& 1 > b.txt"],
  "a *> $null": ["a &> /dev/null"],
  "a 2>> err.txt": ["a 2>> err.txt"],
  "if (a) { b } elseif (c) { d } else { e }": ["a", "c", "b", "d", "e"],
  "if (a) { $b = 'c' } else { $b = 'd' }; ri $b": ["a", "rm c", "rm d"],
  "$b = 'c'; if (a) { $b = 'd' }; $e = \"$b/f\"; ri $e": ["a", "rm c/f", "rm d/f"],
  "if (a) { $env:B = 'c' } else { $env:B = 'd' }; ri $env:B": ["a", "B=c", "B=d", "rm c", "rm d"],
  "$b = 'c'; while (a) { $b = 'd' }; 'e' | Set-Content $b": ["a", "tee c <e>", "tee d <e>"],
  "while (a) { b }": ["a", "b"],
  "do { a } while (b)": ["b", "a"],
  "for ($i = 0; $i -lt 3; $i++) { a $i }": ["a 0"],
  "foreach ($x in 'a', 'b') { ri $x }": ["rm a", "rm b"],
  "foreach ($x in gci a) { ri $x }": ["ls a", "rm a/* a/.*"],
  "'a', 'b' | % { ri $_ }": ["rm a", "rm b"],
  "1..3 | ForEach-Object { a $_ }": ["a 1", "a 2", "a 3"],
  "switch ($x) { 'a' { b } default { c } }": ["b", "c"],
  "try { a } catch [X] { b } finally { c }": ["a", "b", "c"],
  "function f { param($x = 'd') ri $x }; f; f e; f -x g": ["f", "rm d", "f e", "rm e", "f -x g", "rm g"],
  "function f($x) { ri $x }": ["rm $( x)"],
  "Set-Alias z Remove-Item; z a": ["true", "rm a"].slice(1),
  "$p = @{ Path = 'a'; Recurse = $true }; ri @p": ["rm -r a"],
  "cd a; ri b; cd ..; ri c": ["cd a", "[a] rm b", "[a] cd ..", "rm c"],
  "pushd a; ri b; popd; ri c": ["pushd a", "[a] rm b", "[a] popd", "[?] rm c"],
  "iex 'ri a; ri b'": ["eval ri a; ri b", "rm a", "rm b"],
  "'ri a' | iex": ["eval", "rm a"],
  "powershell -NoProfile -Command ri a": ["powershell -NoProfile -Command ri a", "powershell: rm a"],
  "pwsh -c { ri a }": ["pwsh -c { ri a }", "pwsh: rm a"],
  [`pwsh -EncodedCommand ${encode("ri a")}`]: [`pwsh -EncodedCommand ${encode("ri a")}`, "pwsh: rm a"],
  "pwsh -File a.ps1 b": ["pwsh -File a.ps1 b", "pwsh: a.ps1 b"],
  'cmd /c "del /q a & echo b"': ["cmd /c del /q a & echo b", "cmd: rm -f a", "cmd: echo b"],
  "wsl -d Debian -- rm -rf a": ["wsl -d Debian -- rm -rf a", "wsl: rm -rf a"],
  "bash -c 'rm -rf a; b'": ["bash -c rm -rf a; b", "bash: rm -rf a", "bash: b"],
  "Start-Process git -ArgumentList 'push', '--force'": ["start-process: git push --force"],
  "Start-Process -FilePath git 'push --force' -Wait": ["start-process: git push --force"],
  "Start-Job -ScriptBlock { ri a }": ["start-job -scriptblock { ri a }", "rm a"],
  "Invoke-Command -ComputerName web { ri a }": ["ssh web", "↯ invoke-command: rm a"],
  "Invoke-Command { ri a }": ["invoke-command", "invoke-command: rm a"],
  "Measure-Command { ri a }": ["measure-command { ri a }", "rm a"],
  "Get-ChildItem env:": ["printenv"],
  "gc env:PATH": ["printenv PATH"],
  "ri env:X": ["unset X"],
  "$env:API_KEY": ["echo $API_KEY"],
  "'text'": [],
  "[IO.File]::ReadAllText('a')": ["cat a"],
  "[System.IO.File]::WriteAllText('a', 'b')": ["tee a <b>"],
  "[IO.Directory]::Delete('a', $true)": ["rm -r a"],
  "(Get-Item a).Delete()": ["ls -d a", "rm -r a"],
  "iwr https://x.org/y -OutFile z": ["curl -o z https://x.org/y"],
  "curl -s https://x.org": ["curl -s https://x.org"],
  "Expand-Archive a.zip": ["unzip a.zip"],
  "ri HKLM:\\SOFTWARE\\x": ["reg delete hklm\\software\\x /f"],
  "ri a -WhatIf": ["echo a"],
  "Format-Volume -DriveLetter D": ["format-volume -driveletter D"],
  "Format-Volume -DriveLetter D -WhatIf": ["echo -driveletter D -whatif"],
  "Stop-Process -Name node": ["pkill node"],
  "robocopy a b /MIR": ["rsync -a --delete a/ b"],
  "findstr /i /c:x a.txt": ["grep -e x a.txt"],
  "[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('cmkgYQ==')) | iex": ["eval", "rm a"],
  "ri */*.a": ["rm */*.a .*/*.a */.*.a .*/.*.a"],
  "ri -LiteralPath '*'": ["rm *"],
  "ri \\\\localhost\\c$\\a, \\\\?\\UNC\\.\\d$\\b, \\\\web\\c$\\d": ["rm c:/a d:/b //web/c$/d"],
  "& \"$PSHOME\\powershell.exe\" -c 'ri a'": ["powershell -c ri a", "powershell: rm a"],
  "function f { [CmdletBinding()] param([Parameter()][string]$x) ri $x }; f -x a": ["f -x a", "rm a"],
  "function f { ri @args }; f a -Recurse": ["f a -Recurse", "rm -r a"],
  "filter f { ri $_ }; 'a', 'b' | f": ["f", "rm a", "rm b"],
  "$p = @{}; $p.Path = 'a'; $p['Recurse'] = $true; ri @p": ["rm -r a"],
  "switch -File a.txt { b { c } }": ["cat a.txt", "c"],
  "('a', 'b').ForEach({ ri $_ })": ["rm a", "rm b"],
  "'a ' | % Trim | ri": ["rm a "],
  "& (gcm Remove-It*) a": ["which Remove-It*", "rm a"],
  "& (Get-Alias ri) a": ["which ri", "rm a"],
  "Set-Item alias:z ri; z a": ["rm a"],
  "${alias:z} = 'ri'; z a": ["rm a"],
  "sv x a; ri (gv x).Value": ["rm a"],
  "[IO.StreamReader]::new('a')": ["cat a"],
  "New-Object IO.StreamWriter a": ["new-object IO.StreamWriter", "tee a"],
  "(New-Object -ComObject Scripting.FileSystemObject).DeleteFolder('a')": [
    "new-object Scripting.FileSystemObject",
    "rm -r a",
  ],
  "(New-Object Net.WebClient).UploadFile('https://x.org', 'a')": [
    "new-object Net.WebClient",
    "curl -T a https://x.org",
  ],
  "iwmi Win32_Process Create 'cmd /c del a'": ["invoke-wmimethod Win32_Process Create", "cmd /c del a", "cmd: rm a"],
  "icim Win32_Process -Arguments @{ CommandLine = 'cmd /c del a' } -MethodName Create": [
    "invoke-wmimethod Win32_Process Create",
    "cmd /c del a",
    "cmd: rm a",
  ],
  "gwmi Win32_ShadowCopy | % { $_.Delete() }": ["wmic win32_shadowcopy", "wmic win32_shadowcopy delete"],
  "$env:API_KEY | sc a": ["echo $API_KEY", "tee a <$API_KEY>"],
  "$env:API_KEY.Substring(0, 4)": ["echo $API_KEY"],
  "$ExecutionContext.InvokeCommand.ExpandString('$env:API_KEY')": ["echo $API_KEY"],
  "cd env:": ["printenv"],
  "${C:a.txt}": ["cat a.txt"],
  "ri a }": ["rm a"],
  "ri 'a": ["rm a"],
};

describe("a PowerShell command line yields the commands that it would run:", () => {
  for (const [line, expected] of Object.entries(READ))
    test(JSON.stringify(line), () => expect(commandsIn(line, ["powershell"]).map(showCommand)).toEqual([...expected]));
});

test("a command line that PowerShell can't parse has a problem", () => {
  const problems = ["a {", "a (", "a 'b", 'a "b', "a }", "if (a)", "@'\nb", "a |", "${a", "[a"].map(
    (line) => readLine(line, ["powershell"]).problem,
  );
  expect(problems.filter((problem) => problem === undefined)).toEqual([]);
  for (const line of ["a; b", "if (a) { b }\nelse { c }", "@{ a = 1\n b = 2 }", "a | % { $_ }", "a -b:(c) @d"])
    expect([line, readLine(line, ["powershell"]).problem]).toEqual([line, undefined]);
});

test("a word that is only known at run time is marked as dynamic", () => {
  const [command] = commandsIn("ri $x, '*.a', ~, 'b', (foo) -Filter *.c", ["powershell"]).filter(
    ({ program }: Command) => program === "rm",
  );
  expect(command?.dynamic).toEqual({ 0: "$x", 1: "*.a", 2: ".*.a", 3: "~", 5: "$(item)" });
  expect(commandsIn("tool 'a*' a* \"$x*\" '~'", ["powershell"])[0]?.dynamic).toEqual({ 1: "a*", 2: "$x\\*" });
});

test("each name in the table belongs to one cmdlet", () => {
  const seen = new Set<string>();
  for (const { names } of listCmdlets())
    for (const name of names) {
      expect([name, seen.has(name)]).toEqual([name, false]);
      seen.add(name);
      expect([name, lookUpCmdlet(name)?.names]).toEqual([name, names]);
    }
  expect(seen.size).toBeGreaterThan(150);
});

test("block-destructive covers the cmdlets that are equivalent to programs in its rules", () => {
  const WATCHED = /^(?:rm|tee|truncate|mv|cp|chmod|reg|service|sqlcmd)$/;
  const known = [...FOREIGN_ALIASES, ...FOREIGN_CMDLETS];
  const unknown = listCmdlets().flatMap(({ names, program: [program = ""] }) =>
    WATCHED.test(program) ? names.filter((name) => name !== program && !known.includes(name)) : [],
  );
  // Outside PowerShell, these words are names of programs, so rules use them.
  expect(unknown.sort()).toEqual(["ac", "add-content", "invoke-sqlcmd"].filter((name) => unknown.includes(name)));
});

const repeat = (text: string, count: number) => text.repeat(count);
/** Functions that build strings of growing length, keyed by what they repeat. */
const PUMPED: Record<string, (count: number) => string> = {
  words: (count) => `a ${repeat("x ", count)}`,
  commands: (count) => repeat("a;", count),
  pipes: (count) => repeat("a|", count),
  "single quotes": (count) => repeat("'", count),
  "double quotes": (count) => repeat('"', count),
  "opening parentheses": (count) => repeat("(", count),
  "opening braces": (count) => repeat("{", count),
  "opened $(": (count) => repeat("$(", count),
  '"$(': (count) => repeat('"$(', count),
  "@{": (count) => repeat("@{a=", count),
  "[": (count) => repeat("[", count),
  "closing brackets": (count) => repeat(")}]", count),
  casts: (count) => `${repeat("[a]", count)}$x`,
  members: (count) => `$x${repeat(".a", count)}`,
  calls: (count) => `$x${repeat(".a()", count)}`,
  sums: (count) => `$x = ${repeat("1+", count)}1`,
  signs: (count) => `$x = ${repeat("-", count)}1`,
  commas: (count) => `a ${repeat("b,", count)}c`,
  backticks: (count) => `a ${repeat("`a", count)}`,
  "here-strings": (count) => repeat("@'\n", count),
  "an unterminated here-string": (count) => `@"\n${repeat('a\n"', count)}`,
  comments: (count) => repeat("<#", count),
  variables: (count) => `"${repeat("$a", count)}"`,
  "a value that doubles": (count) => `$a='xxxxxxxxxx';${repeat('$a="$a$a";', Math.min(count, 40))}ri $a`,
  "functions that call two functions": (count) =>
    `function f0 { x };${Array.from({ length: Math.min(count, 30) }, (_, at) => `function f${at + 1} { f${at}; f${at} };`).join("")}f30`,
  "loops in loops": (count) =>
    `${repeat("foreach ($a in 1..9) { ", Math.min(count, 9))}x $a${repeat("}", Math.min(count, 9))}`,
  "else if": (count) => `if (a) {}${repeat(" elseif (b) {}", count)}`,
  "iex in iex": (count) => repeat("iex ", count),
  redirections: (count) => repeat("> a ", count),
  stars: (count) => `ri ${repeat("*", count)}`,
  dashes: (count) => `ri ${repeat("-", count)}`,
  "a class": (count) => `class x {${repeat("a", count)}`,
  verbatim: (count) => `a --% ${repeat('"', count)}`,
};

test("a PowerShell command line with 40,000 repetitions is parsed or rejected in less than a second", async () => {
  let tried = 0;
  for (const [name, pump] of Object.entries(PUMPED))
    for (const count of [10, 1_000, 40_000]) {
      let found: string | number = "";
      const ms = await measureCpuTime(() => (found = outcomeOf(pump(count), "powershell")));
      expect([name, count, /^(\d+$|the command line )/.test(String(found))]).toEqual([name, count, true]);
      expect([name, count, ms < 1_000]).toEqual([name, count, true]);
      tried++;
    }
  expect(tried).toBeGreaterThan(80);
});

test("any text for PowerShell is parsed, or rejected with a message", () => {
  const pieces = fc.constantFrom(
    ..."a b $`'\"(){}[]<>|&;=*?~#!\n-,.:@%+\\/",
    "$x",
    "$env:X",
    "@'\n",
    "\n'@",
    '@"\n',
    '\n"@',
    "$(",
    "@(",
    "@{",
    "if (",
    "foreach ($x in ",
    "function f",
    "param(",
    "try {",
    "catch",
    "[IO.File]::",
    "::Delete(",
    ".Replace(",
    " -replace ",
    " -f ",
    "Remove-Item ",
    "-Recurse ",
    "iex ",
    "Where-Object ",
    "--% ",
    "2>&1",
    "<#",
    "#>",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const found = outcomeOf(parts.join(""), "powershell");
      return typeof found === "number" || found.startsWith("the command line ");
    }),
    fuzz(4_000),
  );
});
