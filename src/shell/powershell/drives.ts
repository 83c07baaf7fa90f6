import { assignEnvironment, getState } from "./state.ts";
import { type CmdletCall, createWord, type Flow, getPathTexts, getTexts, getWords } from "./cmdlet-call.ts";
import { getEnvironmentText, joinText, joinTexts, type Text } from "./values.ts";

/** What is kept elsewhere than in files: `env:`, `HKLM:`, `alias:`. */
const OTHER_DRIVE =
  /^(?:[\w.]+[\\/])?(env|environment|hklm|hkcu|hkcr|hku|hkcc|registry|alias|function|variable|cert|wsman)::?[\\/]?/i;
const getDrive = (text: Text): string | undefined => OTHER_DRIVE.exec(joinText(text))?.[1]?.toLowerCase();

/** Presents what a call does on such a drive; undefined if it is about files. */
export function presentOnDrive(call: CmdletCall): Flow | undefined {
  const texts = getPathTexts(call);
  if (!texts.some((text) => getDrive(text) !== undefined)) return undefined;
  const values: Text[] = [];
  for (const text of texts) {
    const drive = getDrive(text);
    if (drive === undefined) continue;
    const name = joinText(text).replace(OTHER_DRIVE, "");
    const [value] = getTexts(call, "Value");
    if (drive === "env" || drive === "environment") values.push(...presentVariable(call, name));
    else if (drive === "alias" && value) getState(call.scope).aliases.set(name.toLowerCase(), joinText(value));
    else if (drive === "registry" || drive.startsWith("hk")) presentKey(call, joinText(text));
    else call.emit([createWord("true")]);
  }
  if (!texts.every((text) => getDrive(text) !== undefined)) return undefined;
  return { isPiped: true, values: values.length === texts.length ? values : undefined };
}

const isRemoving = (name: string) => /^(?:remove|clear)-/.test(name);
const isChanging = (name: string) => /^(?:set|new|add|rename|move|copy)-|^out-file$|^tee-object$/.test(name);

/** Presents what a call does to a variable; gives its value if it reads it. */
function presentVariable(call: CmdletCall, name: string): readonly Text[] {
  const { name: cmdlet } = call;
  const variable = name.toUpperCase();
  // Whoever goes there looks around.
  if (call.cmdlet.by === "enter") call.emit([createWord("printenv")]);
  else if (isRemoving(cmdlet)) call.emit([createWord("unset"), createWord(variable)]);
  else if (isChanging(cmdlet)) assignEnvironment({ [variable]: joinTexts(getTexts(call, "Value"), " ") }, call.scope);
  else {
    const isName = /^\w+$/.test(name);
    call.emit([createWord("printenv"), ...(isName ? [createWord(variable)] : [])]);
    if (isName) return [getEnvironmentText(name, call.scope)];
  }
  return [];
}

function presentKey(call: CmdletCall, key: string): void {
  const { name } = call;
  const [value] = getWords(call, "Name");
  const words = [key.replace(/^(hk\w+):\\?/i, "$1\\"), ...(value ? ["/v", value.text] : [])];
  const data = getTexts(call, "Value").map(joinText).join(" ");
  if (isRemoving(name)) call.emit(["reg", "delete", ...words, "/f"].map(createWord));
  else if (isChanging(name)) call.emit(["reg", "add", ...words, ...(data ? ["/d", data] : []), "/f"].map(createWord));
  else call.emit(["reg", "query", ...words].map(createWord));
}
