import { runFunctionBody } from "./function-bodies.ts";
import { changeFolder } from "../files/folder-steps.ts";
import { isLocalHost } from "../runs/local-host.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import { splitArguments } from "../files/windows-arguments.ts";
import type { Word } from "../words/word.ts";
import { getFileText, recordCopiedFiles } from "../files/written-files.ts";
import { findCmdletNames } from "./cmdlets.ts";
import {
  type CmdletCall,
  type PipelineFlow,
  getPaths,
  getPathTexts,
  getTexts,
  getWords,
  isSet,
  PATH_PARAMETERS,
} from "./cmdlet-call.ts";
import { translateDriveCall } from "./drives.ts";
import {
  selectsFewFiles,
  describeFilter,
  listSelectedFiles,
  listEntries,
  listFindWords,
  type FileListing,
  listListingVariants,
} from "./file-listing.ts";
import { emitProgramCall } from "./programs.ts";
import { getLineState } from "./state.ts";
import { callInstanceMethod, constructObject, WMI_PREFIX } from "./methods.ts";
import { callTextMethod, PATH_PROPERTY } from "./operators.ts";
import {
  createDynamicText,
  createText,
  createUnknownValue,
  findLastPart,
  getKnownText,
  isKnown,
  joinText,
  joinTexts,
  splitPattern,
  type Text,
  type Value,
} from "./text-values.ts";
import { getValue, getVariableKey } from "./variables.ts";
import {
  createWord,
  toDriveRoot,
  toLiteralPathWord,
  toPathWord,
  toPathWords,
  toPlainWord,
  toProgramWord,
} from "./words.ts";

/** Returns the first words of the equivalent command: its program and the options translated from parameters. */
const listFirstWords = (call: CmdletCall): (string | Word)[] => [
  ...call.cmdlet.program,
  ...call.cmdlet.options.flatMap(([name, option]) => {
    if (!option.endsWith(":")) return isSet(call, name) ? [option] : [];
    return getWords(call, name).flatMap((word) => [option.slice(0, -1), word]);
  }),
];

/** Inserts `--` before the operands if any of them looks like an option. */
const insertDoubleDash = (operands: readonly Word[]): readonly Word[] =>
  operands.some(({ text }) => text.startsWith("-")) ? [createWord("--"), ...operands] : operands;

const toOperands = (values: Value): Word[] => values?.flatMap((text) => toPathWords(text)) ?? [];

/** Returns a call's input: the value of its input parameter, or the values from the pipeline. */
function getInput(call: CmdletCall): string | undefined {
  const inputTexts = getTexts(call, call.cmdlet.stdin ?? "");
  const texts = inputTexts.length > 0 ? inputTexts : call.flow.isPiped ? call.flow.values : undefined;
  return texts && texts.length > 0 ? texts.map(joinText).join("\n") : undefined;
}

/**
 * Adds the equivalent of a call with its options and operands. If the call has no path argument, its paths are the
 * values from the pipeline.
 */
function translateDefault(call: CmdletCall): void {
  const { operands: names, stdin } = call.cmdlet;
  // Add an `echo` command for values that aren't fully known.
  const unknownTexts = getTexts(call, stdin ?? "").filter((text) => !isKnown(text));
  if (unknownTexts.length > 0) call.emit(["echo", ...unknownTexts.map(toPlainWord)]);
  const takesPath = stdin === undefined && names.some((name) => PATH_PARAMETERS.includes(name));
  const isPiped = takesPath && call.flow.isPiped && getPaths(call).length === 0;
  const operands = [...getWords(call, ...names), ...(isPiped ? toOperands(call.flow.values) : [])];
  const hasUnknownInput = isPiped && call.flow.values === undefined;
  call.emit([...listFirstWords(call), ...insertDoubleDash(operands)], { stdin: getInput(call), more: hasUnknownInput });
}

/** Adds the equivalent of a call and returns the call's output. If nothing is returned, the output is unknown. */
type CmdletTranslator = (call: CmdletCall) => Partial<PipelineFlow> | void;

