/** Rewrites a shell command so that it has the same or nearly the same effect. */
type Spelling = (line: string) => string;
type Spellings = Readonly<Record<string, Spelling>>;

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const escapeText = (text: string) =>
  `$'${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
const encode = (text: string) => Buffer.from(text).toString("base64");

/** Changes the first word of a command. `change` gets the word's first letter and the rest. */
const changeProgram = (change: (first: string, rest: string, word: string) => string) => (line: string) =>
  line.replace(/^(\S)(\S*)/, (word, first: string, rest: string) => change(first, rest, word));

/** Wrappers around a command. */
const WRAPPERS: Spellings = {
  unchanged: (line) => line,
  sudo: (line) => `sudo ${line}`,
  "sudo -E": (line) => `sudo -E -- ${line}`,
  "env X=1": (line) => `env X=1 ${line}`,
  "an assignment": (line) => `X=1 ${line}`,
  time: (line) => `time ${line}`,
  "sh -c": (line) => `sh -c ${quote(line)}`,
  "sudo sh -c": (line) => `sudo sh -c ${quote(line)}`,
  "sh -c, escaped": (line) => `bash -c ${escapeText(line)}`,
  "su -c, glued": (line) => `su root -c${quote(line)}`,
  "flock -c, glued": (line) => `flock /tmp/l -c${quote(line)}`,
  eval: (line) => `eval ${quote(line)}`,
  trap: (line) => `trap ${quote(line)} EXIT`,
  tmux: (line) => `tmux send-keys ${quote(line)} Enter`,
  "a here-document": (line) => `bash <<'END_OF_LINE'\n${line}\nEND_OF_LINE`,
  "a here-string": (line) => `bash <<<${quote(line)}`,
  "a pipe from printf": (line) => `printf ${quote(`ls\\n${line}\\n`)} | sh`,
  "a pipe from echo -e": (line) => `echo -e ${quote(`ls\\t\\n${line}`)} | bash`,
  "a pipe from base64": (line) => `echo ${encode(line)} | base64 -d | bash`,
  "a pipe from base64 in quotes": (line) => `echo ${encode(line)} | b""ase64 -d | bash`,
  "a script written by the command": (line) => `echo ${quote(line)} > run.sh; sh run.sh`,
  "a script by its path": (line) => `printf '%s\\n' ${quote(line)} > /tmp/run && chmod +x /tmp/run && /tmp/run`,
  "a script from a here-document": (line) => `cat > run.sh <<'END_OF_LINE'\n${line}\nEND_OF_LINE\nbash ./run.sh`,
  "a script from base64": (line) => `echo ${encode(line)} | base64 -d > run.sh; . ./run.sh`,
  "an escaped script": (line) => `printf ${escapeText(line)} > run.sh; bash run.sh`,
  "a script that prints the command": (line) => `echo ${quote(line)} | rev > run; rev run | tee run.sh; sh < run.sh`,
  "a variable": (line) => `X=${quote(line)}; eval "$X"`,
  "two variables": (line) => `A=${quote(line.slice(0, 1))}; B=${quote(line.slice(1))}; eval "$A$B"`,
  "a sum": (line) => `A=${quote(line.slice(0, 1))}; A+=${quote(line.slice(1))}; eval "$A"`,
  "a list": (line) => `A=(${line.slice(0, 1)} ${quote(line.slice(1))}); eval "\${A[0]}\${A[1]}"`,
  "read from a here-string": (line) => `read X <<< ${quote(line)}; eval "$X"`,
  "a block": (line) => `{ ${line}; }`,
  "a subshell": (line) => `(${line})`,
  "a function": (line) => `f(){ ${line};};f`,
  "a loop": (line) => `for i in 1; do ${line}; done`,
  "a condition": (line) => `if ${line};then ls;fi`,
  "a substitution": (line) => `echo $(${line})`,
  backticks: (line) => `echo \`${line}\``,
  "a process substitution": (line) => `cat <(${line})`,
  ssh: (line) => `ssh host ${quote(line)}`,
  "docker exec": (line) => `docker exec c ${line}`,
  xargs: (line) => `echo a|xargs ${line}`,
  "find -exec": (line) => `find . -exec ${line} \\;`,
  watch: (line) => `watch ${quote(line)}`,
  "pwsh -c": (line) => `pwsh -c ${quote(line)}`,
  "cmd /c": (line) => `cmd /c ${line}`,
  "commands before it": (line) => `ls;cd . &&${line}`,
  "a line before it": (line) => `ls\n${line}`,
  "a filter after it": (line) => `${line}|cat`,
  "in the background": (line) => `${line}&`,
  "a comment": (line) => `${line} # x`,
  "carriage returns": (line) => `${line}\r\nls\r\n`,
};

