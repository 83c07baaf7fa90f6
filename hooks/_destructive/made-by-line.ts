import type { Command } from "bridge-hooks";
import { CONTAINER_PROGRAM, listMountedFolders } from "./container-places.ts";
import { splitArguments } from "./given-options.ts";
import { getTextBefore, isAndChain } from "./git-saves.ts";
import type { LineContext } from "./line-context.ts";
import { listOptionValues } from "./product-conditions.ts";

/** Subcommands that create an object and fail if its name is taken. */
const CREATION_SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  createdb: /^/,
  docker: /^(?:run|create)$/,
  podman: /^(?:run|create)$/,
  nerdctl: /^(?:run|create)$/,
  kind: /^create$/,
  k3d: /^create$/,
  kubectl: /^create$/,
  multipass: /^launch$/,
  lxc: /^(?:launch|init)$/,
  incus: /^(?:launch|create)$/,
};
/** Maps programs that delete objects to the programs that create them, if the names differ. */
const CREATION_PROGRAMS: Readonly<Record<string, string>> = { dropdb: "createdb" };
/** Options that don't affect which objects are deleted. */
const PLAIN_OPTION =
  /^(?:--name(?:=.*)?|-y|--yes|-q|--quiet|-f|--force|--wait(?:=.*)?|--now|--if-exists|--ignore-not-found(?:=.*)?)$/;

/**
 * Whether a command only affects objects that the same shell command created, including containers that it started, as
 * in `kind create cluster --name x && … && kind delete cluster --name x`.
 */
export function onlyAffectsCreations(command: Command, context: LineContext): boolean {
  const precedingCommands = context.commands.slice(0, context.commands.indexOf(command));
  const isInside = command.via.some((name) => CONTAINER_PROGRAM.test(name));
  const outerCommand = isInside
    ? precedingCommands.findLast(
        ({ program, via }) => CONTAINER_PROGRAM.test(program) && via.length < command.via.length,
      )
    : command;
  if (!outerCommand || outerCommand.more || !isAndChain(getTextBefore(outerCommand, context))) return false;
  const creatingProgram = CREATION_PROGRAMS[outerCommand.program] ?? outerCommand.program;
  const verb = Object.hasOwn(CREATION_SUBCOMMANDS, creatingProgram) ? CREATION_SUBCOMMANDS[creatingProgram] : undefined;
  if (!verb) return false;
  const creators = precedingCommands.filter(
    ({ program, args }) => program === creatingProgram && args.some((arg) => verb.test(arg)),
  );
  return CONTAINER_PROGRAM.test(creatingProgram)
    ? affectsOnlyCreatedContainers(outerCommand, creators)
    : creators.some((candidate) => deletesCreatedObject(outerCommand, candidate));
}

/** Whether the creating command contains every name in the deleting command and has the same `--name`. */
function deletesCreatedObject({ program, args }: Command, creator: Command): boolean {
  const [words, options] = [args.filter((arg) => !arg.startsWith("-")), args.filter((arg) => arg.startsWith("-"))];
  const names = program in CREATION_PROGRAMS ? words : words.slice(1);
  return (
    names.length > 0 &&
    names.every((name) => creator.args.includes(name)) &&
    options.every((option) => PLAIN_OPTION.test(option)) &&
    listOptionValues(creator, ["--name"]).every((name) => args.some((arg) => arg === name || arg === `--name=${name}`))
  );
}

/** Whether a command only affects containers that the shell command created without mounts. */
function affectsOnlyCreatedContainers(command: Command, creators: readonly Command[]): boolean {
  const [verb = { text: "" }, ...objectNames] = splitArguments(command).operands;
  if (!/^(?:exec|rm|kill|stop)$/.test(verb.text) || objectNames.length === 0) return false;
  const unmounted = creators.filter((candidate) => listMountedFolders(candidate)?.length === 0);
  const names = unmounted.flatMap((candidate) => listOptionValues(candidate, ["--name"]));
  return (verb.text === "exec" ? objectNames.slice(0, 1) : objectNames).every(({ text }) => names.includes(text));
}
