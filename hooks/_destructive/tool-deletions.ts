import type { Command } from "bridge-hooks";
import { isTestDatabase } from "./statements.ts";
import { type Arguments, type CalledTool, createToolCommand, splitName } from "./tool-calls.ts";

/** Kinds of objects that hold data or can't be recreated. */
const DATA_OBJECT_KINDS =
  "repository|repo|database|db|namespace|cluster|volume|bucket|disk|filesystem|backup|keyspace|dataset";
const OWNER_KINDS =
  "project|organization|organisation|org|workspace|account|user|customer|tenant|team|instance|server|vm|machine|droplet|snapshot|app|application|site|website|domain|zone|environment|service|stack|space|vault|channel|queue|branch";
const DELETING_VERBS = "delete|destroy|purge|wipe|erase|drop|nuke|terminate|deprovision|decommission";
/** Destructive verbs in tool names, and the kinds of objects they must act on. */
const DESTRUCTIVE_VERBS: readonly { verbs: RegExp; kinds: RegExp }[] = [
  { verbs: new RegExp(`^(?:${DELETING_VERBS})$`), kinds: new RegExp(`^(?:${DATA_OBJECT_KINDS}|${OWNER_KINDS})$`) },
  { verbs: /^(?:remove|rm|empty|clear|prune|truncate)$/, kinds: new RegExp(`^(?:${DATA_OBJECT_KINDS})$`) },
  { verbs: /^reset$/, kinds: /^(?:database|db|cluster)$/ },
];
/** Words that change the meaning of the verb after them, as in `list_delete_markers` or `undo_delete_project`. */
const HARMLESS_VERB =
  /^(?:list|get|show|find|search|create|add|update|set|restore|recover|undo|preview|plan|simulate|validate|check|can|soft|mcp)$/;
/**
 * Prepositions that end the object's name, as in `delete_project_by_id`. After `from`, the tool only removes something
 * from a group.
 */
const PREPOSITION = /^(?:by|with|in|on|and|if|via|using)$/;
const GROUP_PREPOSITION = /^(?:from|of|for|to|as)$/;
/** Generic words for an object in tool names. An argument specifies the kind of object. */
const GENERIC_OBJECT_WORD = /^(?:resource|object|item|entity|thing|entry|record)$/;
/** Names of arguments that specify the kind of object or the verb. */
export const KIND_ARGUMENT = /^(?:resource_?)?(?:type|kind)$|^resource$/i;
const VERB_ARGUMENT = /^(?:action|operation|method|command|verb|mode)$/i;
const INFRASTRUCTURE_WORD = /^(?:terraform|tofu|opentofu|pulumi|cdk|sst|stack|infra|cloudformation|terragrunt)$/;
const MAIN_BRANCH = /^(?:main|master|production|prod|develop|trunk)$/;
const NAME_ARGUMENT = /name|database|^db$|project|^id$|branch/i;

const toSingular = (word: string): string => word.replace(/ies$/, "y").replace(/(?<![su])s$/, "");

const MAX_ARGUMENTS = 20;
const MAX_VALUE_LENGTH = 100;

const SECRET_ARGUMENT = /token|secret|passw|credential|api_?key/i;

/** Formats a call's arguments as options such as `--owner=me`, leaving out secrets. */
const listOptions = (input: Arguments): string[] =>
  Object.entries(input)
    .filter(([name, value]) => /^(?:string|number|boolean)$/.test(typeof value) && !SECRET_ARGUMENT.test(name))
    .slice(0, MAX_ARGUMENTS)
    .map(([name, value]) => `--${name}=${String(value).slice(0, MAX_VALUE_LENGTH)}`);

const readOptions = (args: readonly string[]): [name: string, value: string][] =>
  args.flatMap((arg) => {
    const [, name, value] = /^--([^=]+)=(.*)$/s.exec(arg) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });

/** Returns the command that represents a call to a deleting tool. */
export function listDeletionCommands(called: CalledTool): Command[] {
  const toolCommand = createToolCommand(called, listOptions(called.callArguments));
  return findDeletedKind(toolCommand) === undefined ? [] : [toolCommand];
}

/**
 * Returns the kind of object that a tool's command deletes, such as `a repository` for `mcp__github__delete_repository
 * --repo=shop`; undefined for less important objects and for test databases.
 */
export function findDeletedKind({ program, args }: Command): string | undefined {
  const [, server = "", ...rest] = program.split("__");
  const options = readOptions(args);
  if (options.some(([name, value]) => /^(?:dry_?run|preview)$/i.test(name) && value === "true")) return undefined;
  const valueOf = (pattern: RegExp) => options.find(([name]) => pattern.test(name))?.[1].toLowerCase();
  const words = splitName(rest.join("__"));
  const verbs = splitName(valueOf(VERB_ARGUMENT) ?? "").slice(0, 1);
  const isDestructive =
    options.some(([name, value]) => /^(?:is_?)?destroy$/i.test(name) && value === "true") ||
    ((words.at(-1) === "destroy" || verbs[0] === "destroy") &&
      [...splitName(server), ...words].some((word) => INFRASTRUCTURE_WORD.test(word)));
  if (isDestructive) return "a stack";
  for (const { verbs: isVerb, kinds } of DESTRUCTIVE_VERBS) {
    const object = findObject(words, isVerb) ?? (verbs.some((verb) => isVerb.test(verb)) ? words.at(-1) : undefined);
    if (object === undefined) continue;
    const objectKind = toSingular(object);
    const kind = GENERIC_OBJECT_WORD.test(objectKind) ? toSingular(valueOf(KIND_ARGUMENT) ?? "") : objectKind;
    if (!kinds.test(kind)) continue;
    const names = options.filter(([name]) => NAME_ARGUMENT.test(name)).map(([, value]) => value);
    if (kind === "branch" && !names.some((name) => MAIN_BRANCH.test(name))) continue;
    return names.some(isTestDatabase) ? undefined : `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind}`;
  }
  return undefined;
}

/** Returns the object of the verb in a tool name, such as `project` in `delete_project_by_id` and `project_delete`. */
function findObject(words: readonly string[], isVerb: RegExp): string | undefined {
  const at = words.findIndex((word) => isVerb.test(word));
  if (at < 0 || words.slice(0, at).some((word) => HARMLESS_VERB.test(word))) return undefined;
  const followingWords = words.slice(at + 1);
  if (followingWords.some((word) => GROUP_PREPOSITION.test(word) || word === "mcp")) return undefined;
  const end = followingWords.findIndex((word) => PREPOSITION.test(word));
  return (end < 0 ? followingWords : followingWords.slice(0, end)).at(-1) ?? words[at - 1];
}
