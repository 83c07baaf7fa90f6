import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { commandsIn, readLine } from "../../src/shell/index.ts";
import { isCmdLine, isPowerShellLine, listShells } from "../../src/shell/runs/shell-detection.ts";
import { fuzz } from "../support/fuzz.ts";
import { measureCpuTime } from "../support/machine.ts";
import { outcomeOf, showCommand } from "./windows-support.ts";

/** Command lines, each with the commands that hooks see. */
const READ: Record<string, readonly string[]> = {
  "del a": ["rm a"],
  "del /q /f a b": ["rm -f a b"],
  "del/s/q a": ["rm -r -f a"],
  "del /s /q a\\*.log": ["find a/ -name *.log -delete"],
  'erase "a b"': ["rm a b"],
  "rd a": ["rmdir a"],
  "rd /s /q a\\b": ["rm -r -f a/b"],
  "RMDIR /S a": ["rm -r -f a"],
  "md a\\b": ["mkdir a/b"],
  "type a.txt": ["cat a.txt"],
  "copy a b": ["cp a b"],
  "copy /y a+b c": ["cp a b c"],
  "copy nul a": ["cp /dev/null a"],
  "move a b": ["mv a b"],
  "ren a\\b c": ["mv a/b a/c"],
  "mklink /d l t": ["ln -s t l"],
  "dir /s /b a": ["ls -R a"],
  "echo a b": ["echo a b"],
  "echo.a": ["echo a"],
  "@echo off": ["echo off"],
  set: ["printenv"],
  "set path": ["printenv PATH"],
  "set A=b": ["A=b"],
  'set "A=b c"': ["A=b c"],
  "set A=b\ndel %A%\\c": ["A=b", "rm b/c"],
  "set A=b& del !A!": ["A=b", "rm b"],
  "del %USERPROFILE%\\a": ["rm $HOME/a"],
  "del %FOO%": ["rm $FOO"],
  "del %FOO:~0,3%": ["rm ${FOO:0:1}"],
  "del %1 %*": ["rm $(1) $(args)"],
  "d^el ^a^ b": ["rm a b"],
  "del a ^\nb": ["rm a b"],
  'echo "a & b" & c': ["echo a & b", "c"],
  "a && b || c | d & e": ["a", "b", "c", "d", "e"],
  "(a & b) > c": ["a", "b", "> c"],
  "a > nul 2>&1": ["a > /dev/null 2>& 1"],
  "a >> b.txt < c": ["a >> b.txt < c"],
  "if exist a del b": ["rm b"],
  "if exist a (set A=b) else (set A=c)\ndel %A%": ["A=b", "A=c", "rm b", "rm c"],
  "set A=b\nif exist a set A=c\nset B=%A%d\ndel %B%": ["A=b", "A=c", "B=bd", "B=cd", "rm bd", "rm cd"],
  "set A=b& c && set A=d& del !A!": ["A=b", "c", "A=d", "rm b", "rm d"],
  "set A=b\nfor %i in (c d) do set A=%i\ndel %A%": ["A=b", "A=c", "A=d", "rm b", "rm c", "rm d"],
  "if exist a (set A=b) else (set A=c)\n(d) > %A%": ["A=b", "A=c", "d", "> b", "> c"],
  'if not "%A%"=="b" (del a) else del b': ["rm a", "rm b"],
  "if /i %A% equ b del c": ["rm c"],
  "if errorlevel 1 exit /b 1": ["true 1"],
  "for %i in (a b) do del %i": ["rm a", "rm b"],
  "for %%i in (a,b) do @del %%i\\c & d": ["rm a/c", "rm b/c", "d"],
  "for /r a %f in (*.log) do del %f": [
    "rm a/*.log a/.*.log",
    "rm a/*/*.log a/.*/*.log a/*/.*.log a/.*/.*.log",
    "find a -name *.log -delete",
  ],
  "for /f %i in (a.txt) do del %i": ["cat a.txt", "rm ${i:?}"],
  'for /f "usebackq" %i in (`type a ^| sort`) do echo %i': ["cat a", "sort", "echo ${i:?}"],
  "echo(%A_KEY%": ["echo $A_KEY"],
  "type=a": ["cat a"],
  "set A": ["printenv"],
  "set /p X=<a": ["read X < a"],
  "set /a X=1": ["true X"],
  "del .a": ["rm .a .a/*"],
  "del /s a.txt": ["rm -r -f a.txt", "find . -name a.txt -delete"],
  'cmd /v:on /c "set F=a&del !F!"': ["cmd /v:on /c set F=a&del !F!", "cmd: F=a", "cmd: rm a"],
  'cmd /q/c"del a"': ["cmd /c del a", "cmd: rm a"],
  'wmic process call create "cmd /c del a"': [
    "wmic process call create cmd /c del a",
    "wmic: cmd /c del a",
    "cmd: rm a",
  ],
  'schtasks /create /tn x /tr "del a"': ["schtasks /create /tn x /tr del a", "[?] schtasks: rm a"],
  'forfiles /p a /m *.log /c "cmd /c del @path"': [
    "forfiles /p a /m *.log /c cmd /c del @path",
    "forfiles: cmd /c del a/*.log",
    "cmd: rm a/*.log a/.*.log",
  ],
  "sort a /o b": ["sort -o b a"],
  "expand a b": ["cp a b"],
  "robocopy a b c.txt": ["rsync -a --include=c.txt a/c.txt b"],
  "for /f \"tokens=*\" %i in ('dir /b') do del %i": ["ls", "rm * .*"],
  "for /l %n in (1,1,3) do a %n": ["a ${n:?}"],
  "call del a": ["call: rm a"],
  'start "t" /wait del a': ["start: rm a"],
  "cd a && del b": ["cd a", "[a] rm b"],
  "cd /d C:\\a & del b": ["cd C:/a", "[C:/a] rm b"],
  "rem del a\ndel b": ["rm b"],
  ":: del a\ndel b": ["rm b"],
  "format d: /y": ["format d: /y"],
  "C:\\Windows\\System32\\VSSADMIN.EXE Delete Shadows": ["vssadmin delete shadows"],
  'cmd /c "del a & del b"': ["cmd /c del a & del b", "cmd: rm a", "cmd: rm b"],
  'powershell -Command "ri a -r"': ["powershell -Command ri a -r", "powershell: rm -r a"],
  'bash -c "rm -rf a; b"': ["bash -c rm -rf a; b", "bash: rm -rf a", "bash: b"],
  'git commit -m "a & b"': ["git commit -m a & b"],
  "echo del a | cmd": ["echo del a", "cmd <del a>", "cmd: rm a"],
  "xcopy /s a b": ["cp -r a b"],
  "icacls a /grant me:F /t": ["chmod -R 0 a"],
  "del /?": ["help del"],
  "(del a": ["rm a"],
  ") del a": ["rm a"],
};

