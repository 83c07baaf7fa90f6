import { changeFolder } from "../folder-steps.ts";
import { isLocalHost } from "../local-host.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import { splitArguments } from "../windows-arguments.ts";
import type { Word } from "../word.ts";
import { findCmdletNames } from "./cmdlets.ts";
import {
  type CmdletCall,
  createWord,
  type Flow,
  getPaths,
  getPathTexts,
  getTexts,
  getWords,
  isSet,
  type Listing,
  PATH_PARAMETERS,
} from "./cmdlet-call.ts";
import { describeChoice } from "./choices.ts";
import { presentOnDrive } from "./drives.ts";
import { createMethodContext } from "./evaluate.ts";
import { callInstanceMethod, constructObject } from "./methods.ts";
import { callTextMethod } from "./operators.ts";
import { emitProgram } from "./programs.ts";
import { getEngine, getState } from "./state.ts";
import type { FunctionBody } from "./syntax.ts";
import {
  createText,
  createUnknown,
  getKnownText,
  getValue,
  getVariableKey,
  isKnown,
  joinText,
  joinTexts,
  PATH_PROPERTY,
  type Text,
  toPathWord,
  toPathWords,
  toPlainWord,
  toProgramWord,
  type Value,
  WMI_PREFIX,
} from "./values.ts";

const NONE: Flow = { isPiped: true, values: undefined };

/** The options that a call's parameters become. */
const listOptions = (call: CmdletCall): Word[] =>
  call.cmdlet.options.flatMap(([name, option]) => {
    if (!option.endsWith(":")) return isSet(call, name) ? [createWord(option)] : [];
    return getWords(call, name).flatMap((word) => [createWord(option.slice(0, -1)), word]);
  });

/** The words that begin the equivalent of a call: its program and its options. */
const listFirstWords = (call: CmdletCall): Word[] => [...call.cmdlet.program.map(createWord), ...listOptions(call)];

/** A path that could be taken for an option stands behind `--`. */
const withDashes = (operands: readonly Word[]): readonly Word[] =>
  operands.some(({ text }) => text.startsWith("-")) ? [createWord("--"), ...operands] : operands;

/** The text that it reads: of its own parameter, or what is piped into it. */
function getInput(call: CmdletCall): string | undefined {
  const { stdin } = call.cmdlet;
  const given = stdin === undefined ? [] : getTexts(call, stdin);
  const texts = given.length > 0 ? given : call.flow.isPiped ? call.flow.values : undefined;
  return texts && texts.length > 0 ? texts.map(joinText).join("\n") : undefined;
}

/** The operands of a call; those that are piped, where it names none. */
function listOperands(call: CmdletCall): { operands: readonly Word[]; more: boolean } {
  const names = call.cmdlet.operands;
  const operands = names.flatMap((name) => getWords(call, name));
  const takesPath = names.some((name) => PATH_PARAMETERS.includes(name)) && call.cmdlet.stdin === undefined;
  if (!takesPath || !call.flow.isPiped || getPaths(call).length > 0) return { operands, more: false };
  const { values } = call.flow;
  return values ? { operands: [...operands, ...toOperands(values)], more: false } : { operands, more: true };
}

/** Presents a call by its options and operands. */
function presentPlainly(call: CmdletCall): Flow {
  // What a variable holds is written to a file, as if `echo` did.
  const { stdin } = call.cmdlet;
  const live = stdin === undefined ? [] : getTexts(call, stdin).filter((text) => !isKnown(text));
  if (live.length > 0) call.emit([createWord("echo"), ...live.map(toPlainWord)]);
  const { operands, more } = listOperands(call);
  call.emit([...listFirstWords(call), ...withDashes(operands)], { stdin: getInput(call), more });
  return NONE;
}

const toOperands = (values: Value): Word[] => values?.flatMap((text) => toPathWords(text)) ?? [];

