import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askLine, type LineCases } from "./support.ts";

/** Harmless commands that look destructive. Each kind comes with destructive counterparts. */
const CASES: Readonly<Record<string, LineCases>> = {
  "help and dry runs": {
    allowed: [
      "rsync -n --delete x/ ~/",
      "rsync -avn --delete x/ ./",
      "rsync -avz --progress --delete --dry-run x/ ./",
      "rsync -a --delete --list-only x/ ~/",
      "mkfs -n /dev/sda",
      "mkfs.ext4 -F -n /dev/sda1",
      "mkfs -t ext4 -n /dev/sda1",
      "mkfs.xfs -N /dev/sda1",
      "sfdisk --no-act /dev/sda",
      "sfdisk -n /dev/sda",
      "ufw --dry-run reset",
      "shutdown -c",
      "shutdown --when=cancel",
      "halt --when cancel",
      "systemctl reboot --when=cancel",
      "bash -n -c 'rm -rf /'",
      "bash -n <<< 'rm -rf /'",
      "git push --force --dry-run",
      "git push -fn",
      "git clean -fdxn",
      "git rm -rq --cached .",
      "git restore -q --staged .",
      "rclone purge remote:x -v --dry-run",
      "lvremove -fv --test vg/data",
      "tee -a ~/.bashrc",
      "terraform destroy -help",
      "terraform destroy -auto-approve -help",
      "helm uninstall -h",
      "aws ec2 terminate-instances help",
      "gcloud help compute instances delete",
      "docker compose down -v --dry-run",
      "kubectl delete ns shop --dry-run=server",
      "find . -delete -help",
    ],
    denied: [
      "rsync -a --delete -T -n x/ ~/",
      "rsync -n --no-dry-run --delete x/ ~/",
      "rsync -a --unknown -n --delete x/ ~/",
      "rsync --delete -- -n ~/",
      "mkfs.vfat -n DATA /dev/sda1",
      "mkfs -t vfat -n DATA /dev/sda1",
      "mkfs.xfs -n size=8k /dev/sda1",
      "mkfs.ext4 -L -n /dev/sda1",
      "sfdisk --label -n /dev/sda",
      "ufw reset --dry-run",
      "ufw reset",
      "shutdown --when=cancel --when=now",
      "halt --when tomorrow",
      "bash -n +n -c 'rm -rf /'",
      "bash -nic 'rm -rf /'",
      "bash -O -n -c 'rm -rf /'",
      "git push -f -o --dry-run",
      "git push -f -onx",
      "git push -fo --help",
      "git push --force --dry-run --no-dry-run",
      "git push --unknown --help -f",
      "kubectl delete ns shop --dry-run=none",
      "helm uninstall shop --dry-run=false",
      "helm uninstall shop --kube-context -h",
      "aws ec2 terminate-instances --dry-run --no-dry-run --instance-ids i-1",
      "aws s3 rm s3://help --recursive",
      "rm -rf / --help",
      "rm -rf help /",
      "rsync -ah --delete x/ ~/",
      "aws s3 rm s3://x --recursive --exclude help",
      "az --unknown help group delete -n x",
      "zsh -n -o exec -c 'rm -rf /'",
      "find / -name --help -delete",
      "find / -path -help -delete",
    ],
  },
  questions: {
    allowed: [
      "rm -ri ~/Documents",
      "rm -rf -i /etc",
      "rm -I -r /etc",
      "rm -r --interactive=always /etc",
      "git clean -fdi",
      "dropdb -i shop",
      "find . -ok rm {} \\;",
      "find . -exec rm -i {} \\;",
      "true || rm -ri /etc",
    ],
    denied: [
      "yes | rm -ri ~/Documents",
      "rm -ri /etc < answers",
      "rm -ri /etc <<< y",
      "rm -ri -f /etc",
      "rm -rif /etc",
      "rm -r --interactive=never /etc",
      "rm -ri /etc -f",
      "rm -r /etc -i",
      "find . -exec rm -i {} -f \\;",
      "rm -r -- -i /etc",
      "yes | dropdb -i shop",
      "echo c | git clean -fdi",
      "yes | find . -ok rm {} \\;",
      "find . -ok rm -rf / \\;",
      "yes | find . -exec rm -i {} \\;",
      "find . -exec rm -if {} \\;",
      "bash -c 'rm -ri /etc' < answers",
      "tmux send-keys 'rm -ri /etc' Enter y Enter",
    ],
  },
  "text that is only printed or defined": {
    allowed: [
      "alias x='rm -rf /'",
      "alias gpf='git push --force' ll='ls -l'",
      "alias gpf='git push --force'; git push",
      "echo ':(){ :|:& };:'",
      "grep -n ':(){ :|:& };:' notes.md",
      "git commit -m 'block :(){ :|:& };: too'",
      "cat > notes.md <<'E'\n:(){ :|:& };:\nE",
      "sort_all() { if more; then sort_all a & sort_all b & fi; }; sort_all",
    ],
    denied: [
      "alias x='rm -rf /'; x",
      "alias x='rm -rf' && x /",
      "alias a=b b='rm -rf'; a /",
      ":(){ :|:& };:",
      "bomb(){ bomb& bomb& }; bomb",
      "bomb(){ bomb& bomb; }; bomb",
      "function bomb { bomb | bomb & }; bomb",
      "bash -c ':(){ :|:& };:'",
      "eval ':(){ :|:& };:'",
      "echo ':(){ :|:& };:' | sh",
      "echo ':(){ :|:& };:'; :(){ :|:& };:",
    ],
  },
  git: {
    allowed: [
      "git gc --prune=2.weeks.ago",
      "git gc --prune=30.days.ago --aggressive",
      "git gc --prune=never",
      "git gc --no-prune",
      "git -c gc.pruneExpire=1.month.ago gc",
      "git -c gc.pruneExpire=now gc --prune=2.weeks.ago",
      "git -c clean.requireForce=true clean -n",
      "git -c clean.requireForce=false clean -n",
      "git -c alias.x='reset --soft' x HEAD~1",
      "git -c alias.x='reset --hard' status",
      "rm -f .git/refs/heads/main.lock",
      "rm -f .git/worktrees/a/index.lock",
      "rm -rf .git/modules/lib",
      "rm -rf src/objects",
      "rm -rf dist/refs",
    ],
    denied: [
      "git gc --prune=now",
      "git gc --prune=0.days.ago",
      "git gc --prune=1.second.ago",
      "git gc --prune=2.weeks.ago --prune=all",
      "git -c gc.pruneExpire=now gc",
      "git -c GC.pruneexpire=now gc --auto",
      "git -c gc.pruneExpire=never -c gc.pruneExpire=now gc",
      "git -c gc.pruneExpire=$AGE gc",
      "git -c gc.reflogExpire=now gc",
      "git --config-env=gc.pruneExpire=AGE gc",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=gc.pruneExpire GIT_CONFIG_VALUE_0=now git gc",
      "git -c clean.requireForce=false clean",
      "git -c clean.requireforce=0 clean -dx",
      "git -c alias.x='reset --hard' x",
      "git -c alias.x='push' x --force",
      "git -c alias.a='b' -c alias.b='push --force' a",
      "rm -rf .git/logs",
      "rm -rf .git/worktrees",
      "rm -f .git/logs/HEAD",
      "rm -rf repo.git/objects",
      "rm -rf ../shop.git/objects/pack",
      "rm -rf /srv/git/shop.git/refs",
      "git branch -D feature",
    ],
  },
  system: {
    allowed: [
      "iptables -D INPUT 3",
      "iptables --delete INPUT -p tcp --dport 22 -j ACCEPT",
      "iptables -X old",
      "ufw delete 3",
      "nft delete rule inet filter input handle 4",
      "deluser alice docker",
      "sudo deluser --quiet alice docker",
      "gpasswd -d alice docker",
      "systemctl isolate graphical.target",
      "systemctl isolate multi-user",
    ],
    denied: [
      "iptables -X",
      "iptables -t nat -X",
      "iptables --delete-chain",
      "iptables -X $CHAIN",
      "iptables -D INPUT 3; iptables -F",
      "nft delete chain inet filter input",
      "deluser alice",
      "deluser --remove-home alice",
      "deluser --conf x alice",
      "deluser --unknown x alice",
      "deluser alice $GROUP",
      "echo alice | xargs deluser",
      "userdel alice",
      "systemctl isolate rescue.target",
      "systemctl isolate poweroff.target",
      "systemctl isolate $TARGET",
      "systemctl isolate",
    ],
  },
  find: {
    allowed: [
      "find . -xtype l -delete",
      "find ~ -xtype l -exec rm {} +",
      "find -L . -type l -delete",
      "find . -type l ! -exec test -e {} \\; -delete",
      "find . -name node_modules -type d -prune -exec rm -rf {} +",
      "find . -type d \\( -name __pycache__ -o -name .pytest_cache \\) -exec rm -rf {} +",
      "find . -path '*/node_modules/*' -prune -o -name '*.tmp' -delete",
      "find . -name '*.pyc' -delete -o -name __pycache__ -delete",
      "find ~ -name '*.sh' -exec chmod +x {} +",
      "find ./dist -exec chmod 644 {} +",
    ],
    denied: [
      "find / -xtype l -delete",
      "find . ! -xtype l -delete",
      "find . -xtype f -delete",
      "find . -type l -delete",
      "find -L -P . -type l -delete",
      "find . -name node_modules -prune -o -type f -delete",
      "find . -name x -o -delete",
      "find . -delete -name x",
      "find . -name .git -exec rm -rf {} +",
      "find ~ -exec chown me {} +",
      "find ~ -type d -exec chmod 700 {} \\;",
      "find / -exec chmod 777 {} +",
      "find /usr -exec sudo chown me {} +",
    ],
  },
  databases: {
    allowed: [
      "dropdb shop_tests",
      "dropdb shop-testing",
      "dropdb testdb",
      "dropdb test1",
      "psql -c 'DROP DATABASE test1'",
      "psql app_test -c 'DROP SCHEMA public CASCADE'",
      "psql -h localhost -U postgres -d app_test -c 'TRUNCATE users'",
      "psql postgres://u:p@localhost:5432/app_test -c 'DELETE FROM users'",
      "PGDATABASE=app_test psql -c 'DROP TABLE users'",
      "mysql -u root test -e 'DROP TABLE users'",
      "mysql -D app_test -e 'TRUNCATE users'",
      "sqlite3 :memory: 'DROP TABLE users'",
      "sqlite3 tmp/test.sqlite3 'DELETE FROM users'",
      "mongosh app_test --eval 'db.dropDatabase()'",
    ],
    denied: [
      "dropdb contest",
      "dropdb latest",
      "dropdb attestations",
      "psql app_test -c 'DROP DATABASE shop'",
      "psql app_test -c 'DROP ROLE shop'",
      "psql -d shop app_test -c 'DROP TABLE users'",
      "psql -d app_test -d shop -c 'DROP TABLE users'",
      "psql --unknown app_test shop -c 'DROP TABLE users'",
      "psql -U test -c 'DROP TABLE users'",
      "psql app_test -c '\\c shop' -c 'DROP TABLE users'",
      "psql 'postgres://localhost/app_test?dbname=shop' -c 'DROP TABLE users'",
      "psql -d $DB -c 'DROP TABLE users'",
      "mysql test -e 'DROP TABLE shop.users'",
      "mysql test -e 'USE shop; DROP TABLE users'",
      "mysql -u test shop -e 'DROP TABLE users'",
      "sqlite3 app.db 'DROP TABLE test'",
      "sqlite3 test.db \"ATTACH 'app.db' AS a; DROP TABLE a.users\"",
      "mongosh app --eval 'db.dropDatabase()'",
      "mongosh app_test --eval 'db.getSiblingDB(\"app\").dropDatabase()'",
    ],
  },
  "a new key": {
    allowed: [
      "ssh-keygen -y -f ~/.ssh/id_x > ~/.ssh/id_x.pub",
      "openssl genrsa > ~/.ssh/new.key",
      "openssl genrsa | tee ~/.ssh/new.key",
      "ssh-keygen -t ed25519 -f ~/.ssh/id_new",
      "age -d --output ~/.ssh/id_new key.age",
    ],
    denied: [
      "echo x > ~/.ssh/authorized_keys",
      "echo x > ~/.ssh/config",
      "mv backup ~/.ssh/new.key; openssl genrsa > ~/.ssh/new.key",
      "rm ~/.ssh/id_new",
      "shred ~/.ssh/id_new",
    ],
  },
  defaults: {
    allowed: [
      'rm -rf "${BUILD_DIR:-build}"',
      'rm -rf "${BUILD_DIR:-build}"/*',
      'rm -rf "${TMPDIR:-/tmp}/x"',
      'rm -rf "${XDG_CACHE_HOME:-$HOME/.cache}/shop"',
      'echo "${x:-rm -rf /}"',
      "d=build; rm -rf ${d:-/}",
    ],
    denied: [
      "rm -rf ${ROOT:-/}",
      'rm -rf "${ROOT-/}"',
      'rm -rf "${ROOT:=/}"/*',
      'rm -rf "${ROOT:-}"/*',
      'D="${ROOT:-/etc}"; rm -rf "$D"',
      "${x:=rm} -rf /",
      ": ${x:=rm}; $x -rf /",
      'eval "${x:-rm -rf /}"',
      'bash -c "${x:-rm -rf /}"',
      "${SH:-bash} -c 'rm -rf /'",
      "find ${ROOT:-/} -delete",
      "echo x > ${F:-/etc/passwd}",
      'mkfs.ext4 "${DISK:-disk.img}"',
      'dropdb "${DB:-app_test}"',
    ],
  },
  terminals: {
    allowed: ["tmux new-session -d 'npm run dev'", "tmux kill-session -t x", "tmux new-session -d -s 'rm -rf /'"],
    denied: [
      "tmux new-session -d 'rm -rf /'",
      "tmux new-session -d -s x -n y -c /tmp 'rm -rf /'",
      "tmux -L other new-session -Ad -s x rm -rf /",
      "tmux neww 'rm -rf /'",
      "tmux new-session -d \\; send-keys 'rm -rf /' Enter",
      "screen -dmS x rm -rf /",
    ],
  },
};

