import { basename } from "node:path";
import { quoteCommand } from "../../protocol/host/quote.ts";

/** The shells with completion scripts. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

// Each script requests completions from the executable that the user typed, so one script works with every release and
// its hooks. The executable prints one value per line, followed by a tab and a description. `:files` and `:folders`
// request the shell's own path completion.

const toFunctionName = (name: string) => `_${name.replaceAll(/\W/g, "_")}_completion`;

const SCRIPT_WRITERS: Readonly<Record<Shell, (name: string) => string>> = {
  bash: (name) => `# ${name} completion for bash
${toFunctionName(name)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  [ "$current" = "=" ] && current=""
  while IFS= read -r line; do
    case "$line" in
      :files|:folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
          if [ "$line" = :files ]; then compgen -f -- "$current"; else compgen -d -- "$current"; fi
        )
        return ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F ${toFunctionName(name)} ${name}
`,
  zsh: (name) => `#compdef ${name}
# ${name} completion for zsh
${toFunctionName(name)}() {
  local program="\${\${(Q)words[1]}/#\\~/$HOME}" line
  local -a lines values
  lines=("\${(@f)$("$program" completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case "$line" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      *) values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe -t values ${name} values
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
if [ "$funcstack[1]" = "_${name}" ]; then
  ${toFunctionName(name)} "$@"
else
  compdef ${toFunctionName(name)} ${name}
fi
`,
  fish: (name) => `# ${name} completion for fish
function ${toFunctionName(name)}
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $before[1])
    set -e before[1]
    for line in ($program completion fish -- $before "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c ${name} -f -a '(${toFunctionName(name)})'
`,
  // PowerShell drops empty arguments, so the script appends a dot to the last word.
  powershell: (name) => `# ${name} completion for PowerShell
Register-ArgumentCompleter -Native -CommandName '${name}', '${name}.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $position)
    $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
    $program = $before[0]
    $rest = @($before | Select-Object -Skip 1)
    & $program completion powershell '--' @rest "$wordToComplete." 2>$null | ForEach-Object {
        if ($_ -eq ':files' -or $_ -eq ':folders') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
        } else {
            $value, $meaning = $_ -split "\`t", 2
            if (-not $meaning) { $meaning = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $meaning)
        }
    }
}
`,
};

/** Returns the completion script for an executable's name. */
export const writeScript = (shell: Shell, name: string): string => SCRIPT_WRITERS[shell](name);

/**
 * Returns the command that enables completion permanently in the shell named by $SHELL, or undefined for other shells.
 */
export function formatSetup(command: string, { SHELL = "" }: NodeJS.ProcessEnv): string | undefined {
  switch (basename(SHELL)) {
    case "bash":
      return `echo ${quoteCommand([`source <(${command} completion bash)`], "sh")} >> ~/.bashrc`;
    case "zsh":
      return `echo ${quoteCommand([`source <(${command} completion zsh)`], "sh")} >> ~/.zshrc`;
    case "fish":
      return `${command} completion fish > ~/.config/fish/completions/${basename(command.replaceAll(/['"]/g, ""))}.fish`;
  }
  return undefined;
}
