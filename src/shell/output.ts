import type { Word } from "./word.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** Text with the escapes that `echo -e` and `printf` know. */
const unescapePrinted = (text: string) =>
  text.replace(/\\(?:x([\da-fA-F]{1,2})|0?([0-7]{1,3})|([^]))/g, (all, hex, octal, letter) =>
    hex
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : octal
        ? String.fromCharCode(Number.parseInt(octal, 8))
        : (ESCAPES[letter] ?? all),
  );

/** What a command prints, given what it reads, with what is only known when it runs as it is written; nothing where that isn't known. */
export function predictOutput(program: string, args: readonly Word[], stdin: string | undefined): string | undefined {
  const texts = args.map(({ text }) => text);
  switch (program) {
    case "echo":
      return formatEcho(texts);
    case "printf":
      return formatPrintf(texts[0] === "--" ? texts.slice(1) : texts);
    case "cat":
      return texts.every((text) => text === "-" || /^-[AbeEnstTuv]+$/.test(text)) ? stdin : undefined;
    case "tee":
      return stdin;
    case "base64":
      return stdin !== undefined && texts.some((text) => ["-d", "-D", "--decode"].includes(text))
        ? decodeBase64(stdin)
        : undefined;
    case "true":
    case ":":
    case "cd":
    case "export":
    case "sleep":
      return "";
    case "crontab":
      // What is there already is none of this line's doing.
      return texts.includes("-l") ? "" : undefined;
    case "which":
    case "command":
      // A path that ends in the name: the name will do.
      return program === "which" || texts[0] === "-v" ? `${texts.at(-1)}\n` : undefined;
    default:
      return undefined;
  }
}

function formatEcho(texts: readonly string[]): string {
  let at = 0;
  while (/^-[neE]+$/.test(texts[at] ?? "")) at++;
  const options = texts.slice(0, at).join("");
  const text = `${texts.slice(at).join(" ")}${options.includes("n") ? "" : "\n"}`;
  return options.includes("e") ? unescapePrinted(text) : text;
}

/** More than this is no script. */
const LONGEST = 131_072;

/** A format with nothing but `%s`, `%b` and `%%`, used again as long as there are arguments. */
function formatPrintf([format = "", ...args]: readonly string[]): string | undefined {
  if (/%(?![sb%])/.test(format)) return undefined;
  let text = "";
  let at = 0;
  do {
    text += unescapePrinted(format).replace(/%([sb%])/g, (_, kind) =>
      kind === "%" ? "%" : kind === "b" ? unescapePrinted(args[at++] ?? "") : (args[at++] ?? ""),
    );
    if (text.length > LONGEST) return undefined;
  } while (at > 0 && at < args.length);
  return text;
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/\s+/g, ""));
  } catch {
    return undefined;
  }
}