/** What find takes for a listing. */
function listFindWords({ folders, names, kind, isChosen, isRecursive }: Listing): Word[] {
  const tests = names.flatMap((name, at) => [...(at > 0 ? ["-o"] : []), "-name", name]);
  return [
    createWord("find"),
    ...folders.map((text) => toPathWord(text)),
    ...(isRecursive ? ["-mindepth", "1"] : ["-mindepth", "1", "-maxdepth", "1"]).map(createWord),
    ...(kind ? ["-type", kind] : []).map(createWord),
    ...(names.length > 1 ? ["(", ...tests, ")"] : tests).map(createWord),
    ...(isChosen ? ["-size", "+0"] : []).map(createWord),
  ];
}

/** A listing, and the one that it is where a variable is empty: that of the current folder. */
function listReadings(listing: Listing): Listing[] {
  const isVariable = ([first, ...others]: Text) => others.length === 0 && /^\$\w+$/.test(first?.text ?? "");
  return listing.folders.some(isVariable) ? [listing, { ...listing, folders: [createText(".")] }] : [listing];
}

/** The names of what a listing has in its folders, as far as wildcards say it. */
const listEntries = ({ folders, names }: Listing): Text[] =>
  folders.flatMap((folder) =>
    (names.length > 0 ? names : ["*"]).map((name): Text => [...folder, { text: `/${name}`, live: false }]),
  );

/** Where the last part of a path begins. */
const findLastPart = (path: string): number => Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;