for (const [name, { allowed, denied }] of Object.entries(CASES))
  describe(`block-destructive on ${name}`, () => {
    for (const command of allowed)
      test(`allows ${command}`, async () => expect(await askLine(command)).toBeUndefined());
    for (const command of denied)
      test(`denies ${command}`, async () => expect((await askLine(command))?.decision).toBe("deny"));
  });

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-precision-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("block-destructive on deleted branches", () => {
  const root = join(folder, "repository");
  mkdirSync(root);
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
  const commit = (name: string) => {
    writeFileSync(join(root, name), name);
    git("add", ".");
    git("commit", "-q", "-m", name);
  };
  git("init", "-q", "-b", "main");
  commit("one");
  git("branch", "merged");
  git("checkout", "-q", "-b", "open");
  commit("two");
  git("branch", "twin");
  git("checkout", "-q", "-b", "fetched", "main");
  commit("three");
  git("update-ref", "refs/remotes/origin/fetched", "HEAD");
  git("checkout", "-q", "main");
  const allowed = [
    "git branch -D merged",
    "git branch -D merged fetched",
    "git branch --delete --force merged",
    "git branch -D open",
    "git checkout main && git branch -D merged",
    "git fetch -p && git branch -D merged",
  ];
  const denied = [
    "git branch -D open twin",
    "git branch -D merged nowhere",
    "git branch -D",
    "git fetch -p && git branch -D fetched",
    "git reset --hard HEAD~1 && git branch -D merged",
    "git branch -f main HEAD~1; git branch -D merged",
    "git checkout -B main HEAD~1 && git branch -D merged",
    "git -C ../other branch -D merged",
    "GIT_DIR=../other/.git git branch -D merged",
    "git branch -D $BRANCH",
    "git branch -Dr origin/fetched",
    "git branch --merged | xargs git branch -D",
    "./script && git branch -D merged",
    "ssh host git branch -D merged",
  ];
  for (const command of allowed)
    test(`allows ${command}`, async () => expect(await askLine(command, {}, root)).toBeUndefined());
  for (const command of denied)
    test(`denies ${command}`, async () => expect((await askLine(command, {}, root))?.decision).toBe("deny"));
});

test("a command that is too long to be parsed is only allowed if its text mentions nothing covered by a rule", async () => {
  const code = `cat > a.js <<'E'\n${"run(() => a && b);\n".repeat(9000)}E\n`;
  expect(await askLine(code)).toBeUndefined();
  const ends = [":(){ :|:& };:", "rm -rf /", "r''m -rf /", "$x -rf /", "echo x > /etc/passwd", "echo x > .git/HEAD"];
  for (const end of ends) await expect(askLine(code + end)).rejects.toThrow("too long");
  await expect(askLine(code, { protect: ["src/a.js"] })).rejects.toThrow("too long");
  await expect(askLine(code, { deny: ["terraform apply*"] })).rejects.toThrow("too long");
});

test("objects and refs of a bare repository are protected, but not its hooks", async () => {
  const root = join(folder, "bare");
  Bun.spawnSync(["git", "init", "-q", "--bare", root]);
  expect((await askLine("rm -rf objects", {}, root))?.decision).toBe("deny");
  expect((await askLine(`rm -rf ${root}/refs/heads`))?.decision).toBe("deny");
  expect(await askLine("rm -rf hooks", {}, root)).toBeUndefined();
});
