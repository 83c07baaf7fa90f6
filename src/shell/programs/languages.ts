import {
  findAwkCommands,
  findCalledOrBacktickCommands,
  findCrontabCommands,
  findDebuggerCommands,
  findEditorCommands,
  findInterpretedCommands,
  findLispCommands,
  findMakeCommands,
  findRecipeLines,
  findSedCommands,
  findSqlCommands,
  findTaskCommands,
  findTclCommands,
  findXonshCommands,
} from "../code/strings.ts";
import type { OperandFiles, Program, ProgramRows } from "./program.ts";

/** All operands after the first are arguments of the script. */
const script: OperandFiles = { operands: "read", hasScriptArguments: true };
const interpreter = (code: string): Program => ({
  code,
  files: script,
  language: { find: findInterpretedCommands, stdin: true },
  isInterpreter: true,
});
const node: Program = {
  ...interpreter("-e -p -pe --eval --print"),
  reads: "-r --require --import --env-file --preload",
};
const python: Program = { ...interpreter("-c"), options: "m:" };
const editors: Program = { files: { operands: "write" } };
const vi: Program = { ...editors, code: "-c --cmd", language: { find: findEditorCommands, stdin: true } };
const database: Program = { files: {}, language: { find: findSqlCommands, hasCodeOperands: true, stdin: true } };

/**
 * Shells, interpreters, and programs with their own small language, such as awk, make, editors and database clients.
 */
