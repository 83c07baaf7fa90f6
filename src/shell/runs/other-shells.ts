import { createNameTable } from "../words/name-table.ts";

/** A pattern for another shell's syntax, and its replacement in bash. */
type Translation = readonly [pattern: RegExp, replacement: string];

/** Short loop syntax: `for x (a b) rm $x`, `foreach x (a b); rm $x; end`. */
const SHORT_LOOPS: readonly Translation[] = [
  [
    /\b(?:for|foreach)\s{1,9}([A-Za-z_]\w{0,40})\s{0,9}\(([^()]{0,500})\)\s{0,9};?\s{0,9}([^;\n]{1,500})(?:;\s{0,9}end\b)?/g,
    "for $1 in $2; do $3; done",
  ],
];
const ZSH_TRANSLATIONS: readonly Translation[] = [
  ...SHORT_LOOPS,
  [/\$\{:-([^{}$`"'\s]{1,200})\}/g, "$1"],
  [/\$=([A-Za-z_]\w{0,40})/g, "$$$1"],
];
const FISH_TRANSLATIONS: readonly Translation[] = [
  [
    /(?<![\w-])set\s{1,9}(?:-{1,2}\w{1,20}\s{1,9}){0,4}([A-Za-z_]\w{0,40})\s{1,9}([^;\n|&\s]{1,500})(?=\s{0,9}(?:[;\n]|$))/g,
    "$1=$2",
  ],
  [/(?<=[\s=])\((?=[A-Za-z])/g, "$$("],
  [/\$argv\b/g, "$$@"],
  [/\bfunction\s{1,9}([A-Za-z_]\w{0,40})\s{0,9};([^\n]{1,500}?);\s{0,9}end\b/g, "$1() { $2; }"],
];
const CSH_TRANSLATIONS: readonly Translation[] = [
  [/(?<![\w-])set\s{1,9}([A-Za-z_]\w{0,40})\s{0,9}=\s{0,9}([^;\n|&\s]{1,500})/g, "$1=$2"],
  ...SHORT_LOOPS,
];
const NU_TRANSLATIONS: readonly Translation[] = [
  [/\bfor\s{1,9}(\w{1,40})\s{1,9}in\s{1,9}\[([^[\]]{0,500})\]\s{0,9}\{([^{}]{1,500})\}/g, "for $1 in $2; do $3; done"],
  [/\b(?:let|mut|const|var)\s{1,9}([A-Za-z_]\w{0,40})\s{0,9}=\s{0,9}([^;\n|]{1,500})/g, "$1=$2"],
  [/\bset\s{1,9}([A-Za-z_]\w{0,40})\s{0,9}=\s{0,9}([^;\n|]{1,500})/g, "$1=$2"],
  [
    /\[([^[\]]{0,500})\]\s{0,9}\|\s{0,9}each\s{0,9}\{\s{0,9}\|(\w{1,40})\|([^{}]{1,500})\}/g,
    "for $2 in $1; do $3; done",
  ],
  [
    /\bls\s{1,9}([^\s|;]{1,200})\s{0,9}\|\s{0,9}each\s{0,9}\{\s{0,9}\|(\w{1,40})\|([^{}]{1,500})\}/g,
    "for $2 in $1/*; do $3; done",
  ],
  [/(?<=\$[A-Za-z_]\w{0,40})\.name\b/g, ""],
];

const SHELL_TRANSLATIONS = createNameTable<readonly Translation[]>({
  zsh: ZSH_TRANSLATIONS,
  fish: FISH_TRANSLATIONS,
  "csh tcsh": CSH_TRANSLATIONS,
  "nu nushell elvish": NU_TRANSLATIONS,
});
const MAX_LENGTH = 10_000;

/** Translates variables and loops from another shell's syntax to bash. Returns undefined if nothing changes. */
export function translateScript(shell: string, text: string): string | undefined {
  const translations = text.length <= MAX_LENGTH ? SHELL_TRANSLATIONS.get(shell) : undefined;
  const translatedText = translations?.reduce(
    (script, [pattern, replacement]) => script.replace(pattern, replacement),
    text,
  );
  return translatedText === text ? undefined : translatedText;
}
