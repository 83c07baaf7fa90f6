import type { Command } from "bridge-hooks";
import { readdirSync } from "bridge-hooks/files";
import { splitArguments } from "./given-options.ts";
import type { LineContext } from "./line-context.ts";
import type { OperandFinder } from "./place-finder.ts";
import { resolveOperandPath } from "./places.ts";

type Condition = (command: Command, context: LineContext) => boolean;

/** Lists the known values of an option, whether given as `-p x`, `-px`, `--name x`, or `--name=x`. */
export function listOptionValues({ args, dynamic }: Command, names: readonly string[]): string[] {
  const optionValues: string[] = [];
  for (const [at, arg] of args.entries())
    for (const name of names) {
      const nextArgument = args[at + 1];
      if (arg === name && nextArgument !== undefined && dynamic[at + 1] === undefined) optionValues.push(nextArgument);
      else if (dynamic[at] !== undefined) continue;
      else if (arg.startsWith(`${name}=`)) optionValues.push(arg.slice(name.length + 1));
      else if (name.length === 2 && arg.startsWith(name) && arg.length > 2) optionValues.push(arg.slice(2));
    }
  return optionValues;
}

/** Subcommands that only change a program's local settings. */
const LOCAL_SUBCOMMAND =
  /^(?:context|config|auth|apikey|profile|cache|configure|account|completion|plugin|extension)s?$/;

/** Whether a command changes the product and not just local settings. */
const changesProduct: Condition = (command) => !LOCAL_SUBCOMMAND.test(splitArguments(command).operands[0]?.text ?? "");

const TEST_NAME = /(?:^|[._/-])(?:tests?|testing|testdb|ci|e2e|spec)(?:[._/-]|$)/i;

/**
 * Whether Compose uses a project that isn't a test project. The project's name decides. If no name is given, every
 * Compose file must be a test file, because files that are combined use the same volumes.
 */
const isOutsideTestProject: Condition = (command) => {
  const { args, env } = command;
  const precedingContext = {
    ...command,
    args: args.slice(
      0,
      args.findIndex((arg) => /^(?:down|rm)$/.test(arg)),
    ),
  };
  const name = listOptionValues(precedingContext, ["-p", "--project-name"]).at(-1) ?? env["COMPOSE_PROJECT_NAME"];
  if (name !== undefined) return !TEST_NAME.test(name);
  const isNamed = precedingContext.args.some((arg) => /^(?:-p|--project-name)/.test(arg));
  const count = precedingContext.args.filter((arg) => /^(?:-f|--file)/.test(arg)).length;
  const files =
    count === 0 ? (env["COMPOSE_FILE"]?.split(":") ?? []) : listOptionValues(precedingContext, ["-f", "--file"]);
  const isTest = files.length > 0 && files.length >= count && files.every((file) => TEST_NAME.test(file));
  return isNamed || !isTest;
};

/** Options that set how many backups to keep, such as `--keep-last 1` or `-d 7`. */
const KEEP_OPTION =
  /^(?:--keep-(?:last|hourly|daily|weekly|monthly|quarterly|yearly|minutely|secondly)|-[lHdwmy])(?:=|$)/;

/** Whether the options keep only one backup in total and delete all others. */
const keepsOnlyOneBackup: Condition = ({ args, dynamic }) => {
  if (args.some((arg) => /^--keep-(?:within|tag|exclude)/.test(arg))) return false;
  let count = 0;
  for (const [at, arg] of args.entries()) {
    if (!KEEP_OPTION.test(arg)) continue;
    const hasAttachedValue = arg.includes("=");
    if (dynamic[hasAttachedValue ? at : at + 1] !== undefined) return false;
    const number = Number(hasAttachedValue ? arg.slice(arg.indexOf("=") + 1) : args[at + 1]);
    // The value -1 keeps all backups.
    count += number < 0 ? Infinity : number;
  }
  return count === 1;
};

/** Whether a secret is deleted and nothing later in the shell command recreates it. */
const deletesSecret: Condition = (command, { commands }) =>
  !commands
    .slice(commands.indexOf(command))
    .some(({ args }) => args.some((arg) => /^(?:create|apply|replace)$/.test(arg)));

/** Programs that print the manifests of a whole application. */
const MANIFEST_PROGRAM = /^(?:kustomize|helm|helmfile|ytt|jsonnet|cdk8s|kompose|timoni|cue)$/;
const MANIFEST_FILE = /\.(?:ya?ml|json)$|^https?:|^-$/;

/** Returns a directory of manifests, or "-" for manifests that another program prints. */
const findManifests: OperandFinder = (_, command, { commands }) =>
  listOptionValues(command, ["-f", "--filename"]).find((file) =>
    file === "-"
      ? command.stdin === undefined &&
        commands
          .slice(0, commands.indexOf(command))
          .some(({ program, args }) => MANIFEST_PROGRAM.test(program) || args.includes("kustomize"))
      : !MANIFEST_FILE.test(file),
  );