describe("a cmd.exe command line yields the commands that it would run:", () => {
  for (const [line, expected] of Object.entries(READ))
    test(JSON.stringify(line), () => expect(commandsIn(line, ["cmd"]).map(showCommand)).toEqual([...expected]));
});

const repeat = (text: string, count: number) => text.repeat(count);
const PUMPED: Record<string, (count: number) => string> = {
  words: (count) => `a ${repeat("x ", count)}`,
  commands: (count) => repeat("a&", count),
  quotes: (count) => repeat('"', count),
  carets: (count) => `a ${repeat("^", count)}`,
  percents: (count) => `a ${repeat("%", count)}`,
  "percent signs with letters": (count) => `a ${repeat("%a:", count)}`,
  exclamations: (count) => `a ${repeat("!a", count)}`,
  "opening brackets": (count) => repeat("(", count),
  "closing brackets": (count) => repeat(")", count),
  "brackets after a word": (count) => `a ${repeat("(", count)}`,
  ifs: (count) => repeat("if a==a ", count),
  fors: (count) => repeat("for %i in (a b) do ", Math.min(count, 12)),
  "long for": (count) => `for %i in (${repeat("a ", count)}) do b %i`,
  redirections: (count) => repeat(">a ", count),
  calls: (count) => repeat("call ", count),
  starts: (count) => repeat("start ", count),
  switches: (count) => `del ${repeat("/a", count)}`,
  slashes: (count) => `del /s ${repeat("\\", count)}`,
};

