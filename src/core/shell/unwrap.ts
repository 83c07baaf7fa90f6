import { nameOf, optionsAt, type Wrapper, wrapperOf } from "./programs.ts";
import { folderAt } from "./folder.ts";
import type { Scope } from "./reader.ts";
import type { Word } from "./words.ts";

/** A command as it is behind what only runs it. */
export interface Unwrapped {
  words: readonly Word[];
  via: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
  more: boolean;
  remote: boolean;
  guessed: boolean;
}

/** A place where a command may begin, and what was read before it. */
interface Place extends Omit<Unwrapped, "words"> {
  at: number;
}

/** More readings than these are not worth having: each unknown option makes at most one. */
const MOST = 16;

/**
 * The command that words stand for: `sudo -u me nice rm x` is `rm x`. Where an option isn't known here, it may take the
 * next word as its value or not: so there may be several, and all but the first are guesses.
 */
export function unwrap(words: readonly Word[], scope: Scope): Unwrapped[] {
  const texts = words.map(({ text }) => text);
  const found: Unwrapped[] = [];
  const seen = new Set<number>();
  const places: Place[] = [{ at: 0, via: scope.via, env: {}, cwd: scope.cwd, more: false, remote: scope.remote, guessed: false }];
  for (let place = places.shift(); place && found.length < MOST; place = places.shift()) {
    if (seen.has(place.at)) continue;
    seen.add(place.at);
    const { at, ...rest } = place;
    const name = nameOf(texts[at] as string);
    const wrapper = words[at]?.dynamic === undefined ? wrapperOf(name) : undefined;
    const next = wrapper ? behind(texts, place, name, wrapper) : [];
    if (next.length === 0) found.push({ ...rest, words: words.slice(at) });
    // What is all expansion may become nothing: then the command is the next word's.
    if (words[at]?.vanishing) {
      const first = words.findIndex(({ vanishing }, index) => index > at && !vanishing);
      if (first > 0) next.push({ ...place, at: first, guessed: true });
    }
    places.unshift(...next);
  }
  return found;
}

/** Where the command of a wrapper may begin; nowhere if it runs none. */
function behind(texts: readonly string[], place: Place, name: string, wrapper: Wrapper): Place[] {
  let at = place.at + 1;
  if (wrapper.after !== undefined) {
    at = texts.indexOf(wrapper.after, at) + 1;
    if (at === 0) return [];
  }
  const base = {
    ...place,
    via: [...place.via, name],
    more: place.more || wrapper.more === true,
    remote: place.remote || wrapper.remote === true,
  };
  const found: Place[] = [];
  const unread: Place[] = [{ ...base, at }];
  for (let start = unread.pop(); start && found.length < MOST; start = unread.pop()) {
    const end = pastOptions(texts, start, wrapper, unread);
    if (!end) return [];
    end.at += wrapper.operands ?? 0;
    for (; end.at < texts.length - 1 && /^[A-Za-z_]\w*\+?=/.test(texts[end.at] as string); end.at++) {
      const [, key = "", value = ""] = /^(\w+)\+?=([^]*)$/.exec(texts[end.at] as string) ?? [];
      end.env = { ...end.env, [key]: value };
    }
    if (end.at < texts.length && !found.some((one) => one.at === end.at)) found.push(end);
  }
  return found;
}

/** Reads over the options at a place. Where one isn't known, the reading with a value for it is left to be read. */
function pastOptions(texts: readonly string[], start: Place, { options, idle, folder }: Wrapper, unread: Place[]): Place | undefined {
  const place = { ...start };
  while (texts[place.at]?.startsWith("-")) {
    if (texts[place.at] === "--") {
      place.at++;
      break;
    }
    const read = optionsAt(texts, place.at, options);
    if (read.some(({ name }) => idle?.includes(name))) return undefined;
    for (const { name, value } of read) if (value !== undefined && folder?.includes(name)) place.cwd = folderAt(place.cwd, value);
    if (read.some(({ known }) => !known) && unread.length < MOST) unread.push({ ...place, at: place.at + 2, guessed: true });
    place.at += Math.max(1, ...read.map(({ words }) => words));
  }
  return place;
}
