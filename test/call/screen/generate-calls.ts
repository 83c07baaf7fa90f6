import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BARE_REPOSITORY_ENTRIES, PRECIOUS_PATHS } from "../../../hooks/_destructive/precious-files.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { buildHarmfulLines } from "../../score/harmful/lines.ts";
import { buildSecretPaths } from "../../score/harmful/paths.ts";
import { buildOrdinaryPaths, buildOrdinaryTexts } from "../../score/ordinary/files.ts";
import { buildOrdinaryLines } from "../../score/ordinary/lines.ts";
import type { ScoreProject } from "../../score/project.ts";
import { buildSecretTexts } from "../../score/secret-forms.ts";
import { type Fixture, fixtures } from "../../support/fixtures.ts";
import { createHiddenLines } from "./hide-lines.ts";

/** Alternative names for guarded files and secret files in the project. */
const ALIASES = ["hard.json", "soft.json", "keys", "keys/id_ed25519", "deep/soft.txt", "deep/up", "deep/up/.env"];

export function addAliases({ cwd, home }: ScoreProject): void {
  linkSync(join(cwd, ".claude/settings.json"), join(cwd, "hard.json"));
  symlinkSync(join(cwd, ".claude/settings.json"), join(cwd, "soft.json"));
  symlinkSync(join(home, ".ssh"), join(cwd, "keys"));
  mkdirSync(join(cwd, "deep"));
  symlinkSync("../.env", join(cwd, "deep/soft.txt"));
  symlinkSync("..", join(cwd, "deep/up"));
  writeFileSync(join(cwd, "deep/plain.txt"), "\n");
}

/** Payload fields that hold a call's output. */
const RESULT_FIELDS = [
  ...["stdout", "stderr", "output", "output_for_prompt", "raw_output", "llmContent", "textResultForLlm", "text"],
  ...["tool_output", "tool_response", "result", "result_json", "error"],
];

export interface GeneratedCall {
  argv: string[];
  text: string;
}

interface LineMaterial {
  words: readonly string[];
  paths: readonly string[];
  ordinary: readonly string[];
  harmful: readonly string[];
}

const CONDITIONS = ["true", "test -n x", '[ -n "$X" ]', "[ -d build ]", "[[ -f a ]]", "((1))", "! grep -q a b"];

