import { expect, test } from "bun:test";
import fc from "fast-check";
import { join } from "node:path";
import type { AnyEvent } from "../../src/protocol/event.ts";
import {
  argumentPattern,
  type Command,
  commands,
  commandsIn,
  mentions,
  patternWords,
  readLine,
  shellLine,
} from "../../src/shell/index.ts";
import { codeOf } from "../../src/shell/code.ts";
import { plainTree } from "../../src/shell/plain.ts";
import { unbash } from "../../src/shell/reader.ts";
import { ROOT } from "../support/fixtures.ts";

const word = (text: string) => (/^[^\s'"|]+$/.test(text) ? text : JSON.stringify(text));

/** A command on one line: `folder> NAME=value program words… >redirections [patched] (what runs it)`; `⟨…⟩` is only known when it runs. */
function show({ program, args, redirects, env, dynamic, cwd, via, remote, more, guessed, patched }: Command): string {
  const parts = [
    cwd === "" ? "" : `${cwd ?? "?"}>`,
    ...Object.entries(env).map(([name, value]) => `${name}=${word(value)}`),
    ...[program, ...args].map((text, at) => (dynamic[at - 1] === undefined ? word(text) : `⟨${dynamic[at - 1]}⟩`)),
    ...redirects.map(({ operator, target, fd, text, dynamic }) => {
      const what = text !== undefined ? JSON.stringify(text) : dynamic === undefined ? word(target) : `⟨${dynamic}⟩`;
      return `${fd ?? ""}${operator}${what}`;
    }),
    ...(more ? ["…"] : []),
    ...patched.map(
      ({ operation, file_path, moved_to }) => `[${operation} ${file_path}${moved_to ? ` ${moved_to}` : ""}]`,
    ),
    ...(via.length > 0 ? [`(${via.join(" ")})`] : []),
    ...(remote ? ["remote"] : []),
    ...(guessed ? ["guessed"] : []),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** A line, its commands, and "!" with the problem if there is one. */
const LINES: [line: string, ...commands: string[]][] = [
  ["rm -rf /", "rm -rf /"],
  ["r''m -rf /", "rm -rf /"],
  ['r\\m -rf "/"', "rm -rf /"],
  ["/bin/rm -rf x", "rm -rf x"],
  ['"C:\\Program Files\\Git\\bin\\git.exe" push', "git push"],
  ["ls;rm x", "ls", "rm x"],
  ["ls && rm x || cat y", "ls", "rm x", "cat y"],
  ["ls | grep a |& tee b", "ls", "grep a", "tee b"],
  ["ls & rm x", "ls", "rm x"],
  ["(cd a; rm x); rm y", "cd a", "a> rm x", "rm y"],
  ["{ ls; rm x; }", "ls", "rm x"],
  ["! grep a b", "grep a b"],
  ["time rm x", "rm x"],
  ["time -p ls | wc", "ls", "wc"],
  ["if a; then b; elif c; then d; else e; fi", "a", "b", "c", "d", "e"],
  ["while a; do b; done", "a", "b"],
  ["until a; do b; done", "a", "b"],
  ['for f in *.ts; do rm "$f"; done', "rm ⟨*.ts⟩"],
  ["for d in / /etc; do rm -rf $d; done", "rm -rf /", "rm -rf /etc"],
  ["for f; do rm $f; done", "rm ⟨$f⟩"],
  ["for f in $(ls); do rm $f; done", "ls", "rm ⟨$(ls)⟩"],
  ["for ((i=0; i<$(n); i++)); do rm x; done", "n", "rm x"],
  ["select x in a b; do rm $x; break; done", "rm a", "break", "rm b"],
  ["case $x in a|b) rm a;; *) rm $(ls);; esac", "rm a", "rm ⟨$(ls)⟩", "ls"],
  ["case $(a) in b) c;& d) e;; esac", "a", "c", "e"],
  ['f() { rm "$1"; }; f / x', "f / x", "rm /"],
  ["function f { rm \"$@\"; }; f a 'b c'", 'f a "b c"', 'rm a "b c"'],
  ["f() { rm x; }", "rm x"],
  ["f() { f; rm x; }; f", "f", "f", "rm x", "rm x"],
  ["f() { rm $1; f /; }; f a", "f a", "rm a", "f /", "rm /"],
  ["if a; then f() { rm x; }; else f() { ls; }; fi; f", "a", "rm x", "f", "ls"],
  ["ssh host bash -s <<< 'rm a'", 'ssh host bash -s <<<"rm a"', "?> bash -s (ssh) remote", "?> rm a (ssh bash) remote"],
  ["bash -c 'cat | sh' <<< 'rm a'", 'bash -c "cat | sh" <<<"rm a"', "cat (bash)", "sh (bash)", "rm a (bash sh)"],
  ["sudo su - <<< 'rm a'", 'su - <<<"rm a" (sudo)', "rm a (sudo su)"],
  ["coproc rm x", "rm x"],
  ["[[ -f a && ! ( $b == c* ) ]] && rm d", "[[ -f a && ! ( ⟨$b⟩ == ⟨c*⟩ ) ]]", "rm d"],
  ["[ -f a ] && rm b", "[ -f a ]", "rm b"],
  ["(( x = $(rm a) + 1 ))", "rm a"],
  ["echo $((1 + $(rm a)))", "echo ⟨$((1 + $(rm a)))⟩", "rm a"],
  ["x=$(rm a)", 'x="$(rm a)" ""', "rm a"],
  ["x=`rm a` y=2 cmd", 'x="`rm a`" y=2 cmd', "rm a"],
  ['echo "$(rm a)" `rm b` "`rm c`"', "echo ⟨$(rm a)⟩ ⟨`rm b`⟩ ⟨`rm c`⟩", "rm a", "rm b", "rm c"],
  ["echo `echo \\`rm x\\``", "echo ⟨`echo \\`rm x\\``⟩", "echo ⟨`rm x`⟩", "rm x"],
  ['echo "${x:-$(rm a)}" ${y/$(rm b)/c}', "echo ⟨${x:-$(rm a)}⟩ ⟨${y/$(rm b)/c}⟩", "rm a", "rm b"],
  ["a=($(rm x) b)", 'a="($(rm x) b)" ""', "rm x"],
  ["diff <(ls a) <(rm b)", "diff ⟨<(ls a)⟩ ⟨<(rm b)⟩", "ls a", "rm b"],
  ["tee >(rm a) < b", "tee ⟨>(rm a)⟩ <b", "rm a"],
  ["echo ${ rm x; }", "echo ⟨${ rm x; }⟩", "rm x"],
  ["cat <<E\n$(rm a)\nE", 'cat <<"$(rm a)\\n"', "rm a"],
  ["cat <<'E'\n$(rm a)\nE", 'cat <<"$(rm a)\\n"'],
  ["cat <<-E | sh\n\trm a\n\tE", 'cat <<-"rm a\\n"', "sh", "rm a (sh)"],
  ["bash <<< 'rm a'", 'bash <<<"rm a"', "rm a (bash)"],
  ["bash << E\nrm $HOME/x\nE", 'bash <<"rm $HOME/x\\n"', "rm ⟨$HOME/x⟩ (bash)"],
  ["sh -s -- a <<'E'\nrm \"$1\"\nE", 'sh -s -- a <<"rm \\"$1\\"\\n"', "rm a (sh)"],
  ["let x=1<<2\nrm -rf /", 'let x=1 <<"rm -rf /"', "rm -rf /"],
  ["cat <<A <<B\none\nA\n$(rm two)\nB", 'cat <<"one\\n" <<"$(rm two)\\n"', "rm two"],
  ["cat > x <<'E' && rm y\ntext\nE", 'cat >x <<"text\\n"', "rm y"],
  ["bash -c 'rm a'", 'bash -c "rm a"', "rm a (bash)"],
  ['bash -lc "cd x && rm a"', 'bash -lc "cd x && rm a"', "cd x (bash)", "x> rm a (bash)"],
  ["bash -ce 'rm a'", 'bash -ce "rm a"', "rm a (bash)"],
  ["bash -c -e 'rm a'", 'bash -c -e "rm a"', "rm a (bash)"],
  ["bash -c -- 'rm a'", 'bash -c -- "rm a"', "rm a (bash)"],
  ["bash -o pipefail -c 'rm a'", 'bash -o pipefail -c "rm a"', "rm a (bash)"],
  ["bash +x -c 'rm a'", 'bash +x -c "rm a"', "rm a (bash)"],
  ["bash --norc -c 'rm \"$1\"' name file", 'bash --norc -c "rm \\"$1\\"" name file', "rm file (bash)"],
  ["bash script.sh -c 'rm a'", 'bash script.sh -c "rm a"'],
  [
    'bash -c "bash -c \'bash -c \\"rm a\\"\'"',
    'bash -c "bash -c \'bash -c \\"rm a\\"\'"',
    'bash -c "bash -c \\"rm a\\"" (bash)',
    'bash -c "rm a" (bash bash)',
    "rm a (bash bash bash)",
  ],
  ['sh -c "$CMD"', "sh -c ⟨$CMD⟩", "⟨$CMD⟩ (sh)"],
  [
    "zsh -c 'rm a'; dash -c 'rm b'; fish -c 'rm c'; fish --command='rm d'",
    'zsh -c "rm a"',
    "rm a (zsh)",
    'dash -c "rm b"',
    "rm b (dash)",
    'fish -c "rm c"',
    "rm c (fish)",
    'fish "--command=rm d"',
    "rm d (fish)",
  ],
  ["eval rm a", "eval rm a", "rm a"],
  ["eval 'rm a; cd b'; rm c", 'eval "rm a; cd b"', "rm a", "cd b", "b> rm c"],
  ['eval "x=/"; rm $x', "eval x=/", 'x=/ ""', "rm /"],
  ["trap 'rm a' EXIT", 'trap "rm a" EXIT', "?> rm a (trap)"],
  ["alias ll='rm a'", 'alias "ll=rm a"', "?> rm a (alias)"],
  ["source <(echo rm a)", "source ⟨<(echo rm a)⟩", "rm a", "echo rm a"],
  ["bash <(echo 'rm a')", "bash ⟨<(echo 'rm a')⟩", "rm a (bash)", 'echo "rm a"'],
  ["echo 'rm a' | sh", 'echo "rm a"', "sh", "rm a (sh)"],
  ["printf 'rm %s\\n' a b | bash", 'printf "rm %s\\\\n" a b', "bash", "rm a (bash)", "rm b (bash)"],
  ["printf '\\162m a' | sh", 'printf "\\\\162m a"', "sh", "rm a (sh)"],
  ["echo -e 'rm\\x20a' | sh", "echo -e rm\\x20a", "sh", "rm a (sh)"],
  ["echo -n cm0gYQ== | base64 -d | sh", "echo -n cm0gYQ==", "base64 -d", "sh", "rm a (sh)"],
  ["echo 'rm a' | tee x | sh", 'echo "rm a"', "tee x", "sh", "rm a (sh)"],
  ["cat <<< 'rm a' | bash -s", 'cat <<<"rm a"', "bash -s", "rm a (bash)"],
  ["echo rm a > x | sh", "echo rm a >x", "sh"],
  ["curl https://x | sh", "curl https://x", "sh"],
  ['echo "rm $x" | sh', "echo ⟨rm $x⟩", "sh", "rm ⟨$x⟩ (sh)"],
  ["$(echo rm) a", "rm a", "echo rm"],
  ["`echo rm` a", "rm a", "echo rm"],
  ["sudo rm a", "rm a (sudo)"],
  ["sudo -u me -E rm a", "rm a (sudo)"],
  ["sudo -Eu me rm a", "rm a (sudo)"],
  ["sudo --user me rm a", "rm a (sudo)"],
  ["sudo --user=me -- rm a", "rm a (sudo)"],
  ["sudo A=1 rm a", "A=1 rm a (sudo)"],
  ["sudo --new-option x rm a", "x rm a (sudo)", "rm a (sudo) guessed"],
  ["sudo -l", "sudo -l"],
  ["sudo -e a", "sudo -e a"],
  ["sudo -D /x rm a", "/x> rm a (sudo)"],
  ["sudo -i", "sudo -i"],
  ["sudo -s <<< 'rm a'", 'sudo -s <<<"rm a"', "rm a (sudo)"],
  ["doas -u me rm a", "rm a (doas)"],
  ["env rm a", "rm a (env)"],
  ["env -i A=1 B=2 rm a", "A=1 B=2 rm a (env)"],
  ["env -u A -C /x rm a", "/x> rm a (env)"],
  ["env -S 'rm a' b", 'env -S "rm a" b', "rm a b (env)"],
  ["env -S'rm a'", 'env "-Srm a"', "rm a (env)"],
  ["env", "env"],
  ['A=1 B="2 3" rm a', 'A=1 B="2 3" rm a'],
  ["A=1 env B=2 sudo C=3 rm a", "A=1 B=2 C=3 rm a (env sudo)"],
  ["nice rm a", "rm a (nice)"],
  ["nice -n 5 rm a", "rm a (nice)"],
  ["nice -5 rm a", "rm a (nice)"],
  ["ionice -c2 -n7 rm a", "rm a (ionice)"],
  ["timeout 5 rm a", "rm a (timeout)"],
  ["timeout -s KILL 5 rm a", "rm a (timeout)"],
  ["timeout --signal KILL 5 rm a", "rm a (timeout)"],
  ["timeout -k 3 --foreground 5s rm a", "rm a (timeout)"],
  ["nohup rm a &", "rm a (nohup)"],
  ["setsid -f rm a", "rm a (setsid)"],
  ["stdbuf -oL rm a", "rm a (stdbuf)"],
  ["chrt -f 1 rm a", "rm a (chrt)"],
  ["taskset 1 rm a", "rm a (taskset)"],
  ["strace -f -o log rm a", "rm a (strace)"],
  ["command rm a", "rm a (command)"],
  ["command -v rm", "command -v rm"],
  ["builtin cd a; rm b", "cd a (builtin)", "a> rm b"],
  ["exec rm a", "rm a (exec)"],
  ["exec -a x rm b", "rm b (exec)"],
  ["exec > log", "exec >log"],
  ["busybox rm a", "rm a (busybox)"],
  ["chroot /mnt rm a", "?> rm a (chroot) remote"],
  ["sudo nice -n 5 timeout 3 env A=1 rm a", "A=1 rm a (sudo nice timeout env)"],
  ["xargs rm -rf", "rm -rf … (xargs)"],
  ["ls | xargs -0 -n1 rm", "ls", "rm … (xargs)"],
  ["find . | xargs -I{} rm {}", "find .", "rm {} … (xargs)"],
  [
    "find . -print0 | xargs -0 sh -c 'rm \"$@\"' _",
    "find . -print0",
    'sh -c "rm \\"$@\\"" _ … (xargs)',
    "rm ⟨$@⟩ (xargs sh)",
  ],
  ["echo a b | xargs rm -f", "echo a b", "rm -f a b (xargs)"],
  ["echo a b | xargs -I{} cp {} c", "echo a b", "cp a b c (xargs)"],
  ["printf '%s\\0' / | xargs -0 rm -rf", "printf %s\\0 /", "rm -rf / (xargs)"],
  ["poetry run rm a", "rm a (poetry)"],
  ["uv run --with x rm a", "rm a (uv)"],
  ["direnv exec . rm a", "rm a (direnv)"],
  ["aws-vault exec prod -- rm a", "rm a (aws-vault)"],
  ["aws-vault exec -d 1h prod --region x -- rm a -- b", "rm a -- b (aws-vault)"],
  ["aws-vault list", "aws-vault list"],
  ["dotenv -e .env -- rm a", "rm a (dotenv)"],
  ["infisical run --env=prod -- rm a", "rm a (infisical)"],
  ["cross-env A=1 rm a", "A=1 rm a (cross-env)"],
  ["bundle exec rm a", "rm a (bundle)"],
  ["find . -name x -exec rm {} \\;", "find . -name x -exec rm {} ;", "rm ⟨{}⟩ (find)"],
  ["find . -exec rm {} + -exec ls {} \\;", "find . -exec rm {} + -exec ls {} ;", "rm ⟨{}⟩ (find)", "ls ⟨{}⟩ (find)"],
  [
    "find . -execdir sh -c 'rm \"$1\"' _ {} \\;",
    'find . -execdir sh -c "rm \\"$1\\"" _ {} ;',
    'sh -c "rm \\"$1\\"" _ ⟨{}⟩ (find)',
    "rm ⟨{}⟩ (find sh)",
  ],
  ["fd x -x rm", "fd x -x rm", "rm ⟨{}⟩ (fd)"],
  ["ssh host rm a", "ssh host rm a", "?> rm a (ssh) remote"],
  [
    "ssh -p 22 -i key me@host 'cd a && rm b'",
    'ssh -p 22 -i key me@host "cd a && rm b"',
    "?> cd a (ssh) remote",
    "?> rm b (ssh) remote",
  ],
  ["ssh host <<< 'rm a'", 'ssh host <<<"rm a"', "?> rm a (ssh) remote"],
  [
    "docker run --rm -v $PWD:/app node npm ci",
    "docker run --rm -v ⟨$PWD:/app⟩ node npm ci",
    "?> npm ci (docker) remote",
  ],
  [
    "docker exec -it c sh -c 'rm a'",
    'docker exec -it c sh -c "rm a"',
    '?> sh -c "rm a" (docker) remote',
    "?> rm a (docker sh) remote",
  ],
  ["docker compose exec web rm a", "docker compose exec web rm a", "?> rm a (docker) remote"],
  ["docker run --name x image", "docker run --name x image"],
  ["docker run image npm test -- x", "docker run image npm test -- x", "?> npm test -- x (docker) remote"],
  ["kubectl exec pod -n ns -- rm a", "kubectl exec pod -n ns -- rm a", "?> rm a (kubectl) remote"],
  ["k exec deploy/web -c app -it -- rm a -- b", "k exec deploy/web -c app -it -- rm a -- b", "?> rm a -- b (k) remote"],
  ["oc exec pod rm a", "oc exec pod rm a", "?> rm a (oc) remote"],
  [
    "kubectl run x --image=y --restart=Never -- rm a",
    "kubectl run x --image=y --restart=Never -- rm a",
    "?> rm a (kubectl) remote",
  ],
  ["kubectl exec -n ns pod -- rm a", "kubectl exec -n ns pod -- rm a", "?> rm a (kubectl) remote"],
  ["su -c 'rm a' me", 'su -c "rm a" me', "rm a (su)"],
  ["su me -c 'rm a'", 'su me -c "rm a"', "rm a (su)"],
  ["runuser -u me -- rm a", "runuser -u me -- rm a", "rm a (runuser)"],
  ["flock /tmp/l rm a", "flock /tmp/l rm a", "rm a (flock)"],
  ["flock -n /tmp/l -c 'rm a'", 'flock -n /tmp/l -c "rm a"', "rm a (flock)"],
  ["watch -n 1 rm a", "watch -n 1 rm a", "rm a (watch)"],
  ["watch 'rm a; ls'", 'watch "rm a; ls"', "rm a (watch)", "ls (watch)"],
  ["parallel rm ::: a b", "parallel rm ::: a b", "rm a b (parallel)"],
  ["parallel -j4 'rm {}; ls' ::: a", 'parallel -j4 "rm {}; ls" ::: a', "rm a (parallel)", "ls (parallel)"],
  ["script -c 'rm a' log", 'script -c "rm a" log', "rm a (script)"],
  ["git submodule foreach 'git push -f'", 'git submodule foreach "git push -f"', "git push -f (git)"],
  ["git rebase -x 'rm a' main", 'git rebase -x "rm a" main', "rm a (git)"],
  ["git bisect run rm a", "git bisect run rm a", "rm a (git)"],
  ["git -c alias.x='!rm a' x", 'git -c "alias.x=!rm a" x', "rm a (git)"],
  ["x=/; rm -rf $x", 'x=/ ""', "rm -rf /"],
  ["x=a; rm \"$x/b\" '$x' \\$x", 'x=a ""', "rm a/b $x $x"],
  ['x="a b"; rm $x "$x"', 'x="a b" ""', 'rm a b "a b"'],
  ["x=a; x+=b; rm $x", 'x=a ""', 'x=b ""', "rm ab"],
  ["x=(a 'b c'); rm \"${x[@]}\" ${x[1]} $x", 'x="(a \'b c\')" ""', 'rm a "b c" b c a'],
  ['cmd="rm -rf"; $cmd /', 'cmd="rm -rf" ""', "rm -rf /"],
  ["x=a y=$x; rm $y", 'x=a y=a ""', "rm a"],
  ["x=a rm $x", "x=a rm ⟨$x⟩"],
  ["export x=/; rm $x", "export x=/", "rm /"],
  ["x=/; (x=b; rm $x); rm $x", 'x=/ ""', 'x=b ""', "rm b", "rm /"],
  ["x=/; true && x=a; rm $x", 'x=/ ""', "true", 'x=a ""', "rm ⟨$x⟩"],
  ["x=/; if a; then x=b; rm $x; fi; rm $x", 'x=/ ""', "a", 'x=b ""', "rm b", "rm ⟨$x⟩"],
  ["if a; then x=b; fi; rm $x", "a", 'x=b ""', "rm b"],
  ["x=/; read x; rm $x", 'x=/ ""', "read x", "rm ⟨$x⟩"],
  ["x=/; unset x; rm $x", 'x=/ ""', "unset x", "rm ⟨$x⟩"],
  ['x=*; rm $x "$x"', 'x=* ""', "rm ⟨*⟩ *"],
  ["x=$HOME; rm -rf $x", 'x=$HOME ""', "rm -rf ⟨$HOME⟩"],
  ["x=$(ls); rm $x", 'x=$(ls) ""', "ls", "rm ⟨$(ls)⟩"],
  ["for x in a b; do y=$x; done; rm $y", 'y=a ""', 'y=b ""', "rm b"],
  ['while a; do rm "$x"; x=/; done', "a", "rm ⟨$x⟩", 'x=/ ""', "rm /"],
  ['set -- / b; rm $1 "$@"; shift; rm $1', "set -- / b", "rm / / b", "shift", "rm b"],
  ["r$@m -rf ${1}/", "rm -rf /"],
  ["$SUDO rm a", "⟨$SUDO⟩ rm a", "rm a guessed"],
  ["$a $b rm c", "⟨$a⟩ ⟨$b⟩ rm c", "rm c guessed"],
  ["$(which rm) a", "rm a", "which rm"],
  ['"$x" a', "⟨$x⟩ a"],
  ["$HOME/bin/x a", "⟨$HOME/bin/x⟩ a"],
  ["~/bin/x a", "⟨~/bin/x⟩ a"],
  ['rm ~ ~/a ~me "~" \\~ a~ A=~/b', "rm ⟨~⟩ ⟨~/a⟩ ⟨~me⟩ ~ ~ a~ ⟨A=~/b⟩"],
  ["rm $HOME \"$HOME/a\" ${HOME:?}/* '$HOME'", "rm ⟨$HOME⟩ ⟨$HOME/a⟩ ⟨${HOME:?}/*⟩ $HOME"],
  ["rm *.ts a?b [ab]c \"*\" \\* '?'* @(a|b)", "rm ⟨*.ts⟩ ⟨a?b⟩ ⟨[ab]c⟩ * * ⟨\\?*⟩ ⟨@(a|b)⟩"],
  ['rm {a,b}.ts {1..3} {a,"b c"} "{a,b}" {a} {a,b', 'rm a.ts b.ts 1 2 3 a "b c" {a,b} {a} {a,b'],
  ["rm {01..03} {c..a} {1..9..4} x{,.bak} {a,b{c,d}}", "rm 01 02 03 c b a 1 5 9 x x.bak a bc bd"],
  ["rm {1..100}", "rm ⟨{1..100}⟩"],
  ['echo $\'it\\\'s\\x41\\101\\n\' $"loc" "a\\\nb" c\\\nd', 'echo "it\'sAA\\n" loc ab cd'],
  ["echo a\"b\"'c'\\d", "echo abcd"],
  ["echo \"\" '' a", 'echo "" "" a'],
  ['echo "\\$x \\" \\\\ \\a \\`"', 'echo "$x \\" \\\\ \\\\a `"'],
  ["# rm a"],
  ["ls # rm a", "ls"],
  ["echo a#b", "echo a#b"],
  ["ls \\\n  -la", "ls -la"],
  ["> a", '"" >a'],
  [">> a cmd", "cmd >>a"],
  ["cmd > a 2>&1 < b", "cmd >a 2>&1 <b"],
  ["cmd >| a &> b &>> c 3<> d 2>/dev/null", "cmd >|a &>b &>>c 3<>d 2>/dev/null"],
  ["cmd > $HOME/a > *.log", "cmd >⟨$HOME/a⟩ >⟨*.log⟩"],
  ["cmd {fd}> a", "cmd >a"],
  ["{ a; b; } > c 2>&1", '"" >c 2>&1', "a", "b"],
  ["while read l; do rm $l; done < list > out", '"" <list >out', "read l", "rm ⟨$l⟩"],
  ["(a) < b", '"" <b', "a"],
  ["cd a && rm b", "cd a", "a> rm b"],
  ["cd a; cd b; rm c", "cd a", "a> cd b", "a/b> rm c"],
  ["cd a/../..; rm b", "cd a/../..", "..> rm b"],
  ["cd /x && rm a && cd ~ && rm b && cd && rm c", "cd /x", "/x> rm a", "/x> cd ⟨~⟩", "~> rm b", "~> cd", "~> rm c"],
  ["cd - ; rm a", "cd -", "?> rm a"],
  ["cd $x; rm a; cd /b; rm c", "cd ⟨$x⟩", "?> rm a", "?> cd /b", "/b> rm c"],
  [
    'cd a && cd "$(git rev-parse --show-toplevel)/b" && rm c',
    "cd a",
    "a> cd ⟨$(git rev-parse --show-toplevel)/b⟩",
    "b> git rev-parse --show-toplevel",
    "b> rm c",
  ],
  [
    "cd /a; cd `git rev-parse --show-toplevel`; rm c",
    "cd /a",
    "/a> cd ⟨`git rev-parse --show-toplevel`⟩",
    "/a> git rev-parse --show-toplevel",
    "/a> rm c",
  ],
  ["d=/; f() { local d=/x; rm $d; }; f; rm $d", 'd=/ ""', "f", "local d=/x", "rm /x", "rm /"],
  ["d=/; f() { local d; d=/x; }; f; rm $d", 'd=/ ""', "f", "local d", 'd=/x ""', "rm /"],
  [
    "f() { declare d=/x; g; }; g() { typeset -r d=/y; rm $d; }; f; rm $d",
    "f",
    "declare d=/x",
    "g",
    "typeset -r d=/y",
    "rm /y",
    "rm ⟨$d⟩",
  ],
  ["f() { if a; then local d=/x; fi; }; d=/; f; rm $d", 'd=/ ""', "f", "a", "local d=/x", "rm /"],
  ["d=/; f() { declare -g d=/x; }; f; rm $d", 'd=/ ""', "f", "declare -g d=/x", "rm /x"],
  ["d=/; f() { d=/x; }; f; rm $d", 'd=/ ""', "f", 'd=/x ""', "rm /x"],
  ["d=/; f() { export d=/x; }; f; rm $d", 'd=/ ""', "f", "export d=/x", "rm /x"],
  ["d=/; export 'd=/x'; rm $d", 'd=/ ""', "export d=/x", "rm ⟨$d⟩"],
  ["IFS=,;x=rm,-rf,/;$x", 'IFS=, ""', 'x=rm,-rf,/ ""', "rm -rf /"],
  ["IFS=', '; x='a ,  b c,,d,'; rm $x", 'IFS=", " ""', 'x="a ,  b c,,d," ""', 'rm a b c "" d'],
  ["IFS=; x='a b'; rm $x \"$x\"", 'IFS="" ""', 'x="a b" ""', 'rm "a b" "a b"'],
  ["IFS=$'\\n'; d=/; rm $d", 'IFS="\\n" ""', 'd=/ ""', "rm /"],
  ["IFS=$(a); x=b,c; rm $x", 'IFS=$(a) ""', "a", 'x=b,c ""', "rm ⟨b,c⟩"],
  ['a=(b c); IFS=,; rm "${a[*]}" "${a[@]}"', 'a="(b c)" ""', 'IFS=, ""', "rm b,c b c"],
  ["IFS=, read -r a b; x=c,d; rm $x", "IFS=, read -r a b", 'x=c,d ""', "rm c,d"],
  ['cd "$HOME/a" && rm b; cd $PWD/c && rm d', "cd ⟨$HOME/a⟩", "~/a> rm b", "~/a> cd ⟨$PWD/c⟩", "~/a/c> rm d"],
  ["cd -P a && rm b", "cd -P a", "a> rm b"],
  ["cd -- -a && rm b", "cd -- -a", "-a> rm b"],
  ["cd a || exit 1; rm b", "cd a", "exit 1", "a> rm b"],
  ["cd a || cd b; rm c", "cd a", "cd b", "?> rm c"],
  ["cd a && make || rm b", "cd a", "a> make", "?> rm b"],
  ["(cd a && rm b); rm c", "cd a", "a> rm b", "rm c"],
  ["cd a | rm b; rm c", "cd a", "rm b", "rm c"],
  ["cd a & rm b", "cd a", "rm b"],
  ["if a; then cd b; fi; rm c", "a", "cd b", "?> rm c"],
  ["if cd a; then rm b; else rm c; fi", "cd a", "a> rm b", "a> rm c"],
  ["while a; do cd b; rm c; done; rm d", "?> a", "?> cd b", "?> rm c", "?> rm d"],
  [
    "for d in a b; do cd $d; rm x; cd ..; done; rm y",
    "cd a",
    "a> rm x",
    "a> cd ..",
    "cd b",
    "b> rm x",
    "b> cd ..",
    "rm y",
  ],
  ["for d in a b; do (cd $d && rm x); done", "cd a", "a> rm x", "cd b", "b> rm x"],
  ["f() { cd a; }; f; rm b", "f", "cd a", "a> rm b"],
  ["pushd a; rm b; popd; rm c", "pushd a", "a> rm b", "a> popd", "?> rm c"],
  ["bash -c 'cd a; rm b'; rm c", 'bash -c "cd a; rm b"', "cd a (bash)", "a> rm b (bash)", "rm c"],
  ["eval 'cd a'; rm b", 'eval "cd a"', "cd a", "a> rm b"],
  ["sudo sh -c 'cd a && rm b'", 'sh -c "cd a && rm b" (sudo)', "cd a (sudo sh)", "a> rm b (sudo sh)"],
  ["if [ -d a ]; then cd a; else cd a; fi; rm b", "[ -d a ]", "cd a", "cd a", "a> rm b"],
  [
    "apply_patch <<'P'\n*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b c\n*** Move to: d\n*** Delete File: e\n*** End Patch\nP",
    'apply_patch <<"*** Begin Patch\\n*** Add File: a\\n+x\\n*** Update File: b c\\n*** Move to: d\\n*** Delete File: e\\n*** End Patch\\n" [add a] [move b c d] [delete e]',
  ],
  [
    "apply_patch '*** Begin Patch\n*** Add File: a/b\n+*** Add File: no\n*** End Patch'",
    'apply_patch "*** Begin Patch\\n*** Add File: a/b\\n+*** Add File: no\\n*** End Patch" [add a/b]',
  ],
  [
    "cat <<'E' | apply_patch\n*** Begin Patch\n*** Update File: a\n*** End Patch\nE",
    'cat <<"*** Begin Patch\\n*** Update File: a\\n*** End Patch\\n" [update a]',
    "apply_patch",
  ],
  [
    "git commit -m \"$(cat <<'E'\nfix: don't rm -rf /\nE\n)\" && git push --force",
    "git commit -m ⟨$(cat <<'E'\nfix: don't rm -rf /\nE\n)⟩",
    'cat <<"fix: don\'t rm -rf /\\n"',
    "git push --force",
  ],
  [":(){ :|:& };:", ":", ":", ":"],
  ['echo "it\'s"; rm a', 'echo "it\'s"', "rm a"],
  ["a; )b; c", "a", "b", "c", "! unexpected token ')'"],
  ["a ;; b", "a", "b", "! unexpected token ';;'"],
  ["if a; b", "a", "b", "! expected 'then'"],
  ['echo "abc; rm x', 'echo "abc; rm x"', "echo abc guessed", "rm x guessed", "! unterminated double quote"],
  ["echo $(rm x", "echo ⟨$(rm x⟩", "rm x", "echo $ guessed", "! unterminated command substitution"],
  ["for f (a b) rm $f", "a b", "⟨$f⟩", "rm ⟨$f⟩ guessed", "! expected 'do'"],
  ["a && && rm b", "a", "rm b", "! expected command after '&&'"],
  ["echo $x | xargs rm", "echo ⟨$x⟩", "rm ⟨$x⟩ (xargs)"],
  ["$(command -v rm) a", "rm a", "command -v rm"],
  ["`which rm` a", "rm a", "which rm"],
  ["case a in a) x=b;; esac; rm $x", 'x=b ""', "rm b"],
  ["cat x | xargs -n1 bash -c 'rm \"$0\"'", "cat x", 'bash -c "rm \\"$0\\"" … (xargs)', "rm ⟨$0⟩ (xargs bash)"],
  ["GIT_DIR=/x git push", "GIT_DIR=/x git push"],
  ["sudo bash <<E\nrm a\nE", 'bash <<"rm a\\n" (sudo)', "rm a (sudo bash)"],
  ["echo a; # rm b\nrm c", "echo a", "rm c"],
  ["a=1; b=2; echo $a$b", 'a=1 ""', 'b=2 ""', "echo 12"],
  ["if a; then\n  rm b\nfi\nrm c", "a", "rm b", "rm c"],
  ["for i in {1..3}; do rm $i; done", "rm 1", "rm 2", "rm 3"],
  ["bash -c $'rm\\ta'", 'bash -c "rm\\ta"', "rm a (bash)"],
  ["xargs -a list rm", "rm … (xargs)"],
  ["sudo -- rm a", "rm a (sudo)"],
  ["env -- rm a", "rm a (env)"],
  ["command -- rm a", "rm a (command)"],
  ["env A=$x rm a", "A=$x rm a (env)"],
  ["sudo $x rm a", "⟨$x⟩ rm a (sudo)", "rm a (sudo) guessed"],
  ["nice $n rm a", "⟨$n⟩ rm a (nice)", "rm a (nice) guessed"],
  ['x=(a b); for i in "${x[@]}"; do rm $i; done', 'x="(a b)" ""', "rm a", "rm b"],
  ["rm -- -a", "rm -- -a"],
  ["rm a>b", "rm a >b"],
  ["rm a 2>b>c", "rm a 2>b >c"],
  ["a|b|c&&d", "a", "b", "c", "d"],
  ["x='a b'; y=($x); rm \"${y[1]}\"", 'x="a b" ""', 'y=($x) ""', "rm b"],
  ["printf -v x a; rm $x", "printf -v x a", "rm ⟨$x⟩"],
  ["cd 'a b' && rm c", 'cd "a b"', "a b> rm c"],
  ["cd ~/a/../b; rm c", "cd ⟨~/a/../b⟩", "~/b> rm c"],
  ["cd ~me; rm a", "cd ⟨~me⟩", "?> rm a"],
  ["cd ''; rm a", 'cd ""', "rm a"],
  ["CDPATH= cd a && rm b", 'CDPATH="" cd a', "a> rm b"],
  ["command cd a; rm b", "cd a (command)", "a> rm b"],
  ["rm $_", "rm ⟨$_⟩"],
  ["mkdir -p a/b && cd $_ && rm c", "mkdir -p a/b", "cd a/b", "a/b> rm c"],
  ["echo a 'b c'; rm $_ \"${_}\"", 'echo a "b c"', 'rm b c "b c"'],
  ["ls ~/x > y; rm $_", "ls ⟨~/x⟩ >y", "rm ⟨~/x⟩"],
  ["ls a; (ls b); ls c | cat; rm $_", "ls a", "ls b", "ls c", "cat", "rm a"],
  ["ls a; if b; then c d; fi; rm $_", "ls a", "b", "c d", "rm ⟨$_⟩"],
  ["while a b; do rm $_; done; rm $_", "a b", "rm b", "rm ⟨$_⟩"],
  ["while a; do rm $_ c; ls; done", "a", "rm a c", "ls"],
  ["while rm $_; do ls a; done", "rm ⟨$_⟩", "ls a"],
  ["f() { ls a; rm $_; }; f b; rm $_", "f b", "ls a", "rm a", "rm b"],
  ["eval 'ls a b'; rm $_", 'eval "ls a b"', "ls a b", "rm b"],
  ["ls a; bash -c 'rm $_'", "ls a", 'bash -c "rm $_"', "rm ⟨$_⟩ (bash)"],
  // Programs that run a text, or words, that they are given.
  ["tmux send-keys -t 0 'rm a' Enter", 'tmux send-keys -t 0 "rm a" Enter', "rm a (tmux)"],
  ["tmux send-keys rm Space a C-m", "tmux send-keys rm Space a C-m", "rm a (tmux)"],
  ["tmux new-session -d -s x 'rm a'", 'tmux new-session -d -s x "rm a"', "rm a (tmux)"],
  ["tmux split-window -h rm a", "tmux split-window -h rm a", "rm a (tmux)"],
  ["tmux attach -t x", "tmux attach -t x"],
  ["screen -S x -X stuff 'rm a\\n'", 'screen -S x -X stuff "rm a\\\\n"', "rm a (screen)"],
  ["screen -dmS x rm a", "screen -dmS x rm a", "rm a (screen)"],
  ["ssh localhost rm a", "ssh localhost rm a", "~> rm a (ssh)"],
  ["ssh me@127.0.0.1 'rm a'", 'ssh me@127.0.0.1 "rm a"', "~> rm a (ssh)"],
  ["ssh -o ProxyCommand='rm a' host ls", 'ssh -o "ProxyCommand=rm a" host ls', "?> ls (ssh) remote", "rm a (ssh)"],
  ["scp -oProxyCommand='rm a' x host:", 'scp "-oProxyCommand=rm a" x host:', "rm a (scp)"],
  ["expect -c 'spawn rm a; interact'", 'expect -c "spawn rm a; interact"', "rm a (expect)"],
  [
    "expect <<'E'\nspawn -noecho sh\nsend \"rm a\\r\"\nE",
    'expect <<"spawn -noecho sh\\nsend \\"rm a\\\\r\\"\\n"',
    "sh (expect)",
    "rm a (expect)",
  ],
  ["chroot / rm a", "/> rm a (chroot)"],
  ["echo '0 * * * * rm a' | crontab -", 'echo "0 * * * * rm a"', "crontab -", "rm a (crontab)"],
  [
    "(crontab -l 2>/dev/null; echo '@reboot rm a') | crontab -",
    "crontab -l 2>/dev/null",
    'echo "@reboot rm a"',
    "crontab -",
    "rm a (crontab)",
  ],
  ["make -f- <<< 'all: ; rm a'", 'make -f- <<<"all: ; rm a"', "rm a (make)"],
  ["make -f - <<'E'\nall: b\n\t@rm a $$b\nE", 'make -f - <<"all: b\\n\\t@rm a $$b\\n"', "rm a ⟨$b⟩ (make)"],
  ["make --eval='x: ; rm a' x", 'make "--eval=x: ; rm a" x', "rm a (make)"],
  ["make <<< 'all: ; rm a'", 'make <<<"all: ; rm a"'],
  ["git -c core.editor='rm a' commit", 'git -c "core.editor=rm a" commit', "rm a (git)"],
  ["git -c core.editor=true rebase --continue", "git -c core.editor=true rebase --continue"],
  ["git config --global core.fsmonitor 'rm a'", 'git config --global core.fsmonitor "rm a"', "rm a (git)"],
  ["git config filter.x.clean 'rm a'", 'git config filter.x.clean "rm a"', "rm a (git)"],
  ["git config user.name 'rm a'", 'git config user.name "rm a"'],
  ["git commit -m core.editor=rm", "git commit -m core.editor=rm"],
  ["git fetch --upload-pack='rm a' x", 'git fetch "--upload-pack=rm a" x', "rm a (git)"],
  ["git clone 'ext::sh -c rm% a'", 'git clone "ext::sh -c rm% a"', 'sh -c "rm a" (git)', "rm a (git sh)"],
  ["git filter-branch --tree-filter 'rm a' HEAD", 'git filter-branch --tree-filter "rm a" HEAD', "rm a (git)"],
  ["GIT_SSH_COMMAND='rm a' git fetch", 'GIT_SSH_COMMAND="rm a" git fetch', "rm a (GIT_SSH_COMMAND)"],
  ["export PAGER='rm a'; man x", 'export "PAGER=rm a"', "rm a (PAGER)", "man x"],
  ["env EDITOR='rm a' crontab -e", 'EDITOR="rm a" crontab -e (env)', "rm a (EDITOR)"],
  ["LESSOPEN='|rm a' less x", 'LESSOPEN="|rm a" less x', "rm a (LESSOPEN)"],
  ["BASH_ENV='$(rm a)' bash x", 'BASH_ENV="$(rm a)" bash x', ": ⟨$(rm a)⟩ (BASH_ENV)", "rm a (BASH_ENV)"],
  [
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm a' git log",
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0="rm a" git log',
    "rm a (GIT_CONFIG_KEY_0)",
  ],
  ["x mcp add y -- sh -c 'rm a'", 'x mcp add y -- sh -c "rm a"', 'sh -c "rm a" (x)', "rm a (x sh)"],
  ["x --opt mcp add y -- rm a", "x --opt mcp add y -- rm a", "rm a (x)"],
  [
    `x mcp add-json y '{"command":"rm","args":["a"]}'`,
    'x mcp add-json y "{\\"command\\":\\"rm\\",\\"args\\":[\\"a\\"]}"',
    "rm a (x)",
  ],
  ["x mcp list", "x mcp list"],
  ["x mcp add -e A=1 y rm a", "x mcp add -e A=1 y rm a", "rm a (x)"],
  ["wrapper --opt sh -c 'rm a'", 'wrapper --opt sh -c "rm a"', 'sh -c "rm a" (wrapper)', "rm a (wrapper sh)"],
  [
    "lxc exec x -- sh -c 'rm a'",
    'lxc exec x -- sh -c "rm a"',
    '?> sh -c "rm a" (lxc) remote',
    "?> rm a (lxc sh) remote",
  ],
  ["echo sh -c 'rm a'", 'echo sh -c "rm a"'],
  ["tar -cf x --checkpoint-action=exec='rm a' y", 'tar -cf x "--checkpoint-action=exec=rm a" y', "rm a (tar)"],
  ["tar -I zstd -xf x", "tar -I zstd -xf x", "zstd (tar)"],
  ["rsync -e 'rm a' x y:", 'rsync -e "rm a" x y:', "rm a (rsync)"],
  ["socat - EXEC:'rm a'", 'socat - "EXEC:rm a"', "rm a (socat)"],
  ["xterm -e rm a", "xterm -e rm a", "rm a (xterm)"],
  ["nix-shell --run 'rm a'", 'nix-shell --run "rm a"', "rm a (nix-shell)"],
  ["source /dev/stdin <<< 'rm a'", 'source /dev/stdin <<<"rm a"', "rm a"],
  ["{ echo rm a; echo ls; } | sh", "echo rm a", "echo ls", "sh", "rm a (sh)", "ls (sh)"],
  ["python3 -c 'import os; os.system(\"rm a\")'", 'python3 -c "import os; os.system(\\"rm a\\")"', "rm a (python3)"],
  [
    "python3 - <<'E'\nsubprocess.run(['rm', '-r', 'a b'], cwd='x')\nE",
    "python3 - <<\"subprocess.run(['rm', '-r', 'a b'], cwd='x')\\n\"",
    'rm -r "a b" (python3)',
  ],
  ["node -e 'execSync(`rm a`)'", 'node -e "execSync(`rm a`)"', "rm a (node)"],
  ['perl -e \'system "rm", "a"\'', 'perl -e "system \\"rm\\", \\"a\\""', "rm a (perl)"],
  ["ruby -e '`rm a`'", 'ruby -e "`rm a`"', "rm a (ruby)"],
  ["python3 -c 'print(\"rm a\")'", 'python3 -c "print(\\"rm a\\")"'],
  ["lua -e 'os.execute(\"rm a\")'", 'lua -e "os.execute(\\"rm a\\")"', "rm a (lua)"],
  ["python3 -c 'cursor.execute(\"rm a\")'", 'python3 -c "cursor.execute(\\"rm a\\")"'],
  ["awk 'BEGIN { system(\"rm a\") }'", 'awk "BEGIN { system(\\"rm a\\") }"', "rm a (awk)"],
  ["ruby -e '%x(rm a)'", 'ruby -e "%x(rm a)"', "rm a (ruby)"],
  ["sqlite3 x '.shell rm a'", 'sqlite3 x ".shell rm a"', "rm a (sqlite3)"],
  ["git difftool -x 'rm a' b", 'git difftool -x "rm a" b', "rm a (git)"],
  ["git grep -O'rm a' b", 'git grep "-Orm a" b', "rm a (git)"],
  ["script -qc 'rm a' b", 'script -qc "rm a" b', "rm a (script)"],
  [
    "tmux if-shell true 'run-shell \"rm a\"'",
    'tmux if-shell true "run-shell \\"rm a\\""',
    'run-shell "rm a" (tmux)',
    'tmux run-shell "rm a" (tmux)',
    "rm a (tmux tmux)",
  ],
  ["x mcp add y sh -- -c 'rm a'", 'x mcp add y sh -- -c "rm a"', 'sh -c "rm a" (x)', "rm a (x sh)"],
  ["bwrap --bind / / --dev /dev rm a", "rm a (bwrap)"],
  [
    "MAKEFLAGS='--eval=$(shell rm a)' make",
    'MAKEFLAGS="--eval=$(shell rm a)" make',
    'make "--eval=$(shell rm a)" (MAKEFLAGS)',
    "rm a (MAKEFLAGS make)",
  ],
  ["eval \"$(cat <<'E'\nrm a\nE\n)\"", "eval ⟨$(cat <<'E'\nrm a\nE\n)⟩", "rm a", 'cat <<"rm a\\n"'],
  ["vim -c '!rm a' x", 'vim -c "!rm a" x', "rm a (vim)"],
  ["psql -c '\\! rm a'", 'psql -c "\\\\! rm a"', "rm a (psql)"],
  ["ls a; x=b; rm $_", "ls a", 'x=b ""', "rm ⟨$_⟩"],
];

for (const [line, ...expected] of LINES)
  test(`reads ${JSON.stringify(line)}`, () => {
    const { commands, problem } = readLine(line);
    expect([...commands.map(show), ...(problem === undefined ? [] : [`! ${problem}`])]).toEqual(expected);
  });
test("there are many lines", () => expect(LINES.length).toBeGreaterThan(250));

test("a command tells all that is known of it", () => {
  expect(commandsIn(`cd "a b" && A=1 sudo -u me /bin/rm -rf "$HOME"/x '*'* > log 2>&1`)[1]).toEqual({
    program: "rm",
    args: ["-rf", "$HOME/x", "**"],
    words: ["sudo", "-u", "me", "/bin/rm", "-rf", "$HOME/x", "**"],
    redirects: [
      { operator: ">", target: "log" },
      { operator: ">&", target: "1", fd: 2 },
    ],
    env: { A: "1" },
    dynamic: { 1: "$HOME/x", 2: "\\**" },
    cwd: "a b",
    via: ["sudo"],
    patched: [],
  });
});

test("an event's line is read once; other events have none", () => {
  const event = {
    event: "PreToolUse",
    tool: "Bash",
    tool_name: "Bash",
    input: { command: "ls; rm x" },
    cwd: "/",
  } as AnyEvent;
  expect(commands(event).map(({ program }) => program)).toEqual(["ls", "rm"]);
  expect(commands(event)).toBe(commands(event));
  expect(shellLine(event)).toBe(shellLine(event));
  // Nor one that can't be read: it takes the longest.
  const large = { ...event, input: { command: times("rm x; ", 17_000) } } as AnyEvent;
  const refusal = () => {
    try {
      return shellLine(large);
    } catch (error) {
      return error;
    }
  };
  expect(refusal()).toMatchObject({ name: "ShellError" });
  expect(refusal()).toBe(refusal());
  expect(commands({ ...event, tool: "Read", input: { file_path: "x" } } as AnyEvent)).toEqual([]);
  expect(commands({ event: "Stop", continuations: 0 } as AnyEvent)).toEqual([]);
});

/** A pattern, lines with a command that fits, and lines without. */
const PATTERNS: [pattern: string, fits: string[], misses: string[]][] = [
  [
    "git push*",
    ["git push", "git push -f", "git pushx", "cd x && sudo git push origin", "/usr/bin/git push", "A=1 git push"],
    ["git -C x push", "echo git push", "git  pull"],
  ],
  ["git push *", ["git push", "git push origin", "env git push"], ["git pushx", "git pus"]],
  ["git push:*", ["git push", "git push origin"], ["git pushx", "git push:x"]],
  ["git push", ["git push", "git   'push'", "git push > log", "(git push)"], ["git push origin", "sudo git pushx"]],
  ["git * main", ["git push origin main", "git merge main", "git -C x push main"], ["git main", "git push main x"]],
  ["* install", ["npm install", "sudo npm ci install"], ["npm install x", "install"]],
  ["*", ["a", "> x"], []],
  ["", ["a"], []],
  ["ls*", ["ls", "lsof", "ls -la", "ls>x"], ["als"]],
  ["sudo *", ["sudo rm x", "sudo", "/usr/bin/sudo rm x"], ["rm x"]],
  ["/usr/bin/git *", ["/usr/bin/git push", "sudo /usr/bin/git push"], ["git push"]],
  [
    "rm -rf *",
    ["bash -c 'rm -rf x'", "x=/; rm -rf $x", "find . -exec rm -rf {} +", "echo a | xargs rm -rf", "ssh host rm -rf x"],
    ["rm -r x", "echo 'rm -rf x'"],
  ],
  ["npm run test:*", ["npm run test", "npm run test -- x"], ["npm run test:unit"]],
  ["npm run test*", ["npm run test:unit"], ["npm run tes"]],
  ["* --force *", ["git push --force", "git push --force origin"], ["git push --forced"]],
  ["a*b*c", ["a b c", "abc", "a b b c c"], ["a c b", "ab", "xabc"]],
  ["aXa", ["aXa"], ["aX", "Xa", "a"]],
  ["aa*aa", ["aaaa", "aa aa"], ["aaa"]],
  ["echo a  b", ["echo 'a  b'"], ["echo a b"]],
  ["Git push", [], ["git push"]],
];

test("argument patterns mean what users of permission rules know", () => {
  let ran = 0;
  for (const [pattern, fits, misses] of PATTERNS) {
    const test = argumentPattern(pattern);
    for (const line of fits)
      expect([pattern, line, commandsIn(line).some(test), ++ran > 0]).toEqual([pattern, line, true, true]);
    for (const line of misses)
      expect([pattern, line, commandsIn(line).some(test), ++ran > 0]).toEqual([pattern, line, false, true]);
    // What fits is never ruled out by the look that comes before.
    for (const line of fits)
      expect([pattern, line, patternWords(pattern).length === 0 || mentions(line, patternWords(pattern))]).toEqual([
        pattern,
        line,
        true,
      ]);
  }
  expect(ran).toBe(79);
});

test("a pattern takes no longer than its text", () => {
  const [command] = commandsIn(`x ${"a".repeat(100_000)}`) as [Command];
  const begun = performance.now();
  expect(argumentPattern(`x ${"a*".repeat(50)}b`)(command)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(200);
});

test("a line that can't be about a word is told without reading it", () => {
  const words = ["rm", ".env"];
  for (const line of [
    "rm x",
    "r''m x",
    "r\\m",
    '"r"m',
    "cat .E'n'V",
    "RM x",
    "r$@m",
    "$(x)",
    "`x`",
    "cat .e*",
    "cat .en?",
    "cat .en[v]",
    "cat {a,b}",
    "r\\\nm",
    "printf '\\162m' | sh",
    "echo x | base64 -d",
  ])
    expect([line, mentions(line, words)]).toEqual([line, true]);
  for (const line of ["ls -la", "git push origin main 2>&1 | tail -5", "cd a && make", 'echo "a b" > c', ""])
    expect([line, mentions(line, words)]).toEqual([line, false]);
});

test("no line with a command about a word is said to be about something else", () => {
  let told = 0;
  for (const [line] of LINES)
    for (const { program, args, guessed } of commandsIn(line)) {
      if (guessed) continue;
      for (const text of [program, ...args].filter((text) => /^\w+$/.test(text)))
        expect([line, text, mentions(line, [text.toLowerCase()]), ++told > 0]).toEqual([line, text, true, true]);
    }
  expect(told).toBeGreaterThan(500);
});

const times = (text: string, count = Math.floor(100_000 / text.length)) => text.repeat(count);
const nested = (open: string, close: string, depth: number) => times(open, depth) + "a" + times(close, depth);

/** Lines that are too much, what is said of them, and lines that are large but no trouble. */
const LARGE: Record<string, [line: string, outcome: string | number]> = {
  "200 kB": ["x".repeat(200_000), "too long to be read (200000 characters; at most 131072)"],
  "100 kB in one word": ["x".repeat(100_000), 1],
  "100 kB in quotes": [`python -c '${times("x = 1 + 2 + 3\n")}'`, 1],
  "100 kB of quotes": [times("'"), "too many commands and words"],
  "100 kB of double quotes": [times('"'), "too many commands and words"],
  "100 kB of backticks": [times("`a`"), "too many commands and words"],
  "100 kB of backslashes": [times("\\"), "too many commands and words"],
  "100 kB of $": [times("$"), "too many commands and words"],
  "100 kB of here-document": [`cat > x <<'E'\n${times("if (a && b || c) { d << 2; }\n", 1500)}E`, 1],
  "30000 commands": [times("a;", 30_000), "too many commands"],
  "5000 commands": [times("echo a b;"), "too many commands"],
  "500 commands": [times("echo a b\n", 500), 500],
  "50000 words": [times("x "), "too many commands and words"],
  "2500 words": [times("x ", 2500), 1],
  "50000 (": [times("(", 50_000), "nested too deeply"],
  "25000 ( and )": [nested("(", ")", 25_000), "nested too deeply"],
  "100 ( and )": [nested("( ", ")", 100), 1],
  "20000 $(": [times("$(", 20_000), "nested too deeply"],
  "100 $( and )": [nested("$(", ")", 100), 101],
  '15000 "$(': [times('"$(', 15_000), "nested too deeply"],
  "1000 chains of 16 $(": [times(`${nested("$(", ")", 16)} `, 1000), "too many commands and words"],
  "30000 $((": [times("$((", 30_000), "nested too deeply"],
  "20000 ${a:-": [times("${a:-", 20_000), "nested too deeply"],
  "40000 <(": [times("<(", 40_000), "nested too deeply"],
  "20000 {": [times("{ ", 20_000), "nested too deeply"],
  "10000 if": [times("if a; then ", 9000), "nested too deeply"],
  "10000 coproc": [times("coproc ", 10_000), "nested too deeply"],
  "20000 {a,b}": [times("{a,b}"), "too many commands and words"],
  "20000 open {a,": [times("{a,", 20_000), 1],
  "{1..60} again and again": [times("{1..60} "), "too many commands and words"],
  "{1..1000000000}": ["rm {1..1000000000}", 1],
  "20000 here-documents in a row": [times("<<a ", 20_000), "too many here-documents"],
  "8000 here-documents": [times("cat <<a\nx\na\n"), "too many here-documents"],
  "a sum of 20000": [`echo $((${times("1+", 20_000)}1))`, 1],
  "bash -c in bash -c": [
    Array.from({ length: 9 }).reduce<string>((line) => `bash -c ${JSON.stringify(line).replaceAll("$", "\\$")}`, "ls"),
    10,
  ],
  "20000 bash -c": [times("bash -c "), "too many commands and words"],
  "eval eval …": [times("eval ", 2000), "too many commands and words"],
  "sudo sudo …": [times("sudo ", 2000), "nested too deeply"],
  "unknown options of sudo": [`sudo ${times("--x ", 2000)} rm`, 1],
  "a value that doubles": [`a=xxxxxxxxxx;${times("a=$a$a;", 40)}rm $a`, "nested too deeply"],
  "an array that doubles": [`a=(1 2 3);${times('a=("${a[@]}" "${a[@]}");', 40)}rm $a`, "too many commands and words"],
  "loops in loops": [
    `${times("for a in 1 2 3 4 5 6 7 8 9; do ", 9)}x${times("; done", 9)}`,
    "too many commands and words",
  ],
  "functions that call two": [
    `f0() { x; };${Array.from({ length: 30 }, (_, at) => `f${at + 1}() { f${at}; f${at}; };`).join("")}f30`,
    "too many commands and words",
  ],
  "a function that calls itself": ["f() { f; f | f; }; f", 4],
  "a folder that grows": [times("cd aaaaaaaaaaaaaaaaaaaaaaaa\n", 500), 500],
  "xargs with many": [`echo ${times("a ", 2000)} | xargs rm ${times("{} ", 500)}`, 2],
  "10000 $${": [times("$${", 10_000), 'too many "$$" beside braces'],
  "50000 line breaks": [times("\n1"), "too many commands"],
  "a long format": [`printf '${times("x", 50_000)}%s' ${times("a ", 1000)}| sh`, 2],
  "line breaks at the end": [`echo $(printf '${times("\\n", 5000)}x')`, 2],
  "60 kB in a here-document for a shell": [`bash <<'E'\necho '${times("a b ", 15_000)}'\nE`, 2],
  "40 kB in bash -c in a loop": [
    `for i in a b c d e f; do bash -c 'echo "${times("a b ", 10_000)}"'; done`,
    "nested too deeply",
  ],
  "options and something else": [`sudo ${times("--x ", 2000)}"a"`, 1],
  "nothing but errors": [times(") ", 40_000), "nested too deeply"],
};

const outcome = (line: string): string | number => {
  try {
    return commandsIn(line).length;
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    return (error as Error).message;
  }
};

for (const [name, [line, expected]] of Object.entries(LARGE))
  test(`${name}: ${typeof expected === "number" ? "read" : "given up"}`, () => {
    const found = outcome(line);
    if (typeof expected === "number") expect(found).toBe(expected);
    else expect(found).toMatch(/^the shell line (?:is|has) .* \(.*\); (?:split it up|put it into a file)$/);
    if (typeof expected === "string") expect(found).toContain(expected);
  });

const CHILD = `
import { readFileSync } from "node:fs";
import { readLine } from ${JSON.stringify(join(ROOT, "src/shell/index.ts"))};
const line = readFileSync(0, "utf8");
readLine("a");
const begun = [performance.now(), process.cpuUsage()];
try { readLine(line); } catch {}
const { user, system } = process.cpuUsage(begun[1]);
console.log(Math.min(performance.now() - begun[0], (user + system) / 1000));
`;

/** Milliseconds that a line takes in a process that has read nothing large before. */
async function cold(line: string): Promise<number> {
  const child = Bun.spawn([process.execPath, "-e", CHILD], {
    stdin: new Blob([line]),
    stdout: "pipe",
    stderr: "inherit",
  });
  return Number(await new Response(child.stdout).text());
}

test("a large or nested line takes no longer than a call may", async () => {
  const slow: [string, number][] = [];
  let ran = 0;
  for (const [name, [line]] of Object.entries(LARGE)) {
    const ms = await cold(line);
    expect([name, ms > 0, ++ran > 0]).toEqual([name, true, true]);
    // 50 ms is what it may take; a busy machine takes its time, but not the processor's.
    if (ms > 200) slow.push([name, ms]);
  }
  expect(ran).toBeGreaterThan(50);
  expect(slow).toEqual([]);
}, 120_000);

test("any text is read, or refused in words", () => {
  const shell = fc.string({
    unit: fc.constantFrom(
      ..."ab $`'\"\\(){}[]<>|&;=*?~#!\n-",
      "$(",
      "<<",
      "if ",
      "do ",
      "rm ",
      "x=",
      "esac",
      "[[ ",
      "sudo ",
    ),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.oneof(shell, fc.string({ unit: "binary" })), (line) => {
      expect(typeof outcome(line)).toBeString;
    }),
    { numRuns: 3000 },
  );
});

/** Ways to write a word so that a shell takes it as it is. */
const QUOTES: ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replace(/[\\"$`]/g, "\\$&")}"`,
  (word) => (word === "" ? "''" : word.replace(/[^\w\n]/gu, "\\$&").replaceAll("\n", "'\n'")),
  (word) => `$'${word.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`,
];

test("quoted words come back as they were", () => {
  const quoted = fc.tuple(
    fc.string({
      unit: fc.oneof(
        fc.constantFrom(..."ab $`'\"\\(){}[]<>|&;=*?~#!\n-,."),
        fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
      ),
    }),
    fc.constantFrom(...QUOTES),
  );
  fc.assert(
    fc.property(fc.array(quoted, { maxLength: 6 }), (words) => {
      fc.pre(words.every(([word]) => !/[\0\r]/.test(word)));
      const line = ["printf", ...words.map(([word, quote]) => quote(word))].join(" ");
      const [command] = commandsIn(line);
      expect(command?.args).toEqual(words.map(([word]) => word));
      expect(command?.dynamic).toEqual({});
    }),
    { numRuns: 2000 },
  );
});

const bash = Bun.which("bash");

test.skipIf(!bash)("words are the ones that bash makes", () => {
  const piece = fc.constantFrom(
    ...[
      "a",
      "-f",
      "=",
      "/",
      "]",
      "}",
      "'a b'",
      '"$A b"',
      "'$A'",
      '"${B}"',
      "$A",
      "$B",
      "${B}",
      "$C",
      '"$C"',
      '"${D[@]}"',
      "${D[1]}",
      "$@",
      '"$@"',
    ],
    ...[
      "$'\\n\\x41\\''",
      "\\ ",
      "\\$",
      "\\\\",
      "\\{",
      "{p,q}",
      "{1..3}",
      "{c..a}",
      "{01..03}",
      "{,z}",
      "{p,'q r'}",
      "{p,{r,s}t}",
      "{x}",
      "{a,b",
      "$(echo one  two)",
    ],
    ...['"$(echo one  two)"', "`echo x`", '"`echo x`"', '"\\$\\a\\""', '"{a,b}"', "{$A,k}", '"a\\\nb"', "$'{x,y'"],
  );
  const line = fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
  const lines = fc
    .sample(line, { numRuns: 200, seed: 7 })
    .map((words) => words.map((pieces) => pieces.join("")).join(" "));
  const before = "A=aa; B='b  c'; C=; D=(d1 'd 2'); ";
  const shell = Bun.spawnSync(
    [
      bash as string,
      "-c",
      `w() { printf '%s\\0' "$#" "$@"; }; ${before}\n${lines.map((words) => `w ${words}`).join("\n")}`,
    ],
    { env: {} },
  );
  let compared = 0;
  const said = shell.stdout.toString().split("\0");
  for (const words of lines) {
    const expected = said.splice(0, 1 + Number(said[0])).slice(1);
    const command = commandsIn(`${before}w ${words}`).findLast(({ program }) => program === "w");
    // `$A{1..3}` is `$A1 $A2 $A3`, which nobody knows.
    if (Object.keys(command?.dynamic ?? { 0: "" }).length > 0) continue;
    expect([words, command?.args, ++compared > 0]).toEqual([words, expected, true]);
  }
  expect(compared).toBeGreaterThan(150);
  expect(said).toEqual([""]);
});

test("a line of plain words is read without the parser as the parser reads it", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."ab1./:@%+,-="), minLength: 1, maxLength: 5 });
  let same = 0;
  fc.assert(
    fc.property(
      fc.array(plain, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("", "if ", "time ", "git "),
      (words, before) => {
        const line = before + words.join(" ");
        const [tree, parsed] = [plainTree(line), unbash().parse(line)];
        if (!tree) return;
        const said = ({ commands }: typeof parsed) =>
          commands.map(({ command, background, pos, end }) => {
            if (command.type !== "Command") return command.type;
            const words = [command.name, ...command.args].map((word) =>
              word?.type === "Word" ? [word.text, word.value, word.pos, word.end, word.parts] : word,
            );
            return [words, command.prefix, command.redirects, command.suffix.length, background ?? false, pos, end];
          });
        expect([line, said(tree)]).toEqual([line, said(parsed)]);
        same++;
      },
    ),
    { numRuns: 3000 },
  );
  expect(same).toBeGreaterThan(300);
});

test("code of any language takes no longer to look at than its text", () => {
  const parts = [
    '"',
    "'",
    "`",
    "\\",
    'run("',
    "run(['a',",
    "\"' ` ",
    'send "',
    "spawn {",
    "a:",
    "a:;",
    "\ta\n",
    "* * * * * ",
    "$(shell ",
  ];
  const more = ["!", "\\!", 'print|"', '"a"|', "e ", ";e ", "\n", "=", "qx{", "%x{", '"""', "@-+ "];
  for (const program of "python3 perl awk make expect crontab vim psql sed gdb".split(" "))
    for (const part of [...parts, ...more]) {
      const started = performance.now();
      codeOf(program)?.find(part.repeat(100_000 / part.length));
      expect([program, part, performance.now() - started < 1000]).toEqual([program, part, true]);
    }
});
