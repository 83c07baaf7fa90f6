import { HOME_FILES, REPOSITORY_FILES, SYSTEM_FILES } from "./precious-files.ts";

/** What stands for any text in a spelled-out path. */
const ANY_TEXT = "\0";

/** Where a group ends that begins at a place. */
function findGroupEnd(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++)
    if (source[at] === "\\") at++;
    else if (source[at] === "(") depth++;
    else if (source[at] === ")" && --depth === 0) return at;
  throw new Error(`a group of /${source}/ is not closed`);
}

function splitAlternatives(source: string): string[] {
  const found = [""];
  for (let at = 0; at < source.length; at++) {
    const end = source[at] === "(" ? findGroupEnd(source, at) : source[at] === "\\" ? at + 1 : at;
    if (source[at] === "|") found.push("");
    else found[found.length - 1] += source.slice(at, end + 1);
    at = end;
  }
  return found;
}

/**
 * The texts that an expression matches, with `ANY_TEXT` for what has no end: of alternatives, optional groups and
 * `.+` alone, which is all that the expressions about files have.
 */
function spellExpression(source: string): string[] {
  return splitAlternatives(source).flatMap((alternative) => {
    let texts = [""];
    const append = (endings: readonly string[]) => {
      texts = texts.flatMap((text) => endings.map((ending) => text + ending));
    };
    for (let at = 0; at < alternative.length; at++) {
      const letter = alternative[at] as string;
      if (letter === "^" || letter === "$") continue;
      const [wildcard] = /^(?:\.|\[[^\]]*\])[+*]/.exec(alternative.slice(at)) ?? [];
      if (letter === "(") {
        const end = findGroupEnd(alternative, at);
        const inside = alternative.slice(at + 1, end);
        const isOptional = alternative[end + 1] === "?";
        if (!inside.startsWith("?!")) append([...spellExpression(inside), ...(isOptional ? [""] : [])]);
        at = isOptional ? end + 1 : end;
      } else if (wildcard !== undefined) {
        append([ANY_TEXT]);
        at += wildcard.length - 1;
      } else if (letter === "\\") append([alternative[++at] as string]);
      else if (/[\w/-]/.test(letter)) append([letter]);
      else throw new Error(`/${source}/ has a "${letter}" that can't be spelled out`);
    }
    return texts;
  });
}

/** The paths of precious files, as the rules about redirections judge them: `/etc/passwd`, `.ssh/` with any text. */
export const PRECIOUS_PATHS: readonly string[] = [SYSTEM_FILES, HOME_FILES, REPOSITORY_FILES].flatMap(({ source }) =>
  spellExpression(source).map((path) => path.replaceAll(ANY_TEXT, "*")),
);