/** Changes inside a command. */
const CHANGES: Spellings = {
  "a redirection before it": (line) => `2>&1 ${line}`,
  "a redirection after the program": (line) => line.replace(" ", " 2>/dev/null "),
  "a redirection attached to the program": changeProgram((_first, _rest, word) => `${word}</dev/null`),
  "a redirection at the end": (line) => `${line}>/tmp/x`,
  tabs: (line) => line.replaceAll(" ", "\t"),
  "additional spaces": (line) => line.replaceAll(" ", "   "),
  "a continued line": (line) => line.replace(" ", " \\\n"),
  "quotes around the program": changeProgram((_first, _rest, word) => `"${word}"`),
  "quotes in the program": changeProgram((first, rest) => `${first}''"${rest}"`),
  "a backslash in the program": changeProgram((first, rest) => `${first}\\${rest}`),
  "an escaped program": changeProgram((_first, _rest, word) => escapeText(word)),
  "quotes around words": (line) => line.replace(/ ([\w-]+)/g, ' "$1"'),
  "quotes in words": (line) => line.replace(/ (\w)(\w+)/g, ' $1"$2"'),
  "backslashes before words": (line) => line.replace(/ (\w)/g, " \\$1"),
  "a folder": (line) => `/usr/bin/${line}`,
  ".exe": (line) => line.replace(/^[\w-]+(?![\w.-])/, "$&.exe"),
  "an alias": changeProgram((_first, _rest, word) => `alias zz=${word}; zz`),
  "a variable as the program": changeProgram((_first, _rest, word) => `Z=${word}; $Z`),
  "a variable in the program": changeProgram((first, rest) => `Z=${rest}; ${first}$Z`),
  "a variable at the program's start": changeProgram((first, rest) => `Z=${first}; \${Z}${rest}`),
  "a default in the program": changeProgram((first, rest) => `${first}\${Z:-${rest}}`),
  "a replacement in the program": changeProgram((first, rest) => `Z=${first}QQ${rest}; \${Z/QQ/}`),
  "a loop's variable in the program": (line) => line.replace(/^(\S)(\S+)/, "for Z in $2; do $1$Z") + "; done",
  "a variable as a word": (line) => line.replace(/^(\S+) (\S+)/, "Z=$2; $1 $Z"),
  "a function's argument in the program": changeProgram((first, rest) => `set -- ${rest}; ${first}$1`),
  "echo as the program": changeProgram((_first, _rest, word) => `$(echo ${word})`),
  "echo in the program": changeProgram((first, rest) => `${first}$(echo ${rest})`),
  "echo at the program's start": changeProgram((first, rest) => `\`echo ${first}\`${rest}`),
  "printf as the program": changeProgram((first, rest) => `$(printf %s%s ${first} ${rest})`),
  "printf into a variable": changeProgram((first, rest) => `printf -v Z %s%s ${first} ${rest}; $Z`),
};

export const SPELLINGS: Spellings = { ...WRAPPERS, ...CHANGES };

/** Spellings for PowerShell and cmd.exe. */
export const WINDOWS_SPELLINGS: Spellings = {
  unchanged: (line) => line,
  ".exe in a folder": (line) => `bin\\${line.replace(/^\w+/, "$&.exe")}`,
  "the call operator": (line) => `& ${line}`,
  "the call operator and quotes": changeProgram((_first, _rest, word) => `& '${word}'`),
  "a sum": changeProgram((first, rest) => `& ('${first}'+'${rest}')`),
  "a format": changeProgram((first, rest) => `& ('{0}{1}' -f '${first}','${rest}')`),
  "a joined list": changeProgram((first, rest) => `& ('${first}','${rest}' -join '')`),
  "a replacement": changeProgram((first, rest) => `& ('${first}QQ${rest}' -replace 'QQ','')`),
  "Invoke-Expression": (line) => `iex ${quote(line)}`,
  "Invoke-Command": (line) => `Invoke-Command -ScriptBlock {${line}}`,
  "a backtick": changeProgram((first, rest) => `${first}\`${rest}`),
  "a caret": changeProgram((first, rest) => `${first}^${rest}`),
  "a variable": changeProgram((first, rest) => `$A='${rest}'; & "${first}$A"`),
  "a variable of cmd.exe": changeProgram((first, rest) => `set A=${rest}& ${first}%A%`),
  "a delayed variable": changeProgram((first, rest) => `cmd /v:on /c "set A=${rest}& ${first}!A!"`),
  "a part of a variable": changeProgram((_first, _rest, word) => `set A=x${word}& %A:~1%`),
  "cmd /c": (line) => `cmd /c "${line}"`,
  call: (line) => `call ${line}`,
  start: (line) => `start /b ${line}`,
  "a loop": (line) => `for %i in (1) do ${line}`,
  "a loop over the command's output": (line) => `for /f %i in ('${line}') do echo %i`,
};