export const LANGUAGE_ROWS: ProgramRows = {
  "sh bash zsh dash ksh ash mksh rbash yash csh tcsh pdksh oksh loksh posh hush mrsh rc es osh ysh elvish ksh93 rzsh rksh":
    {
      options: "acefhiklmnprstuvxBCEHIPO:o: --command= --emulate=",
      reads: "--rcfile --init-file",
      files: { operands: "read", hasScriptArguments: true, scriptOptions: ["-c"] },
      isShell: true,
    },
  fish: {
    options:
      "hilnNPvd:D:f:o:p: --debug= --features= --profile= --interactive --login --no-config --no-execute --private",
    shell: "-c -C --command --init-command",
    files: { operands: "read", hasScriptArguments: true, scriptOptions: ["-c"] },
    isShell: true,
  },
  "nu nushell ion": {
    options:
      "ilnm:t:D: --log-level= --table-mode= --plugins= --login --interactive --no-config-file --no-rc --no-std-lib",
    reads: "--config --env-config --rc",
    shell: "-c -e --commands --execute --command",
    files: { operands: "read", hasScriptArguments: true, scriptOptions: ["-c"] },
    isShell: true,
  },
  xonsh: { code: "-c", files: script, language: { find: findXonshCommands, stdin: true } },
  "pwsh powershell": { isInterpreter: true },
  "node nodejs tsx deno": node,
  "deno > eval": { language: { find: findInterpretedCommands, hasCodeOperand: true } },
  "ts-node": { ...interpreter("-e -p -pe --eval --print"), reads: "-r --require" },
  bun: { ...node, runsPackages: true },
  "bun > exec": { commands: { hasScriptOperands: true } },
  "python python2 python3 pypy pypy3": python,
  // Placeholder program for code on stdin, as in `uv run -`. The meaning of the operands depends on that code.
  "-": { code: "-c", wrapper: { isAmbiguous: true }, language: { find: findInterpretedCommands, stdin: true } },
  "lua luajit Rscript groovy julia scala kotlin ocaml raku octave dotnet-script": interpreter("-e --eval"),
  osascript: { ...interpreter("-e"), options: "l:s:i" },
  "elixir iex": interpreter("-e --eval --rpc-eval"),
  "guile sbcl clisp racket": { ...interpreter("-c -e -x --eval"), language: { find: findLispCommands, stdin: true } },
  rails: {},
  "rails > runner r": {
    options: "e: --environment=",
    language: { find: findCalledOrBacktickCommands, hasCodeOperand: true },
  },
  "perl ruby": {
    code: "-e -E",
    files: { operands: "read", inPlaceOptions: ["-i"] },
    language: { find: findCalledOrBacktickCommands, stdin: true },
    isInterpreter: true,
  },
  php: { ...interpreter("-r"), language: { find: findCalledOrBacktickCommands, stdin: true } },
  "awk gawk mawk nawk": {
    options: "F:v:",
    code: "-e --source",
    source: "-f --file",
    reads: "-i --include",
    files: { operands: "read", leadingOperands: 1 },
    language: { find: findAwkCommands, hasCodeOperand: true },
  },
  "sed gsed": {
    code: "-e --expression",
    source: "-f --file",
    files: { operands: "read", leadingOperands: 1, inPlaceOptions: ["-i", "--in-place"] },
    language: { find: findSedCommands, hasCodeOperand: true },
  },
  "jq yq gojq dasel": {
    options: " --arg= --argjson=",
    source: "-f --from-file",
    reads: "--slurpfile --rawfile --argfile",
    files: { operands: "read", leadingOperands: 1, inPlaceOptions: ["-i", "--inplace", "--in-place"] },
  },
  xmllint: { options: " --xpath=", reads: "--schema", writes: "-o --output", files: { operands: "read" } },
  xmlstarlet: { files: { operands: "read", inPlaceOptions: ["-L", "--inplace"] } },
  "make gmake": { code: "-E --eval", source: "-f --file --makefile", files: {}, language: { find: findMakeCommands } },
  just: {
    source: "-f --justfile",
    files: {},
    commands: { commandMarkers: "--command -c" },
    language: { find: findRecipeLines },
  },
  "task go-task": { source: "-t --taskfile", language: { find: findTaskCommands } },
  lefthook: { source: "-f", language: { find: findTaskCommands } },
  rake: { source: "-f --rakefile", language: { find: findCalledOrBacktickCommands } },
  "invoke inv nox gulp grunt": {
    source: "-f --noxfile --gulpfile --gruntfile",
    language: { find: findInterpretedCommands },
  },
  "expect tclsh wish": { code: "-c", source: "-f", language: { find: findTclCommands, stdin: true } },
  crontab: { language: { find: findCrontabCommands, stdin: true } },
  "vi vim nvim view ex": vi,
  ed: { ...editors, language: { find: findEditorCommands, stdin: true } },
  "less more": { files: { operands: "read" }, language: { find: findEditorCommands, stdin: true } },
  emacs: { ...editors, code: "-e --eval --execute", language: { find: findLispCommands } },
  emacsclient: { code: "-e --eval --execute", language: { find: findLispCommands } },
  "nano pico micro code subl kak hx helix": editors,
  sqlite3: {
    options:
      " -bail -batch -box -column -csv -echo -header -html -json -line -list -noheader -markdown -quote -readonly -table",
    code: "-cmd",
    source: "-init",
    files: { operands: "write" },
    language: { find: findSqlCommands, hasCodeOperands: true, stdin: true },
  },
  psql: {
    ...database,
    options:
      "01aAbeEHlnqsStVwWxXzd:F:h:L:p:P:R:T:U:v: --dbname= --host= --port= --username= --variable= --set= --echo-all --no-align --no-password --no-psqlrc --quiet --single-transaction --tuples-only",
    code: "-c --command",
    source: "-f --file",
    writes: "-o --output",
  },
  "mysql mariadb": {
    ...database,
    options:
      "ABbfHNnrstvVwXp::D:h:P:S:u: --database= --host= --port= --user= --socket= --protocol= --batch --force --silent --skip-column-names --verbose",
    code: "-e --execute",
    writes: "--tee",
  },
  "mongosh mongo": {
    options: " --quiet --norc --nodb --verbose --host= --port= --username= --password= --authenticationDatabase=",
    code: "--eval",
    source: "-f --file",
    files: {},
  },
  "duckdb pgcli mycli litecli usql sqlcmd cqlsh clickhouse-client snowsql trino presto impala-shell beeline hive": {
    source: "-f -i -init --file --input-file --queries-file --filename",
  },
  "gdb lldb": {
    code: "-ex -o --eval-command --one-line",
    commands: { commandMarkers: "--args --" },
    language: { find: findDebuggerCommands, stdin: true },
  },
};
