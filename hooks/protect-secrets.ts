import { defineHook, deny, type ToolCall } from "bridge-hooks";
import { name } from "./_programs.ts";
import { type Command, commands, mentions } from "./_shell.ts";

/** Endings of `.env.` files that are meant to be shared. */
const TEMPLATES = new Set(["example", "sample", "template", "dist", "defaults"]);
const KEYS = new Set(["pem", "key", "p12", "pfx", "jks", "keystore", "ppk"]);
const NAMES = new Set([
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  "id_ecdsa_sk",
  "id_ed25519_sk",
  ".netrc",
  ".pgpass",
  ".git-credentials",
  ".htpasswd",
]);
const PATHS = [".aws/credentials", ".kube/config", ".docker/config.json", ".config/gcloud/application_default_credentials.json"];

/** A command line with none of these names no file of secrets. */
const WORDS = [".env", "id_", "credentials", ".netrc", ".pgpass", ".htpasswd", ".kube", ".docker", ...[...KEYS].map((key) => `.${key}`)];

/** Programs that only say or look up a name, not what is in the file. */
const HARMLESS = new Set(["echo", "printf", "ls", "stat", "test", "[", "[[", "type", "basename", "dirname", "realpath"]);
const HARMLESS_GIT = new Set(["check-ignore", "status", "ls-files", "log"]);
/** Programs whose first operand is a pattern or a program, not a file. */
const PATTERN_FIRST = new Set(["grep", "egrep", "fgrep", "rg", "ag", "jq", "yq", "sed", "awk"]);
/** Options whose value is no file. */
const TEXT_OPTIONS = new Set([
  "-m",
  "--message",
  "--title",
  "--body",
  "-e",
  "-name",
  "-iname",
  "-path",
  "--exclude",
  "--include",
  "-g",
  "--glob",
]);

/** Whether a path is a file of secrets. A text with a space in what would be its name is none. */
function isSecret(path: string): boolean {
  const plain = path.replaceAll("\\", "/").toLowerCase();
  const file = plain.slice(plain.lastIndexOf("/") + 1);
  if (file.includes(" ")) return false;
  if (file === ".env" || NAMES.has(file)) return true;
  if (file.startsWith(".env.")) return !TEMPLATES.has(file.slice(5));
  const dot = file.lastIndexOf(".");
  return (dot > 0 && KEYS.has(file.slice(dot + 1))) || PATHS.some((secret) => plain === secret || plain.endsWith(`/${secret}`));
}

/** The words of a command that may be files. */
function operands({ words: [program = "", ...args] }: Command): string[] {
  const tool = name(program);
  if (HARMLESS.has(tool)) return [];
  if (
    tool === "git" &&
    (HARMLESS_GIT.has(args[0] ?? "") || (args[0] === "grep" && args.length === 2) || (args[0] === "rm" && args.includes("--cached")))
  )
    return [];
  const rest: string[] = [];
  let pattern = PATTERN_FIRST.has(tool) || (tool === "git" && args[0] === "grep");
  for (let i = tool === "git" ? 1 : 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (TEXT_OPTIONS.has(arg)) {
      i++;
      pattern &&= arg !== "-e";
    } else if (/^--(exclude|include|glob|message|title|body)=/.test(arg)) continue;
    else if (pattern && !arg.startsWith("-")) pattern = false;
    else rest.push(arg);
  }
  return rest;
}

/** The parts of a shell word that may be paths: `@.env`, `file=.env`, `host:.env`. */
const pathsIn = (word: string) => [word, ...word.split("=").flatMap((part) => part.split(":").flatMap((rest) => rest.split("@")))];

/** The first secret that a call would read, change or send. */
function secretOf(call: ToolCall): string | undefined {
  switch (call.tool) {
    case "Read":
    case "Write":
      return [call.input.file_path].find(isSecret);
    case "Edit":
      return call.input.files.flatMap(({ file_path, moved_to }) => [file_path, ...(moved_to ? [moved_to] : [])]).find(isSecret);
    case "Grep":
      return [call.input.path, call.input.glob].find((path) => path !== undefined && isSecret(path));
    case "Bash":
      if (!mentions(call.input.command, WORDS)) return undefined;
      return commands(call.input.command)
        .flatMap((command) => [...command.files, ...operands(command).flatMap(pathsIn)])
        .find(isSecret);
    case "MCP":
      return Object.values(call.input.arguments).find((value): value is string => typeof value === "string" && isSecret(value));
    default:
      return undefined;
  }
}

/**
 * Keeps `.env` files, private keys and credential files out of an agent's reach: reading, writing and editing them, naming
 * them in a shell command, and passing them to an MCP tool.
 *
 * It goes by names. It does not see a secret through a wildcard (`cat .e*`), a variable, a link with another name, or a
 * program that finds the file by itself; and it does not look into files.
 */
export default defineHook({
  description: "Keeps files with secrets out of reach",
  event: ["PreToolUse", "PermissionRequest"],
  onError: "deny",
  handler(event) {
    const secret = secretOf(event);
    return secret === undefined
      ? undefined
      : deny(`Blocked: ${secret} holds secrets. Ask the user for what you need from it, or use a template such as .env.example.`);
  },
});
