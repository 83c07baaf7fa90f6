import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "./home.ts";
import { dirname } from "node:path";
import type { Hook } from "../core/hook.ts";
import { keysOf, type Schema } from "../core/schema.ts";
import { limited } from "./limit.ts";
import { type ConfigSource, configSources, frozen, type Options } from "./settings.ts";

/** What such a file says. */
interface Config extends ConfigSource {
  hooks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The hooks that weaker files have no say in. */
  locked: readonly string[] | true;
  /** Folders of projects whose files may say everything; `~` and wildcards are fine. */
  trusted: readonly string[];
}

/** Set on an object it would give it other properties, which no check of its own sees. */
const PROTOTYPE = "__proto__";

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Bytes of such a file. */
const LARGEST = 1_000_000;

/** The text of a plain file: a pipe or a device, which a link may lead to, would be waited for. */
function textOf(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error("it is no plain file");
    if (found.size > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** @throws Error naming the file and the place in it. */
async function read({ scope, path }: ConfigSource): Promise<Config | undefined> {
  // Most are not there, and an error costs more than a look.
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  let text: string;
  try {
    text = textOf(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`${path} can't be read (${message})`);
  }
  const wrong = (what: string) => new Error(`${path}: ${what}`);
  // A write that broke off leaves one: it must not unlock what was locked.
  if (text.trim() === "") throw wrong("it is empty; write {} or delete it");
  let document: unknown;
  try {
    document = Bun.JSONC.parse(text);
  } catch (error) {
    // Loaded for the message alone.
    const { line, column, said } = (await import("./syntax.ts")).syntaxError(text) ?? {
      line: 1,
      column: 1,
      said: (error as Error).message,
    };
    throw new Error(`${path}:${line}:${column}: it does not parse (${said}); write JSON, comments are fine`);
  }
  if (!isObject(document)) throw wrong("it is no JSON object");
  const { $schema: _, hooks = {}, locked = [], trusted = [], ...rest } = document;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrong(`${unknown}: there is no such setting; known: hooks, locked, trusted`);
  if (!isObject(hooks)) throw wrong("hooks: this has to be an object, with the settings of each hook by its name");
  for (const [name, settings] of Object.entries(hooks)) {
    if (!isObject(settings)) throw wrong(`hooks.${name}: this has to be an object`);
    if (name === PROTOTYPE || Object.hasOwn(settings, PROTOTYPE)) throw wrong(`hooks: ${PROTOTYPE} is no name`);
  }
  const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((one) => typeof one === "string");
  if (locked !== true && !isTexts(locked)) throw wrong("locked: this has to be true, or a list of hooks' names");
  if (!isTexts(trusted)) throw wrong("trusted: this has to be a list of folders");
  if (scope === "project" && trusted.length > 0) throw wrong("trusted: a project can't trust itself; say it in your own file");
  return { scope, path, hooks: hooks as Config["hooks"], locked, trusted };
}

/**
 * The hooks that a config file speaks of.
 * @throws Error when it can't be read as what it is.
 */
export async function namesIn(source: ConfigSource): Promise<string[]> {
  const { hooks = {}, locked = [] } = (await read(source)) ?? {};
  return [...new Set([...Object.keys(hooks), ...(locked === true ? [] : locked)])];
}

/** Whether one of the folders is the one that a file lies in, whatever links lead there. */
function isTrusted(file: string, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  const folder = realpathSync(dirname(file)).replaceAll("\\", "/");
  return folders.some((glob) => new Bun.Glob(glob.replace(/^~(?=\/|$)/, homedir()).replaceAll("\\", "/")).match(folder));
}

/** What the files say of one hook, and which of them says it. */
export interface Settings {
  values: Readonly<Record<string, unknown>>;
  /** By setting. */
  from: Readonly<Record<string, ConfigSource>>;
  /** Settings of the project that don't count, since nobody trusts it. */
  ignored: readonly string[];
  /** The file that keeps weaker ones out. */
  lock?: ConfigSource;
}

type Reader = (source: ConfigSource) => Promise<Config | undefined>;

/** The config files for a folder. All hooks of a call share it: each file is read once. */
export interface ConfigFiles {
  sources: readonly ConfigSource[];
  read: Reader;
}

export function configFiles(cwd: string): ConfigFiles {
  const known = new Map<string, Promise<Config | undefined>>();
  return {
    sources: configSources(cwd),
    read(source) {
      let config = known.get(source.path);
      if (!config) known.set(source.path, (config = read(source)));
      return config;
    },
  };
}

/** Who is asked first whether somebody is locked out; a project locks nobody out. */
const LOCKING = ["managed", "user"] as const;

/** The files that count for a hook, the strongest first. One that is locked out is not even read: nothing that it says may break the hook. */
async function counted(name: string, sources: readonly ConfigSource[], read: Reader): Promise<{ configs: Config[]; lock?: Config }> {
  const configs: Config[] = [];
  for (const scope of LOCKING) {
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

/**
 * The settings of a hook: managed over project over user, each by itself. Where a file locks the hook, what weaker files say
 * of it does not count; a user's lock keeps the project out.
 * @param trusted_options the settings that count in a project's file only where a stronger or the user's file trusts its folder.
 * @throws Error when a file that counts can't be read as what it is.
 */
export async function settingsFor(
  name: string,
  sources: readonly ConfigSource[],
  trusted_options: readonly string[] = [],
  reader: Reader = read,
): Promise<Settings> {
  const { configs, lock } = await counted(name, sources, reader);
  const values: Record<string, unknown> = Object.create(null);
  const from: Record<string, ConfigSource> = Object.create(null);
  const ignored: string[] = [];
  const trusted = configs.flatMap((config) => config.trusted);
  for (const { scope, path, hooks } of configs) {
    const said = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
    for (const key in said) {
      if (Object.hasOwn(values, key)) continue;
      if (scope === "project" && trusted_options.includes(key) && !isTrusted(path, trusted)) {
        ignored.push(key);
        continue;
      }
      values[key] = said[key];
      from[key] = { scope, path };
    }
  }
  return { values: { ...values }, from: { ...from }, ignored, ...(lock && { lock: { scope: lock.scope, path: lock.path } }) };
}

/** What was validated last: a resident process asks again only when a file says something else. */
const validated = new WeakMap<Hook, { said: string; options: unknown }>();

const NONE = Object.freeze({});

/**
 * The options of a hook in a folder, as its schema gives them. A project's file that is wrong counts for nothing: else it could
 * have a hook fail that lets calls pass then.
 * @param ms for the schema, at most.
 * @throws Error naming the file and the place in it.
 */
export async function optionsOf(hook: Hook, name: string, files: ConfigFiles, ms: number): Promise<Options> {
  if (!hook.options) return { options: NONE };
  try {
    return { options: await optionsFrom(hook, name, files, ms) };
  } catch (error) {
    const others = { ...files, sources: files.sources.filter(({ scope }) => scope !== "project") };
    return { options: await optionsFrom(hook, name, others, ms), problem: (error as Error).message };
  }
}

async function optionsFrom(hook: Hook, name: string, { sources, read }: ConfigFiles, ms: number): Promise<unknown> {
  const settings = await settingsFor(name, sources, hook.trusted_options, read);
  const said = JSON.stringify(settings.values);
  const known = validated.get(hook);
  if (known?.said === said) return known.options;
  const options = frozen(await limited(() => fitOptions(name, hook.options as Schema, settings, sources), ms));
  validated.set(hook, { said, options });
  return options;
}

/** @throws Error with the first thing that is wrong. */
export async function fitOptions<T>(...asked: Parameters<typeof checkedOptions<T>>): Promise<T> {
  const { options, wrong } = await checkedOptions(...asked);
  if (wrong.length > 0) throw new Error(wrong[0]);
  return options as T;
}

/** Settings as the schema gives them, or what is wrong with them: each with its file and the place in it. */
export async function checkedOptions<T>(
  name: string,
  schema: Schema<T>,
  { values, from }: Pick<Settings, "values" | "from">,
  sources: readonly ConfigSource[] = [],
): Promise<{ options: T | undefined; wrong: readonly string[] }> {
  const result = await schema["~standard"].validate(values);
  const strange = await strangeIn(name, schema, values);
  if (!result.issues && strange.length === 0) return { options: result.value, wrong: [] };
  const wrong = (result.issues ?? []).flatMap(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
    // A strict schema says it, too.
    if (strange.length > 0 && (keys.length === 0 || strange.some(({ key }) => key === keys[0]))) return [];
    const place = ["hooks", name, ...keys].join(".");
    const file = from[keys[0] ?? ""]?.path ?? Object.values(from)[0]?.path;
    return [file ? `${file}: ${place}: ${message}` : `${place}: ${message}; set it in ${sources.at(-1)?.path ?? "the options"}`];
  });
  const named = strange.map(({ key, message }) => `${from[key] ? `${from[key].path}: ` : ""}${message}`);
  return { options: undefined, wrong: [...named, ...wrong] };
}

/** More of a kind are not told. */
const MOST_TOLD = 20;

/** Settings that the schema tells it has not: most schemas drop them, and what was meant would not hold. */
async function strangeIn(name: string, schema: Schema, values: Settings["values"]): Promise<{ key: string; message: string }[]> {
  const keys = keysOf(schema);
  const strange = keys ? Object.keys(values).filter((key) => !keys.includes(key)) : [];
  if (!keys || strange.length === 0) return [];
  const { hint } = await import("../core/near.ts");
  const known = keys.length > 0 ? `; known: ${keys.join(", ")}` : "; it has none";
  return strange
    .slice(0, MOST_TOLD)
    .map((key) => ({ key, message: `hooks.${name}.${key}: there is no such setting${hint(key, keys) || known}` }));
}
