import type { CommandDescription } from "./command-line.ts";

/** Formats the completion scripts for each shell. */
export const formatCompletions = (commands: readonly CommandDescription[]) => ({
  bash: formatBash(commands),
  zsh: formatZsh(commands),
  fish: formatFish(commands),
});

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Maps the first word of each command to the second words that can follow it. */
function listWords(commands: readonly CommandDescription[]): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const { path } of commands) {
    const [first = "", second] = path;
    words.set(first, [...(words.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  return words;
}

function formatBash(commands: readonly CommandDescription[]): string {
  const words = listWords(commands);
  const groups = [...words].filter(([, second]) => second.length > 0);
  const optionValues = new Map(
    commands.flatMap(({ options }) =>
      options.flatMap(({ names, values }) =>
        values.length > 0 ? names.map((name): [string, readonly string[]] => [name, values]) : [],
      ),
    ),
  );
  const optionsWithValue = [
    ...new Set(
      commands.flatMap(({ options }) => options.flatMap(({ names, takesValue }) => (takesValue ? names : []))),
    ),
  ];
  return `# bash completion of bridge-hooks
_bridge_hooks() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]-} choices=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    choices=${quote([...words.keys(), "--help", "--version"].join(" "))}
  else
    case $before in
${[...optionValues].map(([name, values]) => `      ${name}) choices=${quote(values.join(" "))} ;;`).join("\n")}
      ${optionsWithValue.filter((name) => !optionValues.has(name)).join(" | ")})
        compopt -o default 2>/dev/null
        return
        ;;
      *)
        case $command in
${groups.map(([first, second]) => `          ${first}) if [ "$COMP_CWORD" -eq 2 ]; then choices=${quote(second.join(" "))}; else command="$command \${COMP_WORDS[2]-}"; fi ;;`).join("\n")}
        esac
        case $command in
${commands.map(({ path, options }) => `          ${quote(path.join(" "))}) choices="$choices "${quote([...options.flatMap(({ names }) => names), "--help"].join(" "))} ;;`).join("\n")}
        esac
        case $current in
          -*) ;;
          *) compopt -o default 2>/dev/null ;;
        esac
        ;;
    esac
  fi
  local IFS=$' \\t\\n'
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -F _bridge_hooks bridge-hooks
`;
}

function formatZsh(commands: readonly CommandDescription[]): string {
  const words = listWords(commands);
  const describe = (text: string) => text.replaceAll(/[:[\]\\]/g, "\\$&");
  const option = ({ names, takesValue, values, summary }: CommandDescription["options"][number]) =>
    names.map((name) => {
      const value = !takesValue ? "" : values.length > 0 ? `:value:(${values.join(" ")})` : ":value:_files";
      return quote(`*${name}[${describe(summary)}]${value}`);
    });
  const summaries = [...words.keys()].map((first) => {
    const own =
      commands.find(({ path }) => path.length === 1 && path[0] === first) ??
      commands.find(({ path }) => path[0] === first);
    return `    ${quote(`${first}:${describe(own?.summary ?? "")}`)}`;
  });
  return `#compdef bridge-hooks
_bridge-hooks() {
  local -a commands
  commands=(
${summaries.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  case $command in
${[...words]
  .filter(([, second]) => second.length > 0)
  .map(
    ([first, second]) => `    ${first})
      (( CURRENT == 3 )) && compadd -- ${second.join(" ")}
      (( \${+words[3]} )) && [[ $words[3] == (${second.join("|")}) ]] && command="$command $words[3]"
      ;;`,
  )
  .join("\n")}
  esac
  case $command in
${commands.map(({ path, options }) => `    ${quote(path.join(" "))})\n      _arguments ${[...options.flatMap(option), quote("--help[What it does]"), quote("*:file:_files")].join(" \\\n        ")}\n      ;;`).join("\n")}
  esac
}
_bridge-hooks "$@"
`;
}

function formatFish(commands: readonly CommandDescription[]): string {
  const words = listWords(commands);
  const escape = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = [...words].flatMap(([first, second]) => {
    const summary = commands.find(({ path }) => path.length === 1 && path[0] === first)?.summary ?? "";
    const group = second.map(
      (word) =>
        `complete -c bridge-hooks -n ${escape(`__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second.join(" ")}`)} -a ${word} -d ${escape(commands.find(({ path }) => path[0] === first && path[1] === word)?.summary ?? "")}`,
    );
    return [
      `complete -c bridge-hooks -n __fish_use_subcommand -f -a ${first}${summary && ` -d ${escape(summary)}`}`,
      ...group,
    ];
  });
  const options = commands.flatMap(({ path, options }) =>
    options.map(({ names, takesValue, values, summary }) => {
      const condition = path.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
      const flags = names
        .map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
        .join(" ");
      const value = !takesValue ? "" : values.length > 0 ? ` -x -a ${escape(values.join(" "))}` : " -r";
      return `complete -c bridge-hooks -n ${escape(condition)} ${flags}${value} -d ${escape(summary)}`;
    }),
  );
  return `# fish completion of bridge-hooks\n${[...lines, ...options].join("\n")}\n`;
}