/** Returns a local directory that is empty, or whose name suggests that it is empty. */
const findEmptySource: OperandFinder = ([source], command, context) => {
  if (source === undefined || source.text.includes(":")) return undefined;
  if (/(?:^|[\\/])empty(?:[-_]?(?:dir|folder))?[\\/]?$/i.test(source.text)) return source.text;
  const target = resolveOperandPath(source, command, context);
  return target && !target.remote && isEmptyFolder(target.path) ? source.text : undefined;
};
function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** Programs that run a command on many machines. */
const FLEET_PROGRAM = /^(?:salt|salt-ssh|ansible|pdsh|clush|dsh|pssh|parallel-ssh|bolt|knife|pyinfra)$/;

/** Whether the command deletes files other than temporary ones on many machines. */
const deletesOnManyMachines: Condition = ({ via, args }) =>
  via.some((wrapper) => FLEET_PROGRAM.test(wrapper)) &&
  args.some((arg) => /^[/~](?!(?:var\/)?(?:tmp|cache)\/.)/.test(arg));

/** Directories on a phone that contain user data. */
const USER_DATA =
  /^\/(?:sdcard|storage\/emulated\/0|data\/media\/0)\/?(?:\*|$|(?:DCIM|Pictures|Movies|Music|Download|Documents|Recordings|Android)(?:\/|$))|^\/data(?:\/(?:data|app|media|user)(?:\/|$)|\/?\*?$)/;

/** Whether the command deletes files on a phone. */
const deletesOnDevice: Condition = ({ via, args }) => via.includes("adb") && args.some((arg) => USER_DATA.test(arg));

/** Conditions about individual products, for use in patterns. */
export const PRODUCT_CONDITIONS: Readonly<Record<string, Condition>> = {
  changesProduct,
  /**
   * Whether the shell command contains the program's full name. A path such as `./scripts/*.sh` could be any program.
   */
  isNamed: ({ guessed }) => guessed !== true,
  /** Whether Hadoop deletes recursively. `-rm` doesn't count as `-r`, because Hadoop parses it as a single option. */
  isRecursive: ({ args }) => args.some((arg) => /^-(?:r|R|skipTrash)$/.test(arg)),
  outsideTestProject: isOutsideTestProject,
  keepsOnlyOneBackup,
  deletesOnManyMachines,
  deletesOnDevice,
  deletesSecret,
};

const createValueFinder =
  (names: readonly string[], value: RegExp): OperandFinder =>
  (_, command) =>
    listOptionValues(command, names).find((optionValue) => value.test(optionValue));

/** Returns the object that an Ansible ad hoc task removes; undefined for a dry run. */
const findRemovedObject: OperandFinder = (operands, command, context) =>
  command.args.some((arg) => /^(?:-C|--check)$/.test(arg))
    ? undefined
    : createValueFinder(["-a", "--args"], /\bstate=["']?absent\b/)(operands, command, context);

const CORE_PACKAGE =
  /^(?:libc6|libc-bin|glibc|systemd|systemd-sysv|bash|coreutils|util-linux|sudo|python3|python3-minimal|python|dpkg|apt|rpm|dnf|yum|pacman|login|passwd|filesystem|base|grub2?|grub-pc|grub-efi-amd64|shim-signed|linux|linux-lts|linux-generic|linux-image-(?:generic|amd64)|kernel|kernel-core)$/;

/** Sets about individual products, for use in patterns. */
export const PRODUCT_SETS = {
  absent: { words: ["absent"], find: findRemovedObject },
  /** The mode in which Azure Resource Manager deletes resources missing from the template. */
  complete: { words: ["complete"], find: createValueFinder(["--mode"], /^complete$/i) },
  manifests: { find: findManifests },
  hollow: { find: findEmptySource },
  /** A lifecycle rule that makes S3 delete all objects in a bucket within a few days. */
  expiry: {
    words: ["expiration"],
    find: createValueFinder(
      ["--lifecycle-configuration"],
      /^(?![^]*"Prefix"\s*:\s*"[^"])[^]*"Expiration"\s*:\s*\{\s*"Days"\s*:\s*[1-7]\s*[,}]/,
    ),
  },
  /** A record that a Route 53 change deletes, unless it only proves domain ownership. */
  record: {
    words: ["delete"],
    find: createValueFinder(["--change-batch"], /^(?![^]*_acme-challenge)[^]*"Action"\s*:\s*"DELETE"/i),
  },
  pruned: {
    words: ["--prune"],
    find: (_, { args }) => args.find((arg) => /^--prune(?:=true)?$/.test(arg)),
  },
  /** Packages that other packages or the boot process require. */
  core: { find: (operands) => operands.find(({ text }) => CORE_PACKAGE.test(text))?.text },
  /** A replica count of zero. */
  none: { find: createValueFinder(["--replicas"], /^0+$/) },
  /** A Kafka retention setting that deletes nearly all messages. */
  hardly: {
    words: ["retention"],
    find: createValueFinder(["--add-config"], /\bretention\.(?:ms|bytes)=\d{1,4}(?!\d)/),
  },
  production: { words: ["prod", "live"], find: createValueFinder(["-t", "--target"], /^(?:prod|live)/i) },
} satisfies Readonly<Record<string, { words?: readonly string[]; find: OperandFinder }>>;
