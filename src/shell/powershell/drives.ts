import { assignEnvironment, getLineState } from "./state.ts";
import type { Cmdlet } from "./cmdlets.ts";
import { type CmdletCall, type PipelineFlow, getPathTexts, getTexts, getWords } from "./cmdlet-call.ts";
import { joinText, joinTexts, type Text } from "./text-values.ts";
import { getEnvironmentText } from "./variables.ts";

/** Path on a drive that is not a file system: `env:`, `HKLM:`, `alias:`. */
const NON_FILE_DRIVE_PATH =
  /^(?:[\w.]+[\\/])?(env|environment|hklm|hkcu|hkcr|hku|hkcc|registry|alias|function|variable|cert|wsman)::?[\\/]?/i;
const getDrive = (text: Text): string | undefined => NON_FILE_DRIVE_PATH.exec(joinText(text))?.[1]?.toLowerCase();

/**
 * Adds the equivalent of a call that accesses a drive that isn't a file system. Returns undefined for a call that
 * accesses files.
 */
export function translateDriveCall(call: CmdletCall): PipelineFlow | undefined {
  const texts = getPathTexts(call);
  const drivePaths = texts.filter((text) => getDrive(text) !== undefined);
  const values = drivePaths.flatMap((text) => {
    const drive = getDrive(text) ?? "";
    const name = joinText(text).replace(NON_FILE_DRIVE_PATH, "");
    const [value] = getTexts(call, "Value");
    if (drive.startsWith("env")) return translateVariable(call, name);
    if (drive === "alias" && value) getLineState(call.scope).aliases.set(name.toLowerCase(), joinText(value));
    else if (drive === "registry" || drive.startsWith("hk")) translateRegistryKey(call, joinText(text));
    else call.emit(["true"]);
    return [];
  });
  if (drivePaths.length === 0 || drivePaths.length < texts.length) return undefined;
  return { isPiped: true, values: values.length === texts.length ? values : undefined };
}

const isRemovingCmdlet = ({ names: [name = ""] }: Cmdlet) => /^(?:remove|clear)-/.test(name);
const isChangingCmdlet = ({ names: [name = ""] }: Cmdlet) =>
  /^(?:set|new|add|rename|move|copy)-|^out-file$|^tee-object$/.test(name);

function translateVariable({ cmdlet, boundArguments, emit, scope }: CmdletCall, name: string): readonly Text[] {
  const variable = name.toUpperCase();
  const values = boundArguments.values.get("Value") ?? [];
  // Changing to a drive counts as listing it because users usually list it next.
  const isNamed = /^\w+$/.test(name) && cmdlet.translator !== "changeLocation";
  if (isRemovingCmdlet(cmdlet)) emit(["unset", variable]);
  else if (isChangingCmdlet(cmdlet) && isNamed) assignEnvironment(variable, joinTexts(values, " "), scope);
  else {
    emit(["printenv", ...(isNamed ? [variable] : [])]);
    if (isNamed) return [getEnvironmentText(name, scope)];
  }
  return [];
}

function translateRegistryKey(call: CmdletCall, key: string): void {
  const [value] = getWords(call, "Name");
  const data = getTexts(call, "Value").map(joinText).join(" ");
  const words = [key.replace(/^(hk\w+):\\?/i, "$1\\"), ...(value ? ["/v", value.text] : [])];
  if (isRemovingCmdlet(call.cmdlet)) call.emit(["reg", "delete", ...words, "/f"]);
  else if (isChangingCmdlet(call.cmdlet)) call.emit(["reg", "add", ...words, ...(data ? ["/d", data] : []), "/f"]);
  else call.emit(["reg", "query", ...words]);
}
