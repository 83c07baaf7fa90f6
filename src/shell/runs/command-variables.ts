/** Environment variables that contain a command for other programs to run. */
const COMMAND_VARIABLE =
  /^(?:GIT_(?:SSH(?:_COMMAND)?|(?:SEQUENCE_)?EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|(?:SSH|SUDO)_ASKPASS|(?:SUDO_)?EDITOR|VISUAL|FCEDIT|\w*PAGER|LESS(?:OPEN|CLOSE)|PROMPT_COMMAND|BROWSER|(?:RSYNC|CVS|TAR)_RSH|RSYNC_CONNECT_PROG|FZF_\w*COMMAND)$/;
/** Variables that the shell expands, running any `$(…)`, before printing them or using them as a file name. */
const EXPANDED_VARIABLE = /^(?:PS[0-4]|BASH_ENV|ENV)$/;

/** Git settings that contain a command. Those in `GIT_BANG_SETTING` do so only if their value starts with "!". */
const GIT_COMMAND_SETTING =
  /^(?:core\.(?:editor|pager|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|interactive\.difffilter|diff\.external|diff\..*\.(?:command|textconv)|(?:diff|merge)tool\..*\.cmd|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|pager\..*|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack)|(?:browser|man)\..*\.cmd|sendemail\..*cmd|trailer\..*\.(?:cmd|command))$/i;
const GIT_BANG_SETTING = /^(?:alias\..*|credential\.(?:.*\.)?helper|submodule\..*\.update)$/i;

/** Returns the command in a git setting, or undefined if the value isn't a command. */
export function getGitCommand(key: string, value: string): string | undefined {
  if (value.startsWith("!"))
    return GIT_COMMAND_SETTING.test(key) || GIT_BANG_SETTING.test(key) ? value.slice(1) : undefined;
  return GIT_COMMAND_SETTING.test(key) && !/^(?:true|false|yes|no|on|off|\d*)$/i.test(value) ? value : undefined;
}

/** Parses the settings in `GIT_CONFIG_PARAMETERS`, such as `'core.pager'='less'`. */
export const parseQuotedSettings = (text: string): { key: string; value: string }[] =>
  [...text.matchAll(/'([^'=]+)'?='?([^']*)'/g)].map(([, key = "", value = ""]) => ({ key, value }));

/** Lists the shell commands in environment variables, each with the variable's name. */
export function listVariableCommands(env: Readonly<Record<string, string>>): [name: string, text: string][] {
  const variableCommands: [string, string][] = [];
  for (const name in env) {
    const value = env[name] as string;
    if (COMMAND_VARIABLE.test(name)) variableCommands.push([name, value.replace(/^\|{0,2}-?/, "")]);
    else if (name === "MAKEFLAGS" && value.includes("--eval"))
      variableCommands.push([name, `make '${value.replaceAll("'", "")}'`]);
    else if (EXPANDED_VARIABLE.test(name))
      variableCommands.push([name, `${name === "BASH_ENV" ? "." : ":"} "${value}"`]);
    else if (name.startsWith("GIT_CONFIG_KEY_")) {
      const text = getGitCommand(value, env[`GIT_CONFIG_VALUE_${name.slice(15)}`] ?? "");
      if (text !== undefined) variableCommands.push([name, text]);
    } else if (name === "GIT_CONFIG_PARAMETERS")
      for (const { key, value: text } of parseQuotedSettings(value))
        variableCommands.push([name, getGitCommand(key, text) ?? ""]);
  }
  return variableCommands.filter(([, text]) => text !== "");
}