/** The folder and the pattern of `folder\*.log`. */
function splitPattern(text: Text): { folder: Text; name?: string } {
  const last = text.at(-1);
  const at = findLastPart(last?.text ?? "");
  const name = last?.text.slice(at) ?? "";
  if (!last || last.live || !/[*?[]/.test(name)) return { folder: text };
  // The top of a drive keeps its slash, and so does a variable that may be empty.
  const rest = last.text.slice(0, at);
  const isTop = text.length === 1 ? /^(?:[A-Za-z]:)?[\\/]$/.test(rest) : text.length === 2 && /^[\\/]$/.test(rest);
  const folder: Text = [
    ...text.slice(0, -1),
    ...(rest === "" ? [] : [{ ...last, text: isTop ? rest : rest.slice(0, -1) }]),
  ];
  return { folder: folder.length === 0 ? createText(".") : folder, name };
}

/** Runs a block of code, with what `$_` stands for, and with arguments. */
function runBlock(
  { scope }: CmdletCall,
  definition: FunctionBody,
  item: Text | undefined,
  changes?: Partial<ShellScope>,
  values: readonly Text[] = [],
): Value {
  // Blocks run in the scope around them, so that what they assign lasts.
  const at = changes ? createInnerScope(scope, changes) : scope;
  for (const key of ["_", "psitem"]) assignVariable(at, key, item && [item]);
  const args = values.map((text) => ({ type: "values" as const, texts: [text], isOption: false, source: "" }));
  return getEngine(scope).runDefinition(definition, args, at, scope);
}

/** Runs a program in a process of its own. */
function runProgram({ scope, name, given, redirects }: CmdletCall, words: readonly Word[]): void {
  emitProgram(words, given, redirects, createInnerScope(scope, { via: [...scope.via, name] }), undefined);
}

type Presenter = (call: CmdletCall) => Flow;

const PRESENTERS: Readonly<Record<string, Presenter>> = {
  remove(call) {
    const { flow } = call;
    if (getPaths(call).length > 0 || !flow.isPiped) return presentPlainly(call);
    const { listing } = flow;
    if (listing?.isRecursive || listing?.isChosen)
      for (const one of listReadings(listing)) call.emit([...listFindWords(one), createWord("-delete")]);
    else call.emit([...listFirstWords(call), ...toOperands(flow.values)], { more: flow.values === undefined });
    return NONE;
  },
  list(call) {
    const given = getPathTexts(call);
    const names = ["Filter", "Include"].flatMap((name) => getTexts(call, name)).map(joinText);
    const split = (given.length > 0 ? given : [createText(".")]).map(splitPattern);
    const isRecursive = isSet(call, "Recurse") || getTexts(call, "Depth").length > 0;
    const listing: Listing = {
      folders: split.map(({ folder }) => folder),
      names: [...names, ...split.flatMap(({ name }) => (name === undefined || name === "*" ? [] : [name]))],
      isRecursive,
      ...(isSet(call, "Directory") ? { kind: "d" } : isSet(call, "File") ? { kind: "f" } : {}),
      isChosen: false,
    };
    if (isRecursive) call.emit(listFindWords(listing));
    else
      call.emit([
        createWord("ls"),
        ...(listing.names.length > 0 ? listEntries(listing) : given).map((text) => toPathWord(text)),
      ]);
    // What is named may be a file as well.
    const files =
      listing.names.length > 0 || isRecursive ? [] : given.filter((text) => !/^(?:\.|[^.]*)$/.test(joinText(text)));
    return { isPiped: true, values: [...files, ...listEntries(listing)], listing };
  },
  pass(call) {
    presentPlainly(call);
    const values = [...getPathTexts(call), ...getTexts(call, "Name")];
    return { isPiped: true, values: values.length > 0 ? values : call.flow.values };
  },
  split(call) {
    presentPlainly(call);
    const paths = getPathTexts(call);
    const isPart = ["LeafBase", "Extension", "Qualifier", "NoQualifier"].some((name) => isSet(call, name));
    if (isPart || paths.length === 0) return NONE;
    if (!isSet(call, "Leaf"))
      return { isPiped: true, values: paths.map((text): Text => [...text, { text: "/..", live: false }]) };
    const names = paths.map((text) => getKnownText(text)?.replace(/[\\/]$/, ""));
    const values = names.flatMap((name) => (name === undefined ? [] : [createText(name.slice(findLastPart(name)))]));
    return { isPiped: true, values: values.length === paths.length ? values : undefined };
  },
  join(call) {
    const children = ["ChildPath", "AdditionalChildPath"].flatMap((name) => getTexts(call, name));
    const values = getTexts(call, "Path").map((path) => joinTexts([path, ...children], "/"));
    call.emit([createWord("echo"), ...values.map((text) => toPathWord(text))]);
    return { isPiped: true, values };
  },
  copy(call) {
    const { flow } = call;
    const sources = getPaths(call);
    const piped = sources.length === 0 && flow.isPiped;
    const from = piped ? toOperands(flow.values) : sources;
    const to = getWords(call, "Destination");
    const isRemote = ["ToSession", "FromSession"].some((name) => getTexts(call, name).length > 0);
    const first = isRemote ? [createWord("scp")] : listFirstWords(call);
    const target = isRemote && getTexts(call, "ToSession").length > 0 ? [createWord(`host:${to[0]?.text ?? ""}`)] : to;
    call.emit([...first, ...withDashes([...from, ...(target.length > 0 ? target : [createWord(".")])])], {
      more: piped && flow.values === undefined,
    });
    return NONE;
  },
  rename(call) {
    const [path = call.flow.values?.[0]] = getPathTexts(call);
    const [name = createUnknown("name")] = getTexts(call, "NewName");
    if (path === undefined) return presentPlainly(call);
    const folder = joinText(path).slice(0, findLastPart(joinText(path)));
    const target: Text = isKnown(path) && !/[\\/:]/.test(joinText(name)) ? [...createText(folder), ...name] : name;
    call.emit([...listFirstWords(call), ...withDashes([toPathWord(path), toPathWord(target, true)])]);
    return NONE;
  },
  create(call) {
    const names = getTexts(call, "Name");
    const folders = getTexts(call, "Path");
    const paths =
      names.length === 0 ? folders : names.map((name) => joinTexts([folders[0] ?? createText("."), name], "/"));
    const targets = paths.map((text) => toPathWord(text, true));
    const kind = (getKnownText(getTexts(call, "ItemType")[0]) ?? "").toLowerCase();
    const values = getTexts(call, "Value").map((text) => toPathWord(text, true));
    if (/^dir|^container/.test(kind)) call.emit([createWord("mkdir"), createWord("-p"), ...targets]);
    else if (/link$|^junction/.test(kind))
      call.emit([
        createWord("ln"),
        ...(kind.startsWith("hard") ? [] : [createWord("-s")]),
        ...(isSet(call, "Force") ? [createWord("-f")] : []),
        ...values,
        ...targets,
      ]);
    else call.emit([createWord(isSet(call, "Force") ? "tee" : "touch"), ...targets], { stdin: getInput(call) });
    return { isPiped: true, values: paths };
  },
  print(call) {
    const given = call.cmdlet.operands.flatMap((name) => getTexts(call, name));
    const values = given.length > 0 ? given : call.flow.isPiped ? call.flow.values : [];
    const words = values?.map(toPlainWord) ?? [];
    call.emit([createWord("echo"), ...words]);
    return { isPiped: true, values };
  },
  select(call) {
    const { values, listing } = call.flow;
    const isPart = ["First", "Last", "Skip", "SkipLast", "Index"].some((name) => getTexts(call, name).length > 0);
    const shown = values?.filter((text) => !isKnown(text)) ?? [];
    call.emit(
      shown.length > 0 && listing === undefined ? [createWord("echo"), ...shown.map(toPlainWord)] : [createWord("cat")],
    );
    return { isPiped: true, values, ...(listing && { listing: { ...listing, isChosen: listing.isChosen || isPart } }) };
  },
  enter(call) {
    const words = getPaths(call).map((word) => (/^[A-Za-z]:$/.test(word.text) ? createWord(`${word.text}/`) : word));
    call.emit([...listFirstWords(call), ...words]);
    if (words.length === 0 && call.name !== "set-location") call.scope.cwd = undefined;
    else changeFolder(call.scope, words);
    return NONE;
  },
  leave(call) {
    call.emit(listFirstWords(call));
    call.scope.cwd = undefined;
    return NONE;
  },
  here(call) {
    call.emit(listFirstWords(call));
    return { isPiped: true, values: [[{ text: "$PWD", live: true }]] };
  },
  start(call) {
    const program = getTexts(call, "FilePath")[0] ?? createUnknown("program");
    const rest = joinTexts(getTexts(call, "ArgumentList"), " ");
    runProgram(call, [toProgramWord(program), ...splitArguments(rest).map(toProgramWord)]);
    return NONE;
  },
  stop(call) {
    const names = getWords(call, "Name");
    if (names.length > 0) call.emit([createWord("pkill"), ...names]);
    else call.emit([...listFirstWords(call), ...getWords(call, "Id")], { more: call.flow.isPiped });
    return NONE;
  },
  service(call) {
    const { operands } = listOperands(call);
    call.emit([createWord("service"), ...operands, createWord("stop")]);
    return NONE;
  },
  evaluate(call) {
    const given = getTexts(call, "Command");
    const texts = given.length > 0 ? given : (call.flow.values ?? []);
    call.emit([createWord("eval"), ...given.map(toPlainWord)]);
    for (const text of texts) getEngine(call.scope).readPowerShell(joinText(text), call.scope);
    return NONE;
  },
  invoke(call) {
    const hosts = ["ComputerName", "HostName", "ScriptBlock", "Session", "VMName", "VMId", "ContainerId"].flatMap(
      (name) => getTexts(call, name).map(joinText),
    );
    const isRemote = hosts.some((host) => !isLocalHost(host) && !/^(?:\.|\$COMPUTERNAME)$/i.test(host));
    call.emit([
      createWord(isRemote ? "ssh" : "invoke-command"),
      ...hosts.map(createWord),
      ...getWords(call, "FilePath"),
    ]);
    const changes: Partial<ShellScope> = {
      via: [...call.scope.via, "invoke-command"],
      ...(isRemote && { remote: true, cwd: undefined }),
    };
    for (const { definition } of call.bound.blocks)
      runBlock(call, definition, undefined, changes, getTexts(call, "ArgumentList"));
    return NONE;
  },
  each(call) {
    const { listing } = call.flow;
    const values = call.bound.values.get("InputObject") ?? call.flow.values;
    const items = values && values.length <= MOST_ITEMS && !listing?.isChosen ? values : [undefined];
    const [member] = getTexts(call, "Process");
    if (member && /^delete$/i.test(joinText(member)))
      callInstanceMethod("delete", values, [], createMethodContext(call.scope, "Delete"));
    if (member && call.bound.blocks.length === 0)
      return { isPiped: true, values: values && getMemberValues(joinText(member).toLowerCase(), values) };
    let found: Value;
    for (const { definition } of call.bound.blocks) for (const item of items) found = runBlock(call, definition, item);
    return { isPiped: true, values: items.length === 1 ? found : undefined };
  },
  choose(call) {
    for (const { definition } of call.bound.blocks) runBlock(call, definition, undefined);
    const { listing, values } = call.flow;
    // It may let all of them pass.
    if (!listing) return { isPiped: true, values };
    const block = call.bound.blocks[0]?.definition;
    const name = describeChoice(
      block,
      getTexts(call, "FilterScript").map(joinText),
      getTexts(call, "Value").map(joinText),
      call.bound.switches,
    );
    const chosen = { ...listing, ...(name === undefined ? { isChosen: true } : { names: [name] }) };
    return { isPiped: true, values: name === undefined ? undefined : listEntries(chosen), listing: chosen };
  },
  variable(call) {
    const values = getTexts(call, "Value");
    for (const name of getTexts(call, "Name")) assignVariable(call.scope, getVariableKey(joinText(name)), values);
    return NONE;
  },
  alias(call) {
    const [name, value] = [getTexts(call, "Name")[0], getTexts(call, "Value")[0]];
    if (name && value) getState(call.scope).aliases.set(joinText(name).toLowerCase(), joinText(value));
    return NONE;
  },
  getVariable(call) {
    const values = getTexts(call, "Name").map((name) => getValue(joinText(name), call.scope));
    return { isPiped: true, values: values.includes(undefined) ? undefined : (values as Text[][]).flat() };
  },
  /** `Get-Command Rem*-It*`: what a call of it runs. */
  find(call) {
    const names = getTexts(call, "Name");
    call.emit([...listFirstWords(call), ...names.map(toPlainWord)]);
    const values = names.flatMap((name): readonly Text[] => {
      const known = getKnownText(name) ?? "";
      return /[*?]/.test(known) ? findCmdletNames(known).map(createText) : [name];
    });
    return { isPiped: true, values };
  },
  construct(call) {
    const [type] = getTexts(call, "TypeName");
    presentPlainly(call);
    if (!type) return NONE;
    const args = getTexts(call, "ArgumentList").map((one): Value => [one]);
    return { isPiped: true, values: constructObject(joinText(type), args, createMethodContext(call.scope, "")) };
  },
  /** What it finds stands for its class. */
  query(call) {
    presentPlainly(call);
    const values = ["ClassName", "Query"].flatMap((name) => getTexts(call, name));
    return { isPiped: true, values: values.map((text) => createText(`${WMI_PREFIX}${joinText(text)}`)) };
  },
  /** `Win32_Process` starts what it is given. */
  launch(call) {
    presentPlainly(call);
    const isStart = getTexts(call, "ClassName").some((text) => /process$/i.test(joinText(text)));
    if (isStart)
      for (const line of getTexts(call, "Arguments"))
        call.scope.reader.readForeign("cmd", joinText(line), createInnerScope(call.scope));
    return NONE;
  },
};

/** What `% FullName` and `% Trim` give. */
function getMemberValues(name: string, values: readonly Text[]): Value {
  if (PATH_PROPERTY.test(name)) return values;
  const found = values.map((value) => callTextMethod(name, [value], [])?.[0]);
  return found.includes(undefined) ? undefined : (found as Text[]);
}

/** A block runs for each of so many items; for more of them once. */
const MOST_ITEMS = 16;

/** Presents a call of a cmdlet; gives what it passes on. */
export function presentCmdlet(call: CmdletCall): Flow {
  if (isSet(call, "WhatIf")) {
    call.emit([createWord("echo"), ...getPaths(call)]);
    return NONE;
  }
  const drive = presentOnDrive(call);
  if (drive) return drive;
  const presenter = call.cmdlet.by === undefined ? undefined : PRESENTERS[call.cmdlet.by];
  return (presenter ?? presentPlainly)(call);
}
