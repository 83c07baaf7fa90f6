import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "../system/home.ts";
import { dirname } from "node:path";
import type { Hook } from "../protocol/hook.ts";
import { listSchemaKeys, type Schema } from "../protocol/schema.ts";
import { runLimited } from "./limit.ts";
import { lookOnce } from "../system/looks.ts";
import { type ConfigScope, type ConfigSource, listConfigSources, freezeDeep, type LoadedOptions } from "./settings.ts";
import { isObject } from "../protocol/object.ts";

/** The content of a config file. */
export interface ParsedConfig extends ConfigSource {
  /** Settings by hook name; each value has to be an object. */
  hooks: Readonly<Record<string, unknown>>;
  /** Rules that are added or set, by id; undefined where the file has none. Each value has to be an object. */
  rules: Readonly<Record<string, unknown>> | undefined;
  /** Exceptions from rules; each has to be an object. */
  exceptions: readonly unknown[] | undefined;
  /** What weaker files can't set: hooks, settings (`hook/setting`) and rules (`rules/git/*`). */
  locked: readonly string[] | true;
  /** Directories of projects whose files may set every option; `~` and wildcards are allowed. */
  trusted: readonly string[];
}

/** Assigning this key would change an object's prototype, which no schema checks. */
const PROTOTYPE_KEY = "__proto__";

export const isStringList = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((one) => typeof one === "string");

/** Maximum size of a config file in bytes. */
const MAX_CONFIG_BYTES = 1_000_000;

/** Reads a regular file; reading a pipe or a device, which a link may point to, could block. */
function readRegularFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error("it is not a regular file");
    if (found.size > MAX_CONFIG_BYTES) throw new Error(`it has more than ${MAX_CONFIG_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Parses JSON that may have comments. Without them, the engine's own parser takes half the time. */
function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Bun.JSONC.parse(text);
  }
}

/**
 * The object in a config file; undefined if the file does not exist.
 * @throws Error naming the file and the position in it.
 */
export async function readConfigDocument({ path }: ConfigSource): Promise<Record<string, unknown> | undefined> {
  const text = lookOnce(`text ${path}`, () => readConfigText(path));
  return text === undefined ? undefined : parseConfigText(path, text);
}

/** The text of a config file; undefined if the file does not exist. */
function readConfigText(path: string): string | undefined {
  // Most of these files do not exist, and an exception costs more than a stat.
  return statSync(path, { throwIfNoEntry: false }) ? readPresentText(path) : undefined;
}

function readPresentText(path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`${path} can't be read (${message})`);
  }
}

/**
 * The text of a config file that was there just now. Calls that a resident process has read at the same time share it,
 * and what reads their settings does, too.
 * @throws Error naming the file if it can't be read.
 */
export const readSharedConfig = (path: string): string | undefined =>
  lookOnce(`text ${path}`, () => readPresentText(path));

/** @throws Error naming the file and the position in it. */
export async function parseConfigText(path: string, text: string): Promise<Record<string, unknown>> {
  // An interrupted write leaves an empty file: it must not unlock what was locked.
  if (text.trim() === "") throw new Error(`${path}: it is empty; write {} or delete it`);
  let document: unknown;
  try {
    document = parseJsonc(text);
  } catch (error) {
    // Loaded only to build the message.
    const { line, column, said } = (await import("./syntax.ts")).findSyntaxError(text) ?? {
      line: 1,
      column: 1,
      said: (error as Error).message,
    };
    throw new Error(`${path}:${line}:${column}: not valid JSON (${said}); comments are allowed`);
  }
  if (!isObject(document)) throw new Error(`${path}: not a JSON object`);
  if (document.hooks !== undefined && !isObject(document.hooks))
    throw new Error(`${path}: hooks: must be an object, with the settings of each hook by its name`);
  return document;
}

/**
 * Reads what this executable understands of a config file. Unknown keys, e.g. of a newer version, are ignored here and
 * reported by `list` and `doctor`. An invalid `locked` locks everything: a mistake must not unlock anything.
 */
async function readConfig(source: ConfigSource): Promise<ParsedConfig | undefined> {
  const document = await readConfigDocument(source);
  return document && interpretConfig(source, document);
}

/** What this executable understands of a config file's object. */
export function interpretConfig(source: ConfigSource, document: Readonly<Record<string, unknown>>): ParsedConfig {
  const { hooks = {}, rules, exceptions, locked = [], trusted } = document;
  return {
    ...source,
    hooks: hooks as ParsedConfig["hooks"],
    rules: isObject(rules) ? rules : undefined,
    exceptions: Array.isArray(exceptions) ? exceptions : undefined,
    locked: isStringList(locked) ? locked : locked === false ? [] : true,
    // A project can't trust itself.
    trusted: source.scope !== "project" && isStringList(trusted) ? trusted : [],
  };
}

