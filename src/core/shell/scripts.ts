import { isShell, nameOf, optionsAt } from "./programs.ts";
import { inner, type Scope, type Value } from "./reader.ts";
import { emit } from "./emit.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";
import type { Word } from "./words.ts";

/** Words and text that a command runs besides itself. */
export function runsIn(command: Unwrapped, scope: Scope, stdin: string | undefined): void {
  const [program, ...args] = command.words;
  if (!program || program.dynamic !== undefined) return;
  const name = nameOf(program.text);
  const at = inner(scope, { via: [...command.via, name], cwd: command.cwd, remote: command.remote, stdin: undefined });
  if (isShell(name)) return shell(args, at, stdin);
  switch (name) {
    case "eval":
      // In the same shell: what it assigns and where it goes stays.
      return script(join(args), scope);
    case "source":
    case ".":
      return script(scope.reader.printed.get(args[0]?.text ?? "") ?? "", scope);
    case "trap":
    case "alias":
      for (const { text } of args) script(name === "alias" ? text.slice(text.indexOf("=") + 1) : text, at);
      return;
    case "find":
    case "fd":
    case "fdfind":
      return found(args, at);
    case "ssh":
      return remotely(args, "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:", 1, { ...at, remote: true });
    case "docker":
    case "podman":
    case "nerdctl":
    case "kubectl":
    case "oc":
      return contained(args, { ...at, remote: true });
    case "su":
    case "runuser":
    case "sg":
    case "script":
    case "flock":
      return optional(name, args, at);
    case "watch":
      return remotely(args, "bcdegptwxn:q: --interval=", 0, at);
    case "parallel":
      return parallel(args, at);
  }
}

const script = (text: string, scope: Scope) => scope.reader.script(text, scope);
const join = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
const literal = ({ text }: Word): Value => [{ text, live: false }];

/** The text that a shell runs: behind `-c`, or what it reads. */
function shell(args: readonly Word[], scope: Scope, stdin: string | undefined): void {
  const texts = args.map(({ text }) => text);
  let at = 0;
  let given = false;
  for (; /^[-+]./.test(texts[at] ?? "") && texts[at] !== "--";) {
    const read = optionsAt(texts, at, "O:o: --rcfile= --init-file= --command=");
    const command = read.find(({ name }) => name === "--command");
    if (command) return script(command.value ?? "", scope);
    given ||= texts[at]?.startsWith("-") === true && read.some(({ name }) => name === "-c");
    at += Math.max(...read.map(({ words }) => words));
  }
  if (texts[at] === "--") at++;
  if (given) return script(texts[at] ?? "", { ...scope, parameters: args.slice(at + 2).map(literal) });
  const file = scope.reader.printed.get(texts[at] ?? "");
  if (file !== undefined) return script(file, scope);
  const reads =
    at >= args.length || texts[at] === "-" || texts[at] === "/dev/stdin" || texts.slice(0, at).some((text) => /^-\w*s/.test(text));
  if (reads && stdin !== undefined) script(stdin, { ...scope, parameters: [] });
}

/** Another command that begins inside the words of one. */
function command(words: readonly Word[], scope: Scope): void {
  if (words.length === 0) return;
  for (const one of unwrap(words, scope)) {
    emit(one, words, [], {}, scope);
    runsIn(one, scope, undefined);
  }
}

const STARTS = new Set(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"]);

function found(args: readonly Word[], scope: Scope): void {
  for (let at = 0; at < args.length; at++) {
    if (!STARTS.has(args[at]?.text ?? "")) continue;
    const end = args.findIndex(({ text }, index) => index > at && (text === ";" || (text === "+" && args[index - 1]?.text === "{}")));
    const words = args.slice(at + 1, end < 0 ? undefined : end);
    command(
      words.map((word) => (word.text.includes("{}") ? { text: word.text, dynamic: word.text } : word)),
      scope,
    );
    if (end < 0) return;
    at = end;
  }
}

/** The rest of the words as one script, behind options and operands. */
function remotely(args: readonly Word[], table: string, operands: number, scope: Scope): void {
  const texts = args.map(({ text }) => text);
  let at = 0;
  for (let left = operands; at < texts.length;) {
    if (texts[at] === "--") at++;
    else if (texts[at]?.startsWith("-")) at += Math.max(1, ...optionsAt(texts, at, table).map(({ words }) => words));
    else if (left-- > 0) at++;
    else break;
  }
  if (at < args.length) script(join(args.slice(at)), { ...scope, parameters: [] });
}

const VALUED =
  "a:c:e:h:l:m:n:p:u:v:w: --add-host= --cpus= --entrypoint= --env= --env-file= --gpus= --hostname= --label= --memory= --mount= --name= --network= --net= --platform= --publish= --pull= --restart= --shm-size= --tmpfs= --user= --volume= --volumes-from= --workdir= --container= --namespace= --context=";

/** The command that runs in a container: behind `exec NAME`, `run IMAGE`, or `--`. */
function contained(args: readonly Word[], scope: Scope): void {
  const texts = args.map(({ text }) => text);
  const verb = texts.findIndex((text) => text === "exec" || text === "run");
  if (verb < 0) return;
  const dashes = texts.indexOf("--", verb);
  let at = verb + 1;
  while (texts[at]?.startsWith("-") && texts[at] !== "--") at += Math.max(1, ...optionsAt(texts, at, VALUED).map(({ words }) => words));
  command(args.slice(dashes > 0 ? dashes + 1 : at + 1), scope);
}

/** Programs that run a script behind `-c`, or the words behind their operands. */
function optional(name: string, args: readonly Word[], scope: Scope): void {
  const at = args.findIndex(({ text }) => /^-\w*c$/.test(text) || text === "--command" || text === "--session-command");
  if (at >= 0 && args[at + 1]) return script((args[at + 1] as Word).text, { ...scope, parameters: [] });
  const texts = args.map(({ text }) => text);
  if (name !== "flock" && name !== "runuser") return;
  let start = 0;
  while (texts[start]?.startsWith("-") && texts[start] !== "--")
    start += Math.max(
      1,
      ...optionsAt(texts, start, "eFnosuxE:w:g:G:u: --wait= --timeout= --conflict-exit-code= --user= --group=").map(({ words }) => words),
    );
  command(args.slice(start + (texts[start] === "--" || name === "flock" ? 1 : 0)), scope);
}

function parallel(args: readonly Word[], scope: Scope): void {
  const at = args.findIndex(({ text }) => /^:{3,4}\+?$/.test(text));
  const texts = args.map(({ text }) => text);
  let start = 0;
  while (texts[start]?.startsWith("-"))
    start += Math.max(
      1,
      ...optionsAt(texts, start, "0kmtuvX:a:C:d:I:j:L:n:N:P:S: --jobs= --arg-file= --colsep= --delimiter=").map(({ words }) => words),
    );
  const values = at < 0 ? "" : ` ${join(args.slice(at + 1))}`;
  if (start < args.length) script(join(args.slice(start, at < 0 ? undefined : at)) + values, { ...scope, parameters: [] });
}