test("a cmd.exe command line with 40,000 repetitions is parsed or rejected in less than a second", async () => {
  for (const [name, pump] of Object.entries(PUMPED))
    for (const count of [10, 1_000, 40_000]) {
      let found: string | number = "";
      const ms = await measureCpuTime(() => (found = outcomeOf(pump(count), "cmd")));
      expect([name, count, /^(\d+$|the command line )/.test(String(found))]).toEqual([name, count, true]);
      expect([name, count, ms < 1_000]).toEqual([name, count, true]);
    }
});

test("any text for cmd.exe is parsed, or rejected with a message", () => {
  const pieces = fc.constantFrom(
    ..."a b \"'%!^&|<>()=,;/\\@\n-",
    "%A%",
    "!A!",
    "%%i",
    "if ",
    "exist ",
    "else ",
    "for %i in (",
    ") do ",
    "set A=",
    "call ",
    "start ",
    "del /s ",
    "cmd /c ",
    "powershell -c ",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const found = outcomeOf(parts.join(""), "cmd");
      return typeof found === "number" || found.startsWith("the command line ");
    }),
    fuzz(3_000),
  );
});

describe("the shells of a command line", () => {
  const UNKNOWN: readonly [line: string, shells: readonly string[]][] = [
    ["git status", ["bash"]],
    ["npm run build -- --force && rm -rf dist", ["bash"]],
    ["find . -type f -name '*.ts' | xargs grep -l x", ["bash"]],
    ["curl -fsSL https://x.org | tar xz", ["bash"]],
    ["date +%Y-%m-%d", ["bash"]],
    ["tmux set-option -g mouse on", ["bash"]],
    ["git log --format=%H%n%s", ["bash"]],
    ["Remove-Item x", ["bash", "powershell"]],
    ["echo $env:X", ["bash", "powershell"]],
    ["ri x -Recurse", ["bash", "powershell"]],
    ["[IO.File]::Delete('x')", ["bash", "powershell"]],
    ["del /s x", ["bash", "cmd"]],
    ["echo %USERPROFILE%", ["bash", "cmd"]],
    ["for %i in (a) do b", ["bash", "cmd"]],
  ];
  for (const [line, shells] of UNKNOWN)
    test(`are ${shells.join(" and ")} for ${line}`, () => {
      expect(listShells(line, {}, "linux")).toEqual([...shells] as never);
      expect(listShells(line, {}, "win32")).toContain("powershell");
    });
  test("are only the host's named shell, or bash as well if an MCP server names one", () => {
    expect(listShells("Remove-Item x", { shell: "bash" }, "win32")).toEqual(["bash"]);
    expect(listShells("ls", { shell: "powershell" }, "linux")).toEqual(["powershell"]);
    expect(listShells("ls", { shell: "zsh" }, "linux")).toEqual(["bash"]);
    expect(listShells("ls", { shell: "cmd", guessed: true }, "linux")).toEqual(["bash", "cmd"]);
    expect(listShells("ls", { tool_name: "mcp__win__PowerShell", guessed: true }, "linux")).toEqual([
      "bash",
      "powershell",
    ]);
  });
  test("include PowerShell for each of its signs, including in capitals and after a dash", () => {
    const signs = ["Get-ChildItem", "convertFROM-csv", "$Env:X", "[IO.File]::x", "x | % { $_.a }"];
    for (const sign of [...signs, "ri a -Rec", "ri a -fo", "ri a -ErrorAction stop", "x\t-LiteralPath y"])
      expect([sign, isPowerShellLine(`a; ${sign} b`)]).toEqual([sign, true]);
    for (const other of ["git push --force", "a-get-childitem", "x --rec", "rm -rf b", "re-move-item"])
      expect([other, isPowerShellLine(other)]).toEqual([other, false]);
  });
  test("yield each command once", () => {
    expect(readLine("ri x; rm y", ["bash", "powershell"]).commands.map(showCommand)).toEqual(["ri x", "rm y", "rm x"]);
    expect(isPowerShellLine("a") || isCmdLine("a")).toBe(false);
  });
});