/** Whether a config file is in one of the directories, links resolved. */
export function isTrusted(file: string, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  const folder = resolveFolder(dirname(file));
  return folders.some((glob) => matchesFolder(folder, glob));
}

/** Whether a directory is one that a glob names, or below it, links resolved. */
export function isInside(folder: string, glob: string): boolean {
  for (let at = resolveFolder(folder); ; at = dirname(at)) {
    if (matchesFolder(at, glob)) return true;
    if (dirname(at) === at) return false;
  }
}

function resolveFolder(folder: string): string {
  try {
    return realpathSync(folder).replaceAll("\\", "/");
  } catch {
    return folder.replaceAll("\\", "/");
  }
}

const matchesFolder = (folder: string, glob: string) =>
  new Bun.Glob(glob.replace(/^~(?=\/|$)/, homedir()).replaceAll("\\", "/")).match(folder);

/** The merged settings of one hook, and the file that each comes from. */
export interface HookSettings {
  values: Readonly<Record<string, unknown>>;
  /** Source file by setting. */
  sources: Readonly<Record<string, ConfigSource>>;
  /** Settings of the project that are ignored, because the project is not trusted. */
  ignored: readonly string[];
  /** Settings of weaker files that are ignored, because a stronger one locks them: where each stands, and who locks it. */
  lockedOut?: readonly { key: string; file: string; by: string }[];
  /** The file that locks the hook. */
  lock?: ConfigSource;
}

type ConfigReader = (source: ConfigSource) => Promise<ParsedConfig | undefined>;

/** The config files for a directory, shared by all hooks of a call: each file is read once. */
export interface ConfigFiles {
  sources: readonly ConfigSource[];
  read: ConfigReader;
}

export function openConfigFiles(cwd: string, sources: readonly ConfigSource[] = listConfigSources(cwd)): ConfigFiles {
  const known = new Map<string, Promise<ParsedConfig | undefined>>();
  return {
    sources,
    read(source) {
      let config = known.get(source.path);
      if (!config) known.set(source.path, (config = readConfig(source)));
      return config;
    },
  };
}

/** The scopes that may lock a hook, in the order in which they are asked; a project can't. */
const LOCKING_SCOPES = ["managed", "user"] as const;

/**
 * The files that apply to a hook, strongest first. Files that are locked out are not even read, so that they can't
 * break the hook.
 */
async function readApplicableConfigs(
  name: string,
  sources: readonly ConfigSource[],
  read: ConfigReader,
): Promise<{ configs: ParsedConfig[]; lock?: ParsedConfig }> {
  const configs: ParsedConfig[] = [];
  for (const scope of LOCKING_SCOPES) {
    const source = sources.find((one) => one.scope === scope);
    const config = source && (await read(source));
    if (config) configs.push(config);
    if (config?.locked === true || config?.locked.includes(name)) return { configs, lock: config };
  }
  const project = sources.find(({ scope }) => scope === "project");
  const config = project && (await read(project));
  if (config) configs.splice(configs[0]?.scope === "managed" ? 1 : 0, 0, config);
  return { configs };
}

/** Whether a file keeps those of a scope from setting an option. */
const locksSetting = ({ scope, locked }: ParsedConfig, weaker: ConfigScope, hook: string, key: string): boolean =>
  (scope === "managed" || (scope === "user" && weaker === "project")) &&
  scope !== weaker &&
  locked !== true &&
  locked.includes(`${hook}/${key}`);

/**
 * Merges the settings of a hook, key by key: managed over project over user. If a file locks the hook, weaker files are
 * ignored; a user's lock excludes the project.
 * @param hook `trustedOptions`: settings that a project's file may only set if the managed or the user's file trusts its
 * directory; `additiveOptions`: lists that add up.
 * @throws Error when a file that applies can't be read or has the wrong shape.
 */
