import { type Command, readGitArguments } from "bridge-hooks";

/**
 * Returns the value that a command gives a git setting; undefined if the command doesn't change the setting, null if
 * the value is unknown.
 */
export function getGitSetting({ args, dynamic, env }: Command, settingName: string): string | null | undefined {
  const key = settingName.toLowerCase();
  let setting: string | null | undefined;
  for (const [name, value] of Object.entries(env))
    if (name.startsWith("GIT_CONFIG_KEY_") && value.toLowerCase() === key)
      setting = env[`GIT_CONFIG_VALUE_${name.slice("GIT_CONFIG_KEY_".length)}`] ?? null;
    else if (name === "GIT_CONFIG_PARAMETERS" && value.toLowerCase().includes(key)) setting = null;
  const { at } = readGitArguments(args);
  for (let i = 0; i < at; i++) {
    const text = args[i] as string;
    if (/^--config-env(=|$)/.test(text) && (text + (args[i + 1] ?? "")).toLowerCase().includes(key)) setting = null;
    if (args[i - 1] !== "-c") continue;
    const [name = "", ...rest] = text.split("=");
    if (name.toLowerCase() === key)
      setting = dynamic[i] === undefined ? (rest.length > 0 ? rest.join("=") : "true") : null;
  }
  return setting;
}
