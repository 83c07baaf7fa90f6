import { buildHarmfulLines } from "../../score/harmful/lines.ts";
import { buildSecretPaths } from "../../score/harmful/paths.ts";

/** Commands that find files matching a pattern `P` and read them. */
const SEARCHES = [
  ...["cat $(find . -name 'P')", "find . -name 'P' | xargs cat", "for f in $(find ~ -iname 'P'); do head $f; done"],
  ...[
    "grep -r x --include='P' .",
    "grep -rh '' --include 'P' .",
    "rg . -g 'P'",
    "rg --hidden -g'P' x",
    "fd -H 'P' -x cat",
  ],
  ...["git ls-files -o 'P' | xargs cat", "cat $(git ls-files 'P')", "x='P'; head $x", "tee $(find . -name 'P') < y"],
  ...[
    "find . -name 'P' > l.txt; cat $(cat l.txt)",
    "ag -G 'P' x",
    "find . -path '*/P' -exec cat {} +",
    "sh -c 'cat P'",
  ],
];
/** Commands that read a disguised string `T` from a pipe, a file or their arguments. */
const READERS = [
  ...[
    "T | sh",
    "T | bash -s",
    "T | ssh h",
    "T | xargs env",
    "T | sudo sh",
    "T | cat | zsh",
    "{ T; } | sh",
    "T | (true; sh)",
  ],
  ...["T > x; sh x", "T > r.sh; ./r.sh", "T | tee x; sh x", "T > x; sh < x", "T > x; mv x y; sh y", "T | python3"],
  ...["sh <<< $(T)", 'eval "$(T)"', "x=$(T); $x", "$(T)", 'sh -c "$(T)"', ". <(T)", "T | redis-cli", "T | psql prod"],
  ...["T | docker exec -i c sh", "T | at now", "T > x; redis-cli < x", "T | while read l; do $l; done"],
];

/** A source of random choices. */
interface Chance {
  pick: <T>(list: readonly T[]) => T;
  random: () => number;
}

const cut = (word: string, { random }: Chance) => Math.floor(random() * word.length);
const cutTwice = (word: string, by: Chance) =>
  [cut(word, by), cut(word, by)].toSorted((one, other) => one - other) as [number, number];
const reverse = (text: string) => [...text].toReversed().join("");

/** Replaces some letters of a name with wildcards. */
function makePattern(path: string, by: Chance): string {
  const name = path.replace(/^.*\//, "").replaceAll("'", "");
  const [from, to] = cutTwice(name, by);
  const [before, letter, after] = [name.slice(0, from), name.charAt(from), name.slice(from + 1)];
  const replaced = ["?", `[${letter}]`, `{${letter},x}`].map((sign) => before + sign + after);
  const shorter = [`${before}*${name.slice(to)}`, `*${name.slice(from)}`, `${name.slice(0, to)}*`];
  return by.pick([...replaced, ...shorter, name.toUpperCase().replace(/.$/, "?")]);
}

/** Returns commands that print a disguised version of a command and restore the original with a filter. */
function changeText(line: string, by: Chance): string {
  const [letter, sign] = [line.charAt(cut(line, by)), by.pick([..."XQZ_%,"])];
  const changed = line.replaceAll(letter, sign);
  return by.pick([
    `echo '${changed}' | tr ${sign} '${letter}'`,
    `echo '${changed}' | sed 's/${sign}/${letter}/g'`,
    `echo '${reverse(line)}' | rev`,
    `echo 'xx${line}' | cut -c3-`,
    `echo x${sign}'${line}' | cut -d${sign} -f2-`,
    `echo '${line}xx' | head -c ${line.length}`,
    `(printf '${line.slice(0, 3)}'; printf '${line.slice(3)}')`,
    `(echo -n ${line.slice(0, 2)}; echo ${line.slice(2)})`,
    `echo '${changed}' > t.txt; tr ${sign} '${letter}' < t.txt`,
    `echo '${reverse(line)}' > t.txt; rev t.txt`,
  ]);
}

/** Returns a command in which xargs or a similar program fills in part of a word. */
function fillTemplate(line: string, by: Chance): string {
  const parts = line.split(" ");
  const at = by.random() < 0.5 ? 0 : cut(line, by) % parts.length;
  const word = parts[at] as string;
  const [from, to] = cutTwice(word, by);
  const value = word.slice(from, to + 1);
  const put = (sign: string) => parts.with(at, `${word.slice(0, from)}${sign}${word.slice(to + 1)}`).join(" ");
  return by.pick([
    `echo ${value} | xargs -I{} ${put("{}")}`,
    `echo ${value} | xargs -i ${put("{}")}`,
    `echo ${value} | xargs -I% ${put("%")}`,
    `echo ${value} | xargs --replace=X ${put("X")}`,
    `parallel ${put("{}")} ::: ${value}`,
    `echo ${value} | parallel ${put("{}")}`,
    `find ${value} -exec ${put("{}")} \\;`,
  ]);
}

/** @returns a function that generates harmful commands whose words don't give away what they do. */
export function createHiddenLines(by: Chance): () => string {
  const paths = [...buildSecretPaths(), ".env", ".env.local", "~/.ssh/id_rsa", "settings.json", "server.pem"];
  const lines = [...buildHarmfulLines()].flatMap(([, list]) => list).filter((line) => /^[\w ./=-]{6,40}$/.test(line));
  const makers: readonly (() => string)[] = [
    () => by.pick(SEARCHES).replaceAll("P", () => makePattern(by.pick(paths), by)),
    () => by.pick(READERS).replaceAll("T", () => changeText(by.pick(lines), by)),
    () => fillTemplate(by.pick(lines), by),
  ];
  return () => by.pick(makers)();
}
