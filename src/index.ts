// This file contains only re-exports, so that a bundler can drop modules that a hook doesn't import.
export type { AnyEvent, EventBase, EventName, EventOf, Events } from "./protocol/event.ts";
export type { Concerns } from "./protocol/concerns.ts";
export { defineHook } from "./protocol/hook.ts";
export type {
  FailurePolicy,
  Handler,
  Hook,
  HookContext,
  HookMeta,
  HookResult,
  NoOptions,
  RuleTerms,
} from "./protocol/hook.ts";
export type {
  AddedRule,
  CallConditions,
  CallRule,
  CallRuleKind,
  FileAccessName,
  Rule,
  RuleAction,
  RuleEffect,
  RuleException,
  RuleOrigin,
  RulePolicy,
} from "./protocol/rule.ts";
export type { OutputOf, Schema } from "./protocol/schema.ts";
export { commands, commandsIn, mentions, shellLine } from "./shell/index.ts";
export { shellCall } from "./protocol/shell-call.ts";
export { readMethodOption } from "./shell/programs/requests.ts";
export type { UrlRequest } from "./shell/programs/requests.ts";
export { urlCalls } from "./author/kit/url-calls.ts";
export { urlPattern } from "./protocol/url-pattern.ts";
export { callNames } from "./protocol/tool.ts";
export { argumentPattern } from "./shell/words/pattern.ts";
export { foldConstants, listJoinedStrings } from "./shell/code/constants.ts";
export { listReplacedFiles } from "./shell/files/files.ts";
export type { FileUse } from "./shell/files/operands.ts";
export {
  DEEP_REMOVAL,
  getTargetFolder,
  isDryRunOfRemoval,
  listOperands,
  listRemovedWords,
} from "./shell/files/removed-paths.ts";
export { listScriptFiles } from "./shell/files/script-files.ts";
export { listPipeSources } from "./shell/runs/pipe-sources.ts";
export { readEnvironment, resolveWord, stripAllWildcards } from "./shell/words/values.ts";
export type { ShellFolders, WordValue } from "./shell/words/values.ts";
export { wildcardPattern } from "./shell/words/wildcard.ts";
export { isInterpreter, knownOptions, optionKind, runsPackages, takesPattern } from "./shell/programs/index.ts";
export { listProgramNames, mayBeWord } from "./shell/programs/names.ts";
export { listPossibleCommands } from "./shell/runs/possible-commands.ts";
export type { ValueKind } from "./shell/programs/options.ts";
export { withoutExclusions } from "./shell/programs/exclusions.ts";
export { isExcludedTest, readFindArguments } from "./shell/programs/find-arguments.ts";
export type { FindArguments, FindStep } from "./shell/programs/find-arguments.ts";
export { readGitArguments } from "./shell/programs/git-arguments.ts";
export type { GitArguments } from "./shell/programs/git-arguments.ts";
export type { Command, PatchedFile, Redirect, ShellCall, ShellLine } from "./shell/index.ts";
export { allow, ask, context, deny, modify, modifyOutput, warn } from "./protocol/response.ts";
export type { IHookResponse, InputPatch } from "./protocol/response.ts";
export { homedir } from "./system/home.ts";
export { findProgram, systemProgram } from "./hosts/find-program.ts";
export { comparablePath } from "./author/kit/comparable-path.ts";
export { fileCommands } from "./author/kit/file-commands.ts";
export { git } from "./author/kit/git.ts";
export type { Commit, FileSelection, HoldingCommits, Repository, UncommittedFile } from "./author/kit/git.ts";
export { guarded } from "./author/kit/guarded.ts";
export type { Guarded } from "./author/kit/guarded.ts";
export { guardedConcerns } from "./author/kit/guarded-concerns.ts";
export { paths } from "./author/kit/paths.ts";
export type { PathUse } from "./author/kit/paths.ts";
export { realPath } from "./author/kit/real-path.ts";
export { fromCommand } from "./author/kit/script.ts";
export type { CommandMeta } from "./author/kit/script.ts";
export { replaceCommand } from "./author/kit/replace-command.ts";
export type { CommandMatch, CommandReplacement } from "./author/kit/replace-command.ts";
export { secrets } from "./author/kit/secrets.ts";
export type { Secret } from "./author/kit/secrets.ts";
export { state } from "./author/kit/state.ts";
export type { Json, State } from "./author/kit/state.ts";
export type * from "./protocol/tool.ts";
export { run } from "./call/library.ts";
export type { HandlerMap, RunOptions } from "./call/library.ts";