/** Changes that disguise words in a command or rewrite it in another syntax. */
function createSyntaxChanges(
  pick: <T>(list: readonly T[]) => T,
  random: () => number,
  { words, paths, ordinary, harmful }: LineMaterial,
): ((line: string) => string)[] {
  /** Inserts a string into one of the command's words. */
  const splitWord = (line: string, inside: string) => {
    const parts = line.split(" ");
    const at = random() < 0.5 ? 0 : Math.floor(random() * parts.length);
    const word = parts[at] as string;
    const cut = Math.floor(random() * (word.length + 1));
    parts[at] = word.slice(0, cut) + inside + word.slice(cut);
    return parts.join(" ");
  };
  /** Replaces all or part of one of the command's words with a variable. */
  const nameWord = (line: string, assign: (value: string) => string) => {
    const parts = line.split(" ");
    const at = Math.floor(random() * parts.length);
    const word = (parts[at] as string).replaceAll(/['"]/g, "");
    const [from, to] = [random() < 0.5 ? 0 : 1, random() < 0.5 ? word.length : Math.max(1, word.length - 1)];
    parts[at] = `${word.slice(0, from)}\${x}${word.slice(to)}`;
    if (random() < 0.3) parts[at] = `"${parts[at]}"`;
    return `${assign(word.slice(from, to))}${parts.join(" ")}`;
  };
  /** Assigns a variable on only some of the paths through the command. */
  const assignConditionally = (name: string, value: string) => {
    const [set, condition] = [`${name}=${value}`, pick(CONDITIONS)];
    const other = `${name}=${pick([pick(words), pick(paths), ""])}`;
    return pick([
      `if ${condition}; then ${set}; else ${other}; fi`,
      `if ${condition}; then ${other}; elif ${pick(CONDITIONS)}; then ${set}; fi`,
      `${other}; ${condition} && ${set}`,
      `${other}; ${condition} || ${set}`,
      `${condition} && ${set} || ${other}`,
      `${other}; if ${condition}; then ${set}; fi`,
      `case "$1" in a) ${set};; ${pick(["b", "*"])}) ${other};; esac`,
      `${other}; while read -r l; do ${set}; done`,
      `${other}; for l in 1 2; do ${set}; done`,
      `set_${name}() { if ${condition}; then ${set}; else ${other}; fi; }; set_${name}`,
      `for ${name} in ${value} ${pick(words)}; do ${condition} && break; done`,
    ]);
  };
  const quote = (line: string) => line.replaceAll("'", "'\\''");
  return [
    (line) =>
      splitWord(
        line,
        pick(["${x}", "$x", "$()", "$(true)", "?", "*", "[a-z]", '""', "''", "\\", "{,}", "^", "~", "`:`", "$1"]),
      ),
    (line) => line.replace(/^(\S+)/, `$1${pick([".exe", ".EXE", ".cmd", ".bat", ".ps1", "*", "?"])}`),
    (line) => `${pick(["/usr/bin/", "/bin/", "./", "/mnt/c/x/", "$HOME/", "~/", "${D}/", "../"])}${line}`,
    (line) => nameWord(line, (value) => `x=${value}; `),
    (line) => nameWord(line, (value) => `x=${value} && `),
    (line) =>
      nameWord(line, (value) => `${pick(["false && ", "true || ", "if a; then "])}x=${value}; ${pick(["", "fi; "])}`),
    (line) => nameWord(line, (value) => `${assignConditionally("x", value)}; `),
    (line) => nameWord(line, (value) => `${assignConditionally("y", value)}; x=$y${pick(["", "/.."])}; `),
    (line) => `if ${pick(CONDITIONS)}; then cd ${pick(paths)}; ${pick(["", `else cd ${pick(paths)}; `])}fi; ${line}`,
    (line) => nameWord(line, (value) => `export x=${value}; `),
    (line) => nameWord(line, (value) => `x=$(${pick(["echo", "printf %s", "cat", "pwd; echo"])} ${value}); `),
    (line) => nameWord(line, (value) => `x=${value} `),
    (line) => `for x in ${pick(words)} ${pick(paths)}; do ${nameWord(line, () => "")}; done`,
    (line) => `while read -r x; do ${nameWord(line, () => "")}; done < ${pick(paths)}`,
    (line) => `for x in $(${pick(ordinary)}); do ${nameWord(line, () => "")}; done`,
    (line) => `if ${pick(ordinary)}; then ${line}; ${pick(["", `else ${pick(harmful)}; `])}fi`,
    (line) =>
      `${pick(["(", "( ", "{ ", "! ", "((", "{", "time "])}${line}${pick([")", "; }", "", " )", "; )", "))", "}"])}`,
    (line) => `${pick(ordinary)} $(${line})`,
    (line) => `${pick(["x=", "echo ", "cat ", "sudo ", ""])}$(${line})${pick(["", "; $x", '; echo "$x"', "/x"])}`,
    (line) =>
      `${pick(["echo", "printf", "printf %s", "echo -e", "cat <<<"])} '${quote(line)}' | ${pick(["sh", "bash -s", "xargs", "cat", "tee x", "python3"])}`,
    (line) =>
      `${pick(["bash -c", "sh -ec", "su -c", "fish -c", "zsh -c", "eval", "env -S", "ssh h", "nu -c", "cmd /c", "powershell -c", "xargs -I{} sh -c", "watch", "git -c alias.x=", "tmux send-keys", "screen -X stuff"])}${pick([" ", ""])}'${quote(line)}'`,
    (line) => `echo ${splitWord(line, pick(["\\${x}", "\\$\\(true\\)", "\\$x"]))} | ${pick(["sh", "bash", "ssh h"])}`,
    (line) => `${line} < ${pick(paths)}`,
    (line) => line.replaceAll(" ", () => (random() < 0.3 ? pick(["${IFS}", "$IFS", "\\\n", "\t", "  "]) : " ")),
    (line) => `IFS=${pick([",", "/", "x"])}; ${line}`,
    (line) =>
      `${pick(["HOME", "PWD", "PATH", "D", "x", "CDPATH"])}=${pick(paths)}; ${line} ${pick(["~/x", "$HOME/x", "$D", "$PWD/.env", "${x}/y"])}`,
    (line) =>
      `${line} ${pick(["$HOME", "~", "$PWD", "$D", '"$x"', "$_", "$env:X", "%TEMP%"])}${pick(["", "/"])}${pick(pick([paths, [".ssh/id_rsa", ".claude/settings.json", "x"]]))}`,
    (line) =>
      `${pick(["mkdir x; cd x", "(cd deep", "cd deep || cd keys", "ls | cd deep", "true; cd $HOME", "cd -", "cd"])}${pick([";", " &&"])} ${line}${pick(["", ")"])}`,
    (line) =>
      `${pick(["set -e", "set -- ", "shopt -s x", "unset x", "read x", "local x=1", "declare -n x=y", "f() {"])}${pick(["; ", " "])}${line}`,
    (line) => `${line} '${pick(["a (b)", "[a-z]+$", "{{.X}}", "100%", "$x", "`x`", "\\d", "<b>", "~", "a;b|c"])}'`,
  ];
}

export async function createGenerator(project: ScoreProject, random: () => number): Promise<() => GeneratedCall> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number) => random() < share;
  const ordinary = [...buildOrdinaryLines()].flatMap(([, lines]) => lines);
  const harmful = [...buildHarmfulLines()].flatMap(([, lines]) => lines);
  const words = [...new Set([...ordinary, ...harmful].flatMap((line) => line.split(/[\s'"]+/)))].filter(Boolean);
  const paths = [
    ...buildOrdinaryPaths(),
    ...buildSecretPaths(),
    ...ALIASES,
    ...ALIASES.map((path) => join(project.cwd, path)),
    "src/index.ts",
    ".claude/settings.json",
    `${project.home}/.ssh/id_ed25519`,
    "deep/plain.txt",
    "/etc/claude-code/managed-settings.json",
    "Makefile",
  ].map((path) => path.replace(/^~/, project.home));
  const overwritten = [
    ...BARE_REPOSITORY_ENTRIES,
    ...PRECIOUS_PATHS.map((path) => path.replaceAll("*", pick(["x", "x.txt", ""]))),
  ];
  const secrets = (await buildSecretTexts()).map(({ text }) => text);
  const texts = [...buildOrdinaryTexts().map(({ text }) => text), "", "export const a = 1;\n"];

  const putWord = (line: string, word: string) => {
    const parts = line.split(" ");
    parts[Math.floor(random() * parts.length)] = word;
    return parts.join(" ");
  };
  const insert = (text: string, piece: string) => {
    const at = Math.floor(random() * (text.length + 1));
    return text.slice(0, at) + piece + text.slice(at);
  };
  const lineChanges: ((line: string) => string)[] = [
    (line) => putWord(line, pick(words)),
    (line) => putWord(line, pick(paths)),
    (line) => putWord(line, pick(ALIASES)),
    (line) => `${line} ${pick(paths)}`,
    (line) =>
      `${line} ${pick(["2>&1", ">/dev/null", "> /dev/null 2>&1", "&>/dev/null", "> out.txt", ">> hard.json", "2>/dev/null", ">&2"])}`,
    (line) =>
      `${line} ${pick([">", "> ", ">>", "2>", " 2> ", ">|", "&> ", "1>> "])}${pick(pick([paths, words, overwritten]))}`,
    (line) => `${line} ${pick(["&&", "||", ";", "|", "&", "\n"])} ${pick(chance(0.5) ? ordinary : harmful)}`,
    (line) => `${pick(ordinary)} ${pick(["&&", "||", ";", "|", "\n"])} ${line}`,
    (line) => `cd ${pick(["src", "deep", "deep/up", "keys", project.home, project.cwd, ".."])} && ${line}`,
    (line) => `${pick(["sudo", "env", "time", "nohup", "command", "FOO=1", "xargs", "timeout 5"])} ${line}`,
    (line) =>
      insert(
        line,
        pick([
          "'",
          '"',
          '""',
          "''",
          "\\",
          "$",
          "$?",
          "`",
          "*",
          "~",
          " ",
          "\t",
          "(",
          ")",
          "{",
          "#",
          "ſ",
          "%",
          "^",
          "!",
          ">",
          "<",
          "\n",
        ]),
      ),
    (line) =>
      `${line}${pick(["; ", " && ", " || ", " | ", "\n"])}${pick(["echo", "echo -n", "printf", "cat", "exit", pick(words)])} ${pick(["$?", '"$?"', '"exit: $?"', "rc=$?", "$? > out.txt", "$? | xargs cat", "x$?"])}`,
    (line) => `${pick(["#", "# ", " #", "'#", "a#"])}${pick(words)} ${pick(pick([ordinary, harmful]))}\n${line}`,
    (line) =>
      `${line}${pick(["", "&", "&&", "|", ";", ";;"])}\n${pick(["", "&", "||", ";", "# x\n"])}${pick(ordinary)}`,
    (line) => `${line}${pick([" #", ";#", " # ", "#", "'' #", "''#", '"#'])}${pick(pick([words, harmful]))}`,
    (line) => `sh -c '${line}'`,
    (line) =>
      `${pick(["cd", "git -C", "env -C", "sudo -D", "make -C", "cd -P"])} ${pick(paths)}${pick(["; ", " ", " && "])}${line}`,
    (line) => line.replace(/ (?=[^ ]*$)/, pick([" -o", " -no", " --output=", " -v x:", " -F a=@", " --mount=src="])),
    (line) => `${line}${pick([":", ",", "=", "@"])}${pick(words)}`,
    (line) => line.replace(/\S+$/, (word) => `'${pick(words)} ${word}'`),
    (line) => `${line} "${pick(ordinary).replaceAll('"', "")}"`,
    (line) => line.toUpperCase(),
    ...createSyntaxChanges(pick, random, { words, paths, ordinary, harmful }),
    (line) => insert(line, ` ${pick(secrets)} `),
    (line) => insert(line, pick(words)),
  ];
  const makeHiddenLine = createHiddenLines({ pick, random });
  const makeLine = () => {
    let line = chance(0.15) ? makeHiddenLine() : pick(chance(0.75) ? ordinary : harmful);
    while (chance(0.45)) line = pick(lineChanges)(line);
    return line;
  };
  const makePath = () => {
    let path = chance(0.15)
      ? pick([project.home, project.cwd, ""]) + `/${pick(overwritten).replace(/^\//, "")}`
      : pick(paths);
    if (chance(0.1)) path = insert(path, pick(["/", "./", "../", "//", " ", "ä", ".", "%", "~"]));
    if (chance(0.3) && !path.startsWith("/")) path = join(project.cwd, path);
    return chance(0.05) ? path.toUpperCase() : path;
  };
  const makeText = () => {
    const text = pick(texts).slice(0, 3000);
    return chance(0.1) ? insert(text, pick(secrets)) : chance(0.1) ? insert(text, makeLine()) : text;
  };
  /** Generates output for a call: plain, with ANSI colors, as JSON, or as bytes. */
  const makeResult = () => {
    const text = chance(0.4) ? insert(makeText(), pick(["", " ", "=", "\n"]) + pick(secrets)) : makeText();
    const secret = pick(secrets);
    return pick<unknown>([
      text,
      text.replaceAll("\n", "\r\n"),
      insert(text, `\x1b[1;32m${pick(words)}\x1b[0m`),
      `${text} \x1b[01;31m${secret.slice(0, 4)}\x1b[m\x1b[K${secret.slice(4)}`,
      JSON.stringify({ text, "\x1b[1m": [secret.slice(0, 4), text] }),
      JSON.stringify([text]).replaceAll("/", "\\/"),
      [...Buffer.from(text)],
    ]);
  };

  const all = fixtures;
  const makers: Readonly<Record<string, () => unknown>> = {
    command: makeLine,
    cmd: makeLine,
    script: makeLine,
    file_path: makePath,
    filePath: makePath,
    path: makePath,
    target_file: makePath,
    notebook_path: makePath,
    content: makeText,
    file_text: makeText,
    new_string: makeText,
    newString: makeText,
    new_str: makeText,
    ...Object.fromEntries(RESULT_FIELDS.map((field) => [field, makeResult])),
    prompt: () => (chance(0.5) ? makeText() : makeLine()),
    cwd: () =>
      pick([
        project.cwd,
        project.cwd,
        project.cwd,
        join(project.cwd, "deep"),
        join(project.cwd, "keys"),
        project.home,
        "/",
        "relative",
        "",
      ]),
  };
  const WRONG: readonly unknown[] = [null, 5, true, [], {}, "", ["a"], { a: 1 }];
  const changeFields = (value: unknown, name = ""): unknown => {
    if (chance(0.004)) return pick(WRONG);
    if (Array.isArray(value)) return value.map((one) => changeFields(one));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, one]) => (chance(0.003) ? [] : [[key, changeFields(one, key)]])),
      );
    const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
    return make && typeof value === "string" ? make() : value;
  };
  const gates = all.filter(({ text }) => /command|file_path|filePath|"path"|prompt/.test(text));
  return () => {
    const fixture: Fixture = pick(chance(0.85) ? gates : all);
    let payload = changeFields(fixture.payload) as Payload;
    if (chance(0.02)) {
      const [key, value] = pick(Object.entries(pick(all).payload));
      payload = { ...payload, [key]: value };
    }
    const host = chance(0.98) ? fixture.host.id : pick(all).host.id;
    const event = fixture.file.split("-")[0] as string;
    const argv = chance(0.9) ? ["--host", host] : [];
    if (chance(0.5)) argv.push("--on-error", pick(["allow", "deny"]));
    if (chance(host === "copilot" ? 0.9 : 0.1)) argv.push("--event", chance(0.95) ? event : "preToolUse");
    let text = JSON.stringify(payload);
    if (chance(0.002)) text = insert(text, pick(["{", "}", '"', ",", "x"]));
    return { argv, text };
  };
}