const FILE_TRANSLATORS: Readonly<Record<string, CmdletTranslator>> = {
  removeFiles(call) {
    const { isPiped, listing, values } = call.flow;
    if (getPaths(call).length > 0 || !isPiped) translateDefault(call);
    else if (listing?.isRecursive || listing?.isFiltered) {
      for (const reading of listListingVariants(listing)) call.emit([...listFindWords(reading), "-delete"]);
      if (values && listing.isFiltered) call.emit([...listFirstWords(call), ...toOperands(values)]);
    } else call.emit([...listFirstWords(call), ...toOperands(values)], { more: values === undefined });
  },
  listFiles(call) {
    const pathTexts = getPathTexts(call);
    const splitPaths = (pathTexts.length > 0 ? pathTexts : [createText(".")]).map(splitPattern);
    const names = splitPaths.flatMap(({ name }) => (name === undefined || name === "*" ? [] : [name]));
    const isRecursive = isSet(call, "Recurse") || getTexts(call, "Depth").length > 0;
    const listing: FileListing = {
      folders: splitPaths.map(({ folder }) => folder),
      names: [...getTexts(call, "Filter", "Include").map(joinText), ...names],
      isRecursive,
      ...(isSet(call, "Directory") ? { kind: "d" } : isSet(call, "File") ? { kind: "f" } : {}),
      isFiltered: false,
    };
    const hasNames = listing.names.length > 0;
    if (isRecursive) call.emit(listFindWords(listing));
    else call.emit(["ls", ...(hasNames ? listEntries(listing) : pathTexts).map((text) => toPathWord(text))]);
    // A name without wildcards may refer to a file instead of a directory.
    const files = hasNames || isRecursive ? [] : pathTexts.filter((text) => !/^(?:\.|[^.]*)$/.test(joinText(text)));
    return { values: [...files, ...listEntries(listing)], listing };
  },
  readFiles(call) {
    translateDefault(call);
    const texts = getPaths(call).map(({ text }) => getFileText(text, call.scope.reader));
    if (texts.length > 0 && !texts.includes(undefined)) return { values: texts.map((text = "") => createText(text)) };
  },
  outputPaths(call) {
    translateDefault(call);
    const values = [...getPathTexts(call), ...getTexts(call, "Name")];
    return { values: values.length > 0 ? values : call.flow.values };
  },
  splitPaths(call) {
    translateDefault(call);
    const paths = getPathTexts(call);
    const isPart = ["LeafBase", "Extension", "Qualifier", "NoQualifier"].some((name) => isSet(call, name));
    if (isPart || paths.length === 0) return;
    if (!isSet(call, "Leaf")) return { values: paths.map((text) => [...text, ...createText("/..")]) };
    const names = paths.map((text) => getKnownText(text)?.replace(/[\\/]$/, ""));
    if (!names.includes(undefined))
      return { values: names.map((name = "") => createText(name.slice(findLastPart(name)))) };
  },
  joinPaths(call) {
    const children = getTexts(call, "ChildPath", "AdditionalChildPath");
    const values = getTexts(call, "Path").map((path) => joinTexts([path, ...children], "/"));
    call.emit(["echo", ...values.map((text) => toPathWord(text))]);
    return { values };
  },
  copyFiles(call) {
    const { isPiped, values } = call.flow;
    const sources = getPaths(call);
    const usesPipedPaths = sources.length === 0 && isPiped;
    const destinations = getWords(call, "Destination");
    const targets = destinations.length > 0 ? destinations : [createWord(".")];
    const copiesToSession = getTexts(call, "ToSession").length > 0;
    const firstWords = copiesToSession || getTexts(call, "FromSession").length > 0 ? ["scp"] : listFirstWords(call);
    const copiedPaths = usesPipedPaths ? toOperands(values) : sources;
    const operands = insertDoubleDash([
      ...copiedPaths,
      ...(copiesToSession ? [createWord(`host:${targets[0]?.text}`)] : targets),
    ]);
    call.emit([...firstWords, ...operands], { more: usesPipedPaths && values === undefined });
  },
  renameFile(call) {
    const [path = call.flow.values?.[0]] = getPathTexts(call);
    const [name = createUnknownValue("name")] = getTexts(call, "NewName");
    if (path === undefined) return translateDefault(call);
    const folder = joinText(path).slice(0, findLastPart(joinText(path)));
    const target: Text = isKnown(path) && !/[\\/:]/.test(joinText(name)) ? [...createText(folder), ...name] : name;
    call.emit([...listFirstWords(call), ...insertDoubleDash([toPathWord(path), toLiteralPathWord(target)])]);
  },
  createItem(call) {
    const folders = getTexts(call, "Path");
    const itemPaths = getTexts(call, "Name").map((name) => joinTexts([folders[0] ?? createText("."), name], "/"));
    const paths = itemPaths.length > 0 ? itemPaths : folders;
    const targets = paths.map(toLiteralPathWord);
    const kind = (getKnownText(getTexts(call, "ItemType")[0]) ?? "").toLowerCase();
    const isForced = isSet(call, "Force");
    if (/^dir|^container/.test(kind)) call.emit(["mkdir", "-p", ...targets]);
    else if (/link$|^junction/.test(kind)) {
      const options = [...(kind.startsWith("hard") ? [] : ["-s"]), ...(isForced ? ["-f"] : [])];
      call.emit(["ln", ...options, ...getTexts(call, "Value").map(toLiteralPathWord), ...targets]);
    } else {
      call.emit([isForced ? "tee" : "touch", ...targets], { stdin: getInput(call) });
      recordCopiedFiles("tee", targets, getInput(call), call.scope);
    }
    return { values: paths };
  },
  changeLocation(call) {
    const words = getPaths(call).map(toDriveRoot);
    call.emit([...listFirstWords(call), ...words]);
    if (words.length === 0 && call.cmdlet.names[0] !== "set-location") call.scope.cwd = undefined;
    else changeFolder(call.scope, words);
  },
  printLocation(call) {
    call.emit(listFirstWords(call));
    return { values: [createDynamicText("$PWD")] };
  },
};

