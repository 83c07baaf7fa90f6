const repeatPart = (count: number, part: (at: number) => string, between = " ") =>
  Array.from({ length: count }, (_, at) => part(at)).join(between);

interface OrdinaryLine {
  /** How many parts make up a long but still ordinary command line of 2 to 12 kB. */
  count: number;
  line: (count: number) => string;
}

/** Shell commands of the kind agents write, with the given number of words, commands or assignments. */
export const ORDINARY_LINES: Readonly<Record<string, OrdinaryLine>> = {
  "rm, paths": { count: 400, line: (count) => `rm ${repeatPart(count, (at) => `src/components/file-${at}.test.ts`)}` },
  "rm -rf, quoted paths": {
    count: 300,
    line: (count) => `rm -rf ${repeatPart(count, (at) => `"build/out/part ${at}"`)}`,
  },
  "mv, paths into a folder": {
    count: 300,
    line: (count) => `mv ${repeatPart(count, (at) => `src/file-${at}.ts`)} lib/`,
  },
  "git add, paths": {
    count: 300,
    line: (count) => `git add ${repeatPart(count, (at) => `src/components/file-${at}.ts`)}`,
  },
  "npm install, packages": {
    count: 200,
    line: (count) => `npm install ${repeatPart(count, (at) => `@scope/package-${at}@1.2.${at}`)}`,
  },
  "commands behind &&": {
    count: 100,
    line: (count) => repeatPart(count, (at) => `mkdir -p a${at} && touch a${at}/x`, " && "),
  },
  "commands, one a line": { count: 100, line: (count) => repeatPart(count, (at) => `rm -f build/a${at}.o`, "\n") },
  "copies, one a line": {
    count: 100,
    line: (count) => repeatPart(count, (at) => `cp src/img-${at}.png dist/img-${at}.png`, "\n"),
  },
  "commits, one a line": {
    count: 60,
    line: (count) => repeatPart(count, (at) => `git add src/file-${at}.ts && git commit -qm "change ${at}"`, "\n"),
  },
  pipelines: {
    count: 100,
    line: (count) => repeatPart(count, (at) => `grep -rn foo${at} src | head -n 5 | sort`, "\n"),
  },
  conditions: {
    count: 100,
    line: (count) => repeatPart(count, (at) => `if [ ! -d "$ROOT/d${at}" ]; then mkdir -p "$ROOT/d${at}"; fi`, "\n"),
  },
  substitutions: { count: 100, line: (count) => repeatPart(count, (at) => `x${at}=$(git rev-parse HEAD~${at})`, "\n") },
  "variables, each made of one": {
    count: 80,
    line: (count) => `A0=x; ${repeatPart(count, (at) => `B${at}=$A0/y${at}`, "; ")}; rm "$B${count - 1}"`,
  },
  "a loop over paths": {
    count: 60,
    line: (count) =>
      `for f in ${repeatPart(count, (at) => `src/components/file-${at}.ts`)}; do cp "$f" "out/$f"; rm "$f"; done`,
  },
  "a loop over folders": {
    count: 60,
    line: (count) =>
      `for d in ${repeatPart(count, (at) => `packages/part-${at}`)}; do (cd $d && cp .npmrc.example npmrc && rm -f x); done`,
  },
  "find, tests": {
    count: 150,
    line: (count) => `find . -type f \\( ${repeatPart(count, (at) => `-name "*.tmp${at}"`, " -o ")} \\) -delete`,
  },
  "docker run, variables": {
    count: 60,
    line: (count) => `docker run --rm ${repeatPart(count, (at) => `-e VAR_${at}="value ${at}"`)} node:20 npm test`,
  },
  "echo, quoted texts": {
    count: 200,
    line: (count) => `echo ${repeatPart(count, (at) => `"a quoted text with $HOME ${at}"`)}`,
  },
  "curl, JSON": {
    count: 250,
    line: (count) =>
      `curl -X POST https://example.com/items -d '${JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: `item ${id}` })))}'`,
  },
  "a script in a here-document": {
    count: 150,
    line: (count) =>
      `cat > run.sh <<'EOF'\n${repeatPart(count, (at) => `if [ -f "$DIR/${at}" ]; then rm -f "$DIR/${at}"; fi`, "\n")}\nEOF\nchmod +x run.sh`,
  },
  "a text in a here-document": {
    count: 300,
    line: (count) => `cat <<EOF > out.md\n${repeatPart(count, (at) => `line ${at} of a text for $USER`, "\n")}\nEOF`,
  },
};