export async function mergeSettings(
  name: string,
  sources: readonly ConfigSource[],
  { trustedOptions = [], additiveOptions = [] }: Pick<Hook, "trustedOptions" | "additiveOptions"> = {},
  reader: ConfigReader = readConfig,
): Promise<HookSettings> {
  const { configs, lock } = await readApplicableConfigs(name, sources, reader);
  const values: Record<string, unknown> = Object.create(null);
  const from: Record<string, ConfigSource> = Object.create(null);
  const ignored: string[] = [];
  const lockedOut: { key: string; file: string; by: string }[] = [];
  const trusted = configs.flatMap((config) => config.trusted);
  for (const { scope, path, hooks } of configs) {
    const configured = Object.hasOwn(hooks, name) ? hooks[name] : {};
    if (!isObject(configured)) throw new Error(`${path}: hooks.${name}: must be an object`);
    for (const key in configured) {
      const isAdded = Object.hasOwn(values, key) && additiveOptions.includes(key);
      if (key === PROTOTYPE_KEY || (Object.hasOwn(values, key) && !isAdded)) continue;
      const locking = configs.find((config) => locksSetting(config, scope, name, key));
      if (locking) {
        lockedOut.push({ key, file: path, by: locking.path });
        continue;
      }
      if (scope === "project" && trustedOptions.includes(key) && !isTrusted(path, trusted)) {
        ignored.push(key);
        continue;
      }
      const [known, given] = [values[key], configured[key]];
      if (isAdded && Array.isArray(known) && Array.isArray(given)) {
        values[key] = [...known, ...given];
        continue;
      }
      // What is not a list is left for the schema to refuse.
      if (isAdded && !Array.isArray(known)) continue;
      values[key] = given;
      from[key] = { scope, path };
    }
  }
  return {
    values: { ...values },
    sources: { ...from },
    ignored,
    ...(lockedOut.length > 0 && { lockedOut }),
    ...(lock && { lock: { scope: lock.scope, path: lock.path } }),
  };
}

/** The last validated options of each hook: a resident process validates again only when the settings change. */
const validatedOptions = new WeakMap<Hook, { said: string; options: unknown }>();

const EMPTY_OPTIONS = Object.freeze({});

/**
 * The validated options of a hook in a directory. An invalid project file is ignored as a whole: otherwise a project
 * could make a hook fail, and let calls pass if the hook's policy is to allow then.
 * @param ms time limit for the schema.
 * @throws Error naming the file and the position in it.
 */
export async function readOptionsOf(hook: Hook, name: string, files: ConfigFiles, ms: number): Promise<LoadedOptions> {
  if (!hook.options) return { options: EMPTY_OPTIONS };
  try {
    return { options: await validateSettings(hook, name, files, ms) };
  } catch (error) {
    const others = { ...files, sources: files.sources.filter(({ scope }) => scope !== "project") };
    return { options: await validateSettings(hook, name, others, ms), problem: (error as Error).message };
  }
}

async function validateSettings(
  hook: Hook,
  name: string,
  { sources, read }: ConfigFiles,
  ms: number,
): Promise<unknown> {
  const settings = await mergeSettings(name, sources, hook, read);
  const serialized = JSON.stringify(settings.values);
  const known = validatedOptions.get(hook);
  if (known?.said === serialized) return known.options;
  const options = freezeDeep(
    await runLimited(() => parseHookOptions(name, hook.options as Schema, settings, sources), ms),
  );
  validatedOptions.set(hook, { said: serialized, options });
  return options;
}

/** @throws Error with the first problem. */
export async function parseHookOptions<T>(...asked: Parameters<typeof validateHookOptions<T>>): Promise<T> {
  const { options, wrong } = await validateHookOptions(...asked);
  if (wrong.length > 0) throw new Error(wrong[0]);
  return options as T;
}

/** Validates settings with a hook's schema. Each problem names its file and the position in it. */
export async function validateHookOptions<T>(
  name: string,
  schema: Schema<T>,
  { values, sources: from }: Pick<HookSettings, "values" | "sources">,
  sources: readonly ConfigSource[] = [],
): Promise<{
  options: T | undefined;
  wrong: readonly string[];
  /** Ignored: a newer hook may have them. */ unknown: readonly string[];
}> {
  const keys = listSchemaKeys(schema);
  const unknown = keys ? Object.keys(values).filter((key) => !keys.includes(key)) : [];
  const known =
    unknown.length === 0
      ? values
      : Object.fromEntries(Object.entries(values).filter(([key]) => !unknown.includes(key)));
  const result = await schema["~standard"].validate(known);
  if (!result.issues) return { options: result.value, wrong: [], unknown };
  const wrong = result.issues.map(({ message, path = [] }) => {
    const parts = path.map((part) => String(typeof part === "object" ? part.key : part));
    const place = ["hooks", name, ...parts].join(".");
    const file = from[parts[0] ?? ""]?.path ?? Object.values(from)[0]?.path;
    return file
      ? `${file}: ${place}: ${message}`
      : `${place}: ${message}; set it in ${sources.at(-1)?.path ?? "the options"}`;
  });
  return { options: undefined, wrong, unknown };
}