const TRANSLATORS: Readonly<Record<string, CmdletTranslator>> = {
  ...FILE_TRANSLATORS,
  /** The cmdlet outputs its input unchanged. */
  passThrough(call) {
    translateDefault(call);
    return call.flow;
  },
  printValues(call) {
    const operands = getTexts(call, ...call.cmdlet.operands);
    const values = operands.length > 0 ? operands : call.flow.isPiped ? call.flow.values : [];
    call.emit(["echo", ...(values?.map(toPlainWord) ?? [])]);
    return { values };
  },
  selectItems(call) {
    const { values, listing } = call.flow;
    const isPart = getTexts(call, "First", "Last", "Skip", "SkipLast", "Index").length > 0;
    const unknownTexts = listing ? [] : (values?.filter((text) => !isKnown(text)) ?? []);
    call.emit(unknownTexts.length > 0 ? ["echo", ...unknownTexts.map(toPlainWord)] : ["cat"]);
    if (!listing) return { values };
    return {
      values: isPart ? listSelectedFiles(listing) : values,
      listing: { ...listing, isFiltered: listing.isFiltered || isPart },
    };
  },
  startProcess(call) {
    const { scope, originalWords, redirects } = call;
    const [program = createUnknownValue("program")] = getTexts(call, "FilePath");
    const programArguments = splitArguments(joinTexts(getTexts(call, "ArgumentList"), " "));
    const at = createInnerScope(scope, { via: [...scope.via, "start-process"] });
    emitProgramCall([program, ...programArguments].map(toProgramWord), { words: originalWords, redirects }, at);
  },
  stopProcess(call) {
    const names = getWords(call, "Name");
    if (names.length > 0) call.emit(["pkill", ...names]);
    else call.emit([...listFirstWords(call), ...getWords(call, "Id")], { more: call.flow.isPiped });
  },
  stopService(call) {
    call.emit(["service", ...getWords(call, ...call.cmdlet.operands), "stop"]);
  },
  evaluateText(call) {
    const { scope, flow } = call;
    const commandTexts = getTexts(call, "Command");
    call.emit(["eval", ...commandTexts.map(toPlainWord)]);
    for (const text of commandTexts.length > 0 ? commandTexts : (flow.values ?? []))
      scope.reader.readForeign("powershell", joinText(text), scope);
  },
  invokeCommand(call) {
    const { scope, boundArguments } = call;
    const names = ["ComputerName", "HostName", "ScriptBlock", "Session", "VMName", "VMId", "ContainerId"];
    const hosts = getTexts(call, ...names).map(joinText);
    const isRemote = hosts.some((host) => !isLocalHost(host) && !/^(?:\.|\$COMPUTERNAME)$/i.test(host));
    call.emit([isRemote ? "ssh" : "invoke-command", ...hosts, ...getWords(call, "FilePath")]);
    const changes: Partial<ShellScope> = {
      via: [...scope.via, "invoke-command"],
      ...(isRemote && { remote: true, cwd: undefined }),
    };
    const args = getTexts(call, "ArgumentList").map((text) => ({ texts: [text], isOption: false, source: "" }));
    for (const definition of boundArguments.blocks) runFunctionBody(definition, args, scope, { changes });
  },
  runForEach(call) {
    const { scope, boundArguments, flow } = call;
    const values = boundArguments.values.get("InputObject") ?? flow.values;
    const items = values ?? [undefined];
    const [member] = getTexts(call, "Process").map((text) => joinText(text).toLowerCase());
    if (member === "delete") callInstanceMethod(member, values, [], { scope, name: "Delete" });
    if (member !== undefined && boundArguments.blocks.length === 0)
      return { values: values && getMemberValues(member, values) };
    let foundValues: Value;
    for (const definition of boundArguments.blocks) foundValues = runFunctionBody(definition, [], scope, { items });
    return { values: foundValues };
  },
  filterItems(call) {
    const { blocks, switches } = call.boundArguments;
    for (const definition of blocks) runFunctionBody(definition, [], call.scope, { items: [undefined] });
    const { listing, values } = call.flow;
    // If there is no listing to filter, assume that every value matches.
    if (!listing) return { values };
    const [property, value] = [getTexts(call, "FilterScript")[0], getTexts(call, "Value")[0]];
    const name = describeFilter(blocks[0], [property && joinText(property), value && joinText(value)], switches);
    if (name !== undefined)
      return { values: listEntries({ ...listing, names: [name] }), listing: { ...listing, names: [name] } };
    if (!selectsFewFiles(blocks[0], switches)) return { values, listing };
    return { values: listSelectedFiles(listing), listing: { ...listing, isFiltered: true } };
  },
  setVariable(call) {
    const values = getTexts(call, "Value");
    for (const name of getTexts(call, "Name")) assignVariable(call.scope, getVariableKey(joinText(name)), values);
  },
  setAlias(call) {
    const [name, value] = [getTexts(call, "Name")[0], getTexts(call, "Value")[0]];
    if (name && value) getLineState(call.scope).aliases.set(joinText(name).toLowerCase(), joinText(value));
  },
  getVariable(call) {
    const values = getTexts(call, "Name").map((name) => getValue(joinText(name), call.scope));
    return { values: values.includes(undefined) ? undefined : (values as Text[][]).flat() };
  },
  /** `Get-Command Rem*-It*` returns cmdlets, which the call operator can run. */
  findCommands(call) {
    const names = getTexts(call, "Name");
    call.emit([...listFirstWords(call), ...names.map(toPlainWord)]);
    const values = names.flatMap((name): readonly Text[] => {
      const className = getKnownText(name) ?? "";
      return /[*?]/.test(className) ? findCmdletNames(className).map(createText) : [name];
    });
    return { values };
  },
  constructObject(call) {
    const [type] = getTexts(call, "TypeName");
    translateDefault(call);
    if (!type) return;
    const args = getTexts(call, "ArgumentList").map((argument): Value => [argument]);
    return { values: constructObject(joinText(type), args, { scope: call.scope, name: "" }) };
  },
  /** In the result, the name of the WMI class stands for the objects that the query returns. */
  queryObjects(call) {
    translateDefault(call);
    const values = getTexts(call, "ClassName", "Query");
    return { values: values.map((text) => createText(`${WMI_PREFIX}${joinText(text)}`)) };
  },
  /** A method call on `Win32_Process` runs its argument as a command line. */
  launchProcess(call) {
    translateDefault(call);
    if (getTexts(call, "ClassName").some((text) => /process$/i.test(joinText(text))))
      for (const line of getTexts(call, "Arguments"))
        call.scope.reader.readForeign("cmd", joinText(line), createInnerScope(call.scope));
  },
};

/** Returns the value of a member for each object, as `% FullName` and `% Trim` do. */
function getMemberValues(name: string, values: readonly Text[]): Value {
  if (PATH_PROPERTY.test(name)) return values;
  const results = values.map((value) => callTextMethod(name, [value], [])?.[0]);
  return results.includes(undefined) ? undefined : (results as Text[]);
}

export function translateCmdlet(call: CmdletCall): PipelineFlow {
  const drive = isSet(call, "WhatIf") ? undefined : translateDriveCall(call);
  if (drive) return drive;
  const translator = TRANSLATORS[call.cmdlet.translator ?? ""] ?? translateDefault;
  const result = isSet(call, "WhatIf") ? call.emit(["echo", ...getPaths(call)]) : translator(call);
  return { isPiped: true, values: undefined, ...result };
}
