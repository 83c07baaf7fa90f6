import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { CATEGORIES } from "../../../hooks/_destructive/rules.ts";
import { CONDITIONS, SETS } from "../../../hooks/_destructive/sets.ts";
import hook from "../../../hooks/block-destructive.ts";
import { entryOf } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { respond } from "../../../src/run/run.ts";
import { payloadOf } from "../../support/fixtures.ts";
import { ask } from "../../support/hook.ts";

const HOME = "/home/me";
const CWD = "/home/me/code/shop";
/** Read once: answers that are awaited together would restore what another of them had set. */
const before = process.env.HOME;

/** What the hook answers to a line, with options as a config file would give them. */
async function answerTo(command: string, options: object = {}, cwd = CWD): Promise<IHookResponse | undefined> {
  process.env.HOME = HOME;
  try {
    return await ask(hook, { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd, input: { command } }, options);
  } finally {
    process.env.HOME = before;
  }
}

interface Cases {
  denied: readonly string[];
  allowed: readonly string[];
}

/** How a line may put a command, so that it is found in each of them; and where the words are only said. */
const shell: Cases = {
  denied: [
    "r''m -rf /",
    'r\\m -rf "/"',
    "rm \\\n -rf /",
    "$'\\x72m' -rf /",
    "cd /tmp && sudo rm -rf /",
    "true; /bin/rm -rf /etc/",
    "FOO=1 env -i rm -rf /",
    "sudo -Eu root rm -rf /",
    "sudo --user root rm -rf /",
    "timeout --signal KILL 5 rm -rf /",
    "nice -n 5 rm -rf /",
    "bash -c 'rm -rf /'",
    'sh -lc "cd x && rm -rf ~"',
    "bash -ce 'rm -rf /'",
    "bash -c -e 'rm -rf /'",
    "bash -c -- 'rm -rf /'",
    "tmux send-keys 'rm -rf /' Enter",
    "ssh localhost 'rm -rf /'",
    "make -f- <<< 'all: ; rm -rf /'",
    "echo '@daily rm -rf /' | crontab -",
    "git -c core.pager='rm -rf /' log",
    "GIT_SSH_COMMAND='rm -rf /' git fetch",
    "chroot / rm -rf /",
    "claude mcp add x -- sh -c 'rm -rf /'",
    "python3 -c 'import os; os.system(\"rm -rf /\")'",
    "bash <<< 'rm -rf /'",
    "bash <<X\nrm -rf /\nX",
    "echo 'rm -rf /' | sh",
    "echo cm0gLXJmIC8= | base64 -d | sh",
    "echo $(rm -rf /)",
    'echo "$(rm -rf /)"',
    'echo "$(echo "$(rm -rf ~)")"',
    "echo `rm -rf /`",
    "diff <(ls) <(rm -rf /)",
    "eval 'rm -rf /'",
    "ls | xargs rm -rf /",
    "(rm -rf /)",
    "if true; then rm -rf /; fi",
    "while rm -rf /; do :; done",
    "for d in a; do rm -rf /; done",
    "case x in x) rm -rf /;; esac",
    "[[ -d x ]] && rm -rf /",
    'echo "$(date)"; rm -rf /',
    "cat <<- EOF\n\tx\n\tEOF\nrm -rf /",
    "cat <<'X'\nit's\nX\nrm -rf /",
    "(( x << 2 ))\nrm -rf /",
    "let x=1<<2\nrm -rf /",
    "# don't\nrm -rf /",
    "echo $'it\\'s'; rm -rf /",
    "git commit -m \"$(cat <<'EOF'\nfix: don't crash\nEOF\n)\" && git push --force",
    'git commit -m "$(cat <<EOF\none " quote\nEOF\n)"; rm -rf /',
    "d=/; rm -rf $d",
    "d=/; f() { local d=/tmp/x; :; }; f; rm -rf $d",
    "IFS=,;x=rm,-rf,/;$x",
    "IFS=$'\\n\\t'; d=/; rm -rf $d",
    "IFS=$(printf %s x | cat); d=/; rm -rf $d",
    "unset IFS; d=/; rm -rf $d",
    "cmd=rm; $cmd -rf /",
    "rm -rf {/etc,/usr}",
    "ssh host rm -rf /etc",
    "ssh host 'cd / && rm -rf *'",
    "if (Test-Path x) { rm -r /etc }",
    "wipe() { rm -rf ~; }; wipe",
  ],
  allowed: [
    "",
    "ls -la",
    'echo "rm -rf /"',
    'echo "$(date)"; echo "rm -rf /"',
    "printf '%s\\n' 'git push --force'",
    "# rm -rf /",
    "cat <<X\nrm -rf /\nX",
    "cat > notes.md <<'EOF'\nNever run git push --force or DROP TABLE users;\nEOF",
    "git commit -m 'rm -rf /'",
    "git commit -m 'push --force'",
    "git commit -m \"$(cat <<'EOF'\nfeat: don't rm -rf /\nEOF\n)\"",
    "gh pr create --title 'Guard' --body 'blocks mkfs.ext4 /dev/sda and terraform destroy'",
    "grep -r 'rm -rf /' src",
    "rg 'DROP TABLE' .",
    "bash script.sh -c 'rm -rf /'",
    "apply_patch <<'P'\n*** Begin Patch\n*** Update File: a.md\n@@\n rm -rf /\n*** End Patch\nP",
    "for f in *.ts; do sed -i 's/a/b/' \"$f\"; done &> log 2>&1",
    "docker run --rm -v $PWD:/app node npm ci",
    "echo $((1 << 2)) ${x:-y} <<< 'rm'",
    "npm run format && npm run build && npm test",
    "man rm; which dd; type mkfs; command -v shutdown",
    "git log --grep 'reset --hard'",
    "rm --help && git push --force --help",
    "d=/tmp/x; f() { local d=/; ls $d; }; f; rm -rf $d",
    "IFS=, read -r a b <<< x,y; x=rm,-rf,/; echo $x",
    "python3 -c 'print(\"rm -rf /\")'",
    "echo git push --force >> notes.txt",
    "if (Test-Path x) { rm -r x }",
  ],
};

const filesystem: Cases = {
  denied: [
    "rm -rf /",
    "rm -rf /*",
    "rm -rf //",
    "rm -rf /etc/..",
    "rm -rf / --no-preserve-root",
    "rm -fr ~",
    "rm -r -f $HOME",
    'rm -rf "$HOME/"',
    'rm -rf "${HOME:?}"/*',
    "rm -rf ~/*",
    "rm -rf ~root",
    "rm -rf /home/me",
    "rm -rf /home/somebody",
    "rm -rf ~/Documents",
    "rm -rf ~/.ssh",
    "rm -rf ~/other-project",
    "rm -rf ~/.local/share",
    "rm --recursive --force .",
    "rm --recurs --force .",
    "rm -rf ./",
    "rm -rf *",
    "rm -rf ./*",
    "rm -rf .* *",
    "rm -rf */",
    "rm -rf ..",
    "rm -rf ../..",
    "rm -rf ../shop",
    "cd .. && rm -rf shop",
    "cd / && rm -rf *",
    "cd ~ && rm -rf ./*",
    "cd sub/deeper && rm -rf ../../*",
    "rm -rf $PWD",
    'rm -rf "$(pwd)"',
    'rm -rf "$(git rev-parse --show-toplevel)"',
    'cd sub && rm -rf "$(git rev-parse --show-toplevel 2>/dev/null)"/*',
    'cd "$(git rev-parse --show-toplevel)" && rm -rf *',
    "cd $(git rev-parse --show-toplevel); rm -rf .git",
    'cd sub && cd "$(git rev-parse --show-toplevel)" && rm -rf .git',
    'cd "$(git rev-parse --show-toplevel)/sub" && rm -rf ../*',
    "find . -name .git -type d -exec rm -rf {} +",
    "find -name .git -prune -exec rm -rf {} +",
    'find "$PWD" -type d \\( -name .git -o -name dist \\) -prune -exec rm -rf {} +',
    "find . -path '*/.git' -exec rm -rf {} \\;",
    "find . -path './.git/*' -delete",
    "rm -rf build .git",
    "rm -rf .git/objects",
    "rm -Rf /usr",
    "rm -rf /usr/local/bin",
    "rm -rf /var/lib/postgresql",
    "rm -rf /var/lib/postgresql/15/main",
    "docker exec db rm -rf /var/lib/mysql/shop",
    "rm -rf /var/lib/docker/volumes/data",
    "rm -rf /etc/nginx",
    "rm -rf /data",
    "rm -rf C:/Users/me",
    "rm -rf /c/Windows",
    "rm -rf /mnt/c/Users",
    'rm -rf "$BUILD_DIR"/*',
    "rm -rf $PREFIX/",
    "npx rimraf ~",
    "npx rimraf@5 ~",
    "rm ~/.ssh/id_ed25519",
    "rm -f /etc/passwd",
    "unlink ~/.bashrc",
    "find / -name x -delete",
    "find ~ -exec rm {} ;",
    "find . -delete",
    "find -L . -type f -delete",
    "find . ! -name keep.txt -delete",
    "find . -name '*' -delete",
    "find /etc -type f -exec shred -u {} +",
    "find .. -type d -exec sh -c 'rm -rf \"$1\"' _ {} \\;",
    "chmod -R 777 /",
    "chmod --recursive 000 ~",
    "sudo chown -R me /usr",
    "chown -R me:me /etc /opt/app",
    "mv ~ /dev/null",
    "mv src/main.ts /dev/null",
    "mv /etc /tmp/etc",
    "mv .git /tmp/old",
    "rsync -a --delete empty/ ./",
    "rsync -av --delete /tmp/empty/ ~/",
    "rsync -a --delete-after -e 'ssh -p 2222' x/ /home/me",
    "shred -u ~/.ssh/id_rsa",
    "truncate -s 0 /etc/fstab",
    "> /etc/passwd",
    "echo x > ~/.bashrc",
    "cd ~ && echo > .zshrc",
    "echo x | sudo tee /etc/sudoers",
    "cp /dev/null ~/.gitconfig",
    "dd if=/dev/null of=/etc/shadow",
    "cat key > ~/.ssh/authorized_keys",
    "echo b > /proc/sysrq-trigger",
    "echo 'ref: x' > .git/HEAD",
  ],
  allowed: [
    "rm -rf ./build",
    "rm -rf node_modules",
    "rm -rf node_modules dist coverage .next .turbo",
    "rm -rf /tmp/x",
    "rm -rf /tmp/x/y",
    "rm -rf /tmp/*",
    "rm -rf /var/tmp/build",
    "rm file",
    "rm -f *.log",
    "rm -rf src/generated/*",
    "rm -rf ./src/**/__snapshots__",
    "cd build && rm -rf *",
    "cd build && rm -rf ./* .*",
    "(cd dist; rm -rf .)",
    "rm -rf /home/me/code/shop/dist",
    "rm -rf ~/code/shop/dist",
    "rm -rf ~/code/old-shop",
    "rm -rf ~/.cache",
    "rm -rf ~/.npm/_cacache ~/.cache/pip",
    "rm -rf ../shop-worktree/node_modules",
    'rm -rf "$TMPDIR/x"',
    'rm -rf "$tmp"',
    "d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT",
    'd=$(mktemp -d) && rm -rf "$d"/*',
    'for d in a b; do rm -rf "$d"/*; done',
    'rm -rf "${BUILD_DIR:?}"/*',
    "rm -rf $PREFIX/lib/x",
    "rm -rf /var/lib/apt/lists/*",
    "rm -f /var/lib/mysql/x.log",
    "rm -rf /var/lib/app/cache",
    "sudo rm -rf /usr/local/go",
    "rm -f /etc/nginx/sites-enabled/default",
    "rm -rf /opt/app/releases/1",
    "rm -rf template/.git",
    "cd template && rm -rf .git",
    "rm -f .git/index.lock",
    "rm -rf .git/hooks",
    "rm -f ~/.ssh/known_hosts",
    "rm -rf '$HOME'",
    "docker run --rm alpine rm -rf /app",
    "ssh host rm -rf build",
    "find . -name '*.o' -delete",
    "find . -name node_modules -type d -prune -exec rm -rf {} +",
    "find / -name x",
    "find /tmp -name x -delete",
    "find build -delete",
    "find . -empty -type d -delete",
    "find template -name .git -type d -exec rm -rf {} +",
    "find . -mindepth 2 -name .git -type d -exec rm -rf {} +",
    "find . -name .gitkeep -delete",
    "find . -name .git -prune -o -name '*.orig' -delete",
    "find . \\( -name .git -o -name node_modules \\) -prune -o -name '*.orig' -exec rm {} +",
    "find . -name '*.o' -not -path './.git/*' -delete",
    "find . ! \\( -path ./.git -prune \\) -name '*.o' -delete",
    'cd "$(git rev-parse --show-toplevel)" && rm -rf node_modules dist',
    'cd "$(git rev-parse --show-toplevel)/dist" && rm -rf *',
    'rm -rf "$(git rev-parse --show-toplevel)/dist"',
    "find . -exec grep -l rm {} +",
    "find . -type f -mtime +30 -delete",
    "chmod -R u+w ./dist",
    "chmod -R 755 .",
    "chmod 777 /tmp/x",
    "chmod 600 ~/.ssh/id_ed25519",
    "chown -R node:node /app /var/www/html",
    "mv a b",
    "mv ~/code/shop/a.ts ~/code/shop/b.ts",
    "mv ./* sub/",
    "mv x.conf /etc/",
    "rsync -a --delete dist/ host:/var/www/",
    "rsync -a --delete dist/ out/",
    "rsync -a src/ ~/",
    "truncate -s 0 app.log",
    "> out.txt",
    "echo x >> ~/.bashrc",
    "cat ~/.bashrc > copy",
    "cat /etc/passwd",
    "cat < /etc/hosts",
    "echo 127.0.0.1 x | sudo tee -a /etc/hosts",
    "cp ~/.gitconfig ~/.gitconfig.bak",
    "cp hooks/pre-commit .git/hooks/pre-commit",
    "echo '#!/bin/sh' > .git/hooks/pre-commit",
    "shred -u secret.txt",
    "dd if=a of=b",
    "rmdir empty",
  ],
};

const git: Cases = {
  denied: [
    "git push --force",
    "git push -f",
    "git push -fu origin main",
    "git push origin main --force",
    "git push origin +main",
    "git push origin +main -f",
    "git push origin HEAD:main +dev",
    "git push --force-with-lease --force",
    "git push --mirror",
    "git push --prune origin",
    "git -C /x push --force",
    "git -c user.name=x --no-pager push -f",
    "git push origin --delete main",
    "git push -d origin release/2.0",
    "git push origin :master",
    "git push origin :refs/tags/v1.0.0",
    "git push --delete origin v1.2.3",
    "git reset --hard",
    "git reset --hard HEAD~3",
    "git reset --merge",
    "git checkout .",
    "git checkout -- .",
    "git checkout HEAD -- .",
    "git checkout -f main",
    "git switch --discard-changes main",
    "git restore .",
    "git restore ':/'",
    "git restore --staged --worktree .",
    "git clean -fd",
    "git clean -fdx",
    "git clean -xdff",
    "git clean -d --force",
    "git clean -fd .",
    "git rm -rf .",
    "git rm -r *",
    "git branch -D feature",
    "git branch --delete --force feature",
    "git stash drop",
    "git stash clear",
    "git worktree remove --force ../x",
    "git filter-branch --tree-filter 'rm x' HEAD",
    "git filter-repo --path src",
    "git reflog expire --expire=now --all",
    "git gc --prune=now --aggressive",
    "git prune",
    "git update-ref -d refs/heads/x",
    "gh repo delete me/shop --yes",
    "gh release delete v1",
    "bfg --delete-files id_rsa",
  ],
  allowed: [
    "git status",
    "git push",
    "git push -u origin feature",
    "git push origin feature",
    "git push --force-with-lease",
    "git push --force-if-includes --force-with-lease origin feature",
    "git push --dry-run --force",
    "git push --tags",
    "git push --delete origin feature/login",
    "git push origin :feature/login",
    "git log push -f",
    "git reset",
    "git reset --soft HEAD~1",
    "git reset HEAD src/a.ts",
    "git checkout main",
    "git checkout -b topic",
    "git checkout -- src/a.ts",
    "git checkout HEAD~1 -- src/",
    "git switch -c topic",
    "git restore src/a.ts",
    "git restore --staged .",
    "git clean -n",
    "git clean -fdn",
    "git clean --dry-run -fdx",
    "git clean -fdx build/",
    "git rm -r src/old",
    "git rm -r --cached .",
    "git branch -d feature",
    "git branch -M main",
    "git stash",
    "git stash pop",
    "git stash list",
    "git tag -d v1",
    "git worktree remove ../x",
    "git worktree prune",
    "git remote prune origin",
    "git fetch --prune --force",
    "git gc",
    "git reflog",
    "git rebase -i main",
    "git commit --amend --no-edit",
    "git add -f dist",
    "git merge --abort",
    "git diff --stat | head",
    "gh pr merge --delete-branch",
    "gh repo view",
    "gh release list",
  ],
};

const database: Cases = {
  denied: [
    'psql -c "DROP TABLE users"',
    "psql -d shop -c 'drop database shop;'",
    'psql postgres://x/y --command="TRUNCATE orders"',
    'psql -c "BEGIN; DELETE FROM users; COMMIT"',
    'psql -c "UPDATE users SET admin = true"',
    'psql -c "delete from users where true"',
    'psql -c "ALTER TABLE users DROP COLUMN email"',
    'psql -c "DROP SCHEMA public CASCADE"',
    "psql <<SQL\nDROP TABLE users;\nSQL",
    "psql <<< 'TRUNCATE TABLE orders'",
    "echo 'DROP TABLE users' | psql shop",
    "printf 'SELECT 1;\\nDELETE FROM users;\\n' | sudo -u postgres psql",
    "cat <<SQL | docker exec -i db psql\nDROP TABLE users;\nSQL",
    "echo flushall | redis-cli",
    "mysql -u root -e 'DROP DATABASE shop'",
    "mysql -e'DROP TABLE a'",
    'mysql shop --execute "DELETE FROM carts;"',
    "mariadb -e 'truncate table carts'",
    "sqlite3 app.db 'DROP TABLE users;'",
    'sqlite3 app.db "DELETE FROM users"',
    "duckdb x.db 'drop table t'",
    'cqlsh -e "DROP KEYSPACE shop"',
    "clickhouse-client --query 'DROP TABLE events'",
    "sudo -u postgres psql -c 'DROP ROLE app'",
    'docker exec -i db psql -U x -c "DROP DATABASE y"',
    'docker compose exec db mysql -e "DROP TABLE x"',
    'kubectl -n a exec -it p -- psql -c "drop table x"',
    "ssh db \"psql -c 'DROP TABLE users'\"",
    "kubectl exec db-0 -n prod -- dropdb app",
    "kubectl exec deploy/web -c app -- rails db:drop",
    "k exec db-0 -n prod -- dropdb app",
    "npx prisma@latest migrate reset --force",
    "bunx prisma@6.1.0 migrate reset",
    "deno run -A npm:prisma@6 migrate reset",
    "pnpm dlx @scope/prisma@6 migrate reset",
    "bq query 'DROP TABLE d.t'",
    "wrangler d1 execute shop --command 'DELETE FROM users'",
    "mongosh shop --eval 'db.dropDatabase()'",
    "mongo --eval 'db.users.drop()'",
    "mongosh --eval 'db.users.deleteMany({})'",
    "redis-cli FLUSHALL",
    "redis-cli -h x -n 1 flushdb",
    "redis-cli <<< flushall",
    "dropdb shop",
    "dropdb $DB",
    'dropdb "${X}_test"',
    "dropdb -h test latest",
    "dropdb app_test && dropdb contest",
    "psql -l | cut -f1 | xargs dropdb",
    "psql -c 'DROP DATABASE app_test; DROP DATABASE app'",
    "mysqladmin -u test drop shop",
    "aws-vault exec prod -- npx prisma migrate reset",
    "dotenv -e .env.local -- npx prisma migrate reset",
    "npx cross-env A=1 prisma migrate reset",
    "infisical run --env=prod -- rails db:drop",
    "./vendor/bin/sail artisan migrate:fresh",
    "ddev drush sql-drop",
    'echo "DROP TABLE users" | npx prisma db execute --stdin',
    "npx prisma db execute --stdin <<< 'DROP TABLE users'",
    'wp db query "DROP TABLE wp_posts"',
    "drush sqlq 'TRUNCATE cache'",
    "mysqladmin -u root drop shop",
    "mongorestore --drop dump/",
    "pg_restore --clean -d shop x.dump",
    "etcdctl del --prefix ''",
    "npx prisma migrate reset --force",
    "pnpm exec prisma db push --accept-data-loss",
    "rails db:drop",
    "bin/rails db:reset",
    "bundle exec rake db:drop:all",
    "RAILS_ENV=production rails db:migrate:reset",
    "python manage.py flush --no-input",
    "./manage.py flush",
    "uv run python manage.py reset_db",
    "php artisan migrate:fresh --seed",
    "php bin/console doctrine:database:drop --force",
    "npx sequelize-cli db:drop",
    "yarn typeorm schema:drop -d ds.ts",
    "mix ecto.reset",
    "alembic downgrade base",
    "supabase db reset",
    "dotnet ef database drop -f",
    "heroku pg:reset DATABASE --confirm app",
  ],
  allowed: [
    'psql -c "SELECT * FROM users"',
    'psql -c "DELETE FROM users WHERE id = 3"',
    'psql -c "UPDATE users SET admin = true WHERE id = 3"',
    "psql -c \"SELECT 'DROP TABLE users'\"",
    'psql -c "-- DROP TABLE users\nSELECT 1"',
    'psql -c "DROP INDEX idx"',
    'psql -c "ALTER TABLE users DROP CONSTRAINT c"',
    'psql -c "ALTER TABLE users ADD COLUMN dropped_at timestamp"',
    'psql -c "DROP TEMPORARY TABLE t"',
    'psql -c "CREATE TABLE t (id int)"',
    'psql -c "SELECT updated, deleted FROM t"',
    "psql -f migrations/001.sql",
    "psql shop < schema.sql",
    "psql <<SQL\nSELECT 1;\nSQL",
    "mysql -e 'SHOW TABLES'",
    "mysqldump shop > dump.sql",
    "mysqldump --add-drop-table shop > dump.sql",
    "sqlite3 app.db .tables",
    "sqlite3 app.db 'UPDATE users SET a=1 WHERE b=2;'",
    'grep -r "DROP TABLE" .',
    "grep -n 'DELETE FROM' migrations/*.sql",
    "echo 'DROP TABLE users;' > migrations/002.sql",
    "mongosh --eval 'db.users.find()'",
    "mongosh --eval 'db.users.deleteMany({ old: true })'",
    "redis-cli KEYS '*'",
    "redis-cli del session:1",
    "createdb shop",
    "pg_restore -d shop x.dump",
    "pg_dump shop",
    "npx prisma migrate dev",
    "npx prisma generate",
    "npx prisma db push",
    "rails db:migrate",
    "RAILS_ENV=test rails db:reset",
    "MIX_ENV=test mix ecto.reset",
    "rails db:test:prepare",
    "python manage.py migrate",
    "python manage.py test",
    "php artisan migrate",
    "dropdb --if-exists app_test && createdb app_test",
    "dropdb -U postgres -h localhost test",
    "dropdb -i shop",
    "psql -c 'DROP DATABASE IF EXISTS \"app_test\"' -c 'CREATE DATABASE app_test'",
    "mysqladmin drop app-test -u root",
    "sail artisan migrate",
    "sail npm run build",
    "npx prisma db execute --stdin <<< 'SELECT 1'",
    "wp db query 'SELECT * FROM wp_posts'",
    "dotenv -e .env.test -- npx prisma migrate deploy",
    "npm install prisma",
    "npm install prisma@latest rimraf@5",
    "npx prisma@latest migrate dev",
    "kubectl exec db-0 -n prod -- psql -c 'SELECT 1'",
    "docker run psql node dropdb.js -- shop",
    "alembic upgrade head",
    "alembic downgrade -1",
    "supabase start",
  ],
};

const cloud: Cases = {
  denied: [
    "aws s3 rb s3://bucket --force",
    "aws s3 rm s3://bucket --recursive",
    "aws --profile prod s3 rm s3://bucket/x --recursive",
    "aws ec2 terminate-instances --instance-ids i-1",
    "aws rds delete-db-instance --db-instance-identifier x",
    "aws --region eu-west-1 dynamodb delete-table --table-name x",
    "aws cloudformation delete-stack --stack-name x",
    "aws eks delete-cluster --name x",
    "aws kms schedule-key-deletion --key-id x",
    "gcloud compute instances delete vm-1 --quiet",
    "gcloud --project x projects delete x",
    "gcloud storage rm -r gs://bucket",
    "gsutil -m rm -r gs://bucket",
    "bq rm -r -f d",
    "az group delete -n rg --yes",
    "az vm delete --ids x",
    "kubectl delete ns shop",
    "kubectl delete namespace/shop",
    "kubectl -n shop delete pods --all",
    "kubectl delete --all deployments",
    "kubectl delete pvc data-0",
    "kubectl delete deploy,svc,pvc -l app=x",
    "kubectl delete deployment/web pvc/data",
    "kubectl delete StatefulSet db",
    "kubectl delete statefulsets.apps/db",
    "kubectl delete persistentvolumeclaims -l app=x",
    "kubectl delete pod,ns x",
    "oc delete project shop",
    "k delete node/a",
    "aws-vault exec prod -- terraform destroy",
    "aws-vault exec prod --duration 1h -- terraform destroy",
    "aws-vault exec --no-session prod terraform destroy",
    "chamber exec shop -- terraform destroy",
    "kubectl delete crd widgets.example.org",
    "helm uninstall shop",
    "helm -n shop delete shop",
    "terraform destroy",
    "terraform destroy -auto-approve",
    "terraform -chdir=infra apply -destroy -auto-approve",
    "tofu destroy",
    "terragrunt run-all destroy",
    "terraform state rm aws_instance.x",
    "pulumi destroy --yes",
    "npx cdk destroy --all",
    "npx cdk@2 destroy",
    "npx aws-cdk@latest destroy",
    "npx wrangler@3 d1 delete DB",
    "eksctl delete cluster --name x",
    "doctl compute droplet delete 1",
    "flyctl apps destroy shop",
    "heroku apps:destroy --app shop",
    "vercel remove shop --yes",
    "npx wrangler delete",
    "rclone purge remote:bucket",
    "docker system prune -a --volumes",
    "docker system prune -af",
    "docker volume rm data",
    "docker volume prune -f",
    "docker rm -f $(docker ps -aq)",
    "docker ps -aq | xargs docker rm -f",
    "docker container rm --force `docker ps -aq`",
    "docker compose down -v",
    "docker compose -f x.yml down --volumes",
    "docker-compose down -v --remove-orphans",
    "podman system reset",
    "podman volume prune",
    "docker stack rm shop",
    "minikube delete",
    "kind delete cluster",
    "vagrant destroy -f",
    "virsh undefine vm",
  ],
  allowed: [
    "aws s3 ls",
    "aws s3 rm s3://bucket/file",
    "aws s3 rm s3://bucket --recursive --dryrun",
    "aws s3 sync dist s3://bucket --delete",
    "aws s3 rb s3://empty",
    "aws ec2 terminate-instances --instance-ids i-1 --dry-run",
    "aws ec2 describe-instances",
    "aws sqs delete-message --queue-url x",
    "gcloud compute instances list",
    "gcloud projects describe delete-me",
    "gsutil cp a gs://b",
    "az group list",
    "kubectl get pods -A",
    "kubectl delete pod x",
    "kubectl delete pod pvc ns node",
    "kubectl delete deploy,svc -l app=pvc",
    "kubectl delete deploy/ns svc/node",
    "kubectl delete pvc,svc -l app=x --dry-run=client",
    "aws-vault exec prod -- terraform plan",
    "aws-vault exec prod",
    "kubectl delete -f job.yaml",
    "kubectl delete ns shop --dry-run=client",
    "kubectl apply -f x.yaml --prune --all",
    "kubectl rollout restart deployment/x",
    "kubectl logs --all-containers pod/x",
    "helm upgrade --install shop ./chart",
    "helm uninstall shop --dry-run",
    "helm list --all",
    "terraform plan -destroy",
    "terraform plan -out x",
    "terraform apply",
    "terraform state list",
    "tofu init",
    "pulumi up",
    "pulumi destroy --preview-only",
    "npx cdk deploy",
    "flyctl deploy",
    "vercel --prod",
    "npx wrangler deploy",
    "npx wrangler@3 deploy",
    "docker ps -a",
    "docker run --rm -it alpine sh",
    "docker run --rm -v data:/data alpine ls",
    "docker rm web",
    "docker rm -f web",
    "docker system prune",
    "docker system df",
    "docker image prune -f",
    "docker volume ls",
    "docker volume create data",
    "docker compose up -d",
    "docker compose down",
    "docker compose down --remove-orphans",
    "docker-compose down",
    "docker build -t x --rm .",
    "minikube start",
    "vagrant up",
  ],
};

const disks: Cases = {
  denied: [
    "dd if=/dev/zero of=/dev/sda bs=1M",
    "sudo dd of=/dev/nvme0n1 if=x.iso status=progress",
    "mkfs.ext4 /dev/sda1",
    "mkfs -t xfs /dev/vdb",
    'mkfs.ext4 "$DISK"',
    "mkswap /dev/sdb2",
    "wipefs -a /dev/nvme0n1",
    "cat x > /dev/sda",
    "cat x >| /dev/sda",
    "cat x >> /dev/sda",
    "gunzip -c x.gz | sudo tee /dev/sdb",
    "cp x.iso /dev/sdb",
    "shred -n 1 /dev/sda",
    "blkdiscard /dev/nvme0n1",
    "badblocks -wsv /dev/sda",
    "parted -s /dev/sda mklabel gpt",
    "fdisk /dev/sda",
    "echo ',,' | sfdisk /dev/sda",
    "sgdisk --zap-all /dev/sda",
    "cryptsetup luksFormat /dev/sda2",
    "cryptsetup -q erase /dev/sda2",
    "lvremove -f vg/data",
    "vgremove vg",
    "zpool destroy tank",
    "zfs destroy -r tank/data",
    "btrfs subvolume delete /mnt/x",
    "mdadm --zero-superblock /dev/sdb",
    "hdparm --user-master u --security-erase p /dev/sda",
    "nvme format /dev/nvme0n1",
    "diskutil eraseDisk APFS x disk2",
    "diskutil apfs deleteContainer disk2",
    "format C:",
  ],
  allowed: [
    "dd if=/dev/zero of=disk.img bs=1M count=10",
    "dd if=/dev/sda of=backup.img",
    "dd if=/dev/urandom of=/dev/null count=1",
    "mkfs.ext4 disk.img",
    "mkfs.ext4 /dev/loop0",
    "mkswap /swapfile",
    "wipefs /dev/sda",
    "cat < /dev/sda",
    "cat x > /dev/null 2>&1",
    "echo x > /dev/stderr",
    "echo x > /dev/tty",
    "cp /dev/sda1 backup.img",
    "lsblk -f",
    "parted -l",
    "parted /dev/sda print",
    "fdisk -l /dev/sda",
    "sfdisk -d /dev/sda",
    "sgdisk -p /dev/sda",
    "badblocks -sv /dev/sda",
    "cryptsetup luksDump /dev/sda2",
    "cryptsetup open /dev/sda2 x",
    "lvs && vgs && pvs",
    "lvremove --test vg/data",
    "zpool status",
    "zfs list -t snapshot",
    "zfs destroy -nv tank/data@x",
    "btrfs subvolume list /",
    "mdadm --detail /dev/md0",
    "hdparm -I /dev/sda",
    "nvme list",
    "diskutil list",
    "npm run format",
    "black --check . ; terraform fmt; cargo fmt; format src/a.ts",
  ],
};

const system: Cases = {
  denied: [
    "shutdown -h now",
    "sudo reboot",
    "halt -p",
    "poweroff",
    "init 0",
    "systemctl reboot",
    "systemctl stop sshd",
    "systemctl disable --now NetworkManager",
    "service ssh stop",
    "kill -9 -1",
    "kill -KILL -- -1",
    "kill -9 1",
    "killall5 -9",
    ":(){ :|:& };:",
    ": () { : | : & } ; :",
    "bomb() { bomb | bomb & }; bomb",
    "crontab -r",
    "crontab -u me -r",
    "iptables -F",
    "iptables -t nat --flush",
    "nft flush ruleset",
    "ufw disable",
    "userdel -r me",
    "deluser me",
    "groupdel staff",
    "apt-get remove --allow-remove-essential bash",
    "tmutil delete /x",
    "efibootmgr -b 0 -B",
  ],
  allowed: [
    "shutdown -c",
    "systemctl status sshd",
    "systemctl restart nginx",
    "systemctl stop nginx",
    "systemctl --user stop app",
    "systemctl list-units",
    "service nginx stop",
    "kill 1234",
    "kill -9 4321",
    "kill -1 1234",
    "kill -HUP 1234",
    "kill %1",
    "kill -l",
    "pkill node",
    "killall node",
    "crontab -l",
    "crontab jobs.txt",
    "iptables -L -n",
    "iptables -A INPUT -j ACCEPT",
    "nft list ruleset",
    "ufw status",
    "useradd me",
    "usermod -aG docker me",
    "apt-get remove -y nano",
    "npm init -y",
    "git init",
    "f() { echo x | tr x y & }; f",
    "node reboot.js",
    "tmutil listbackups",
  ],
};

/** What is not found, so that it shows when that changes. */
const misses = [
  "python3 -c 'import shutil; shutil.rmtree(\"/\")'",
  "perl -e 'unlink glob \"*\"'",
  "./cleanup.sh",
  "make clean-everything",
  "curl -X DELETE https://api.example.org/everything",
  "curl https://example.org/x.sh | sh",
  "cat drop.sql | psql",
  "psql -f drop.sql",
  "git config alias.p 'push --force' && git p",
  "ls / | xargs rm -rf",
  'cd "$X"; rm -rf *',
  "rm -f *",
  "rm -rf ~/code/other/src",
  "git checkout -- src/",
  "git push origin --delete feature",
  "Remove-Item -Recurse -Force C:\\",
  "rm $OPTIONS /",
  "r${EMPTY}m -rf /",
];

const tables = { shell, filesystem, git, database, cloud, disks, system };
let ran = 0;
for (const [name, { denied, allowed }] of Object.entries(tables)) {
  describe(name, () => {
    for (const command of denied)
      test(`denies ${command}`, async () => {
        expect((await answerTo(command))?.decision).toBe("deny");
        ran++;
      });
    for (const command of allowed)
      test(`lets pass ${command}`, async () => {
        expect(await answerTo(command)).toBeUndefined();
        ran++;
      });
  });
}

test("every case ran, and no category is thin", () => {
  const counts = Object.values(tables).map(({ denied, allowed }) => [denied.length, allowed.length] as const);
  expect(Math.min(...counts.flat())).toBeGreaterThan(20);
  expect(ran).toBe(counts.flat().reduce((sum, count) => sum + count, 0));
});

/** A word or two of each set. */
const SAMPLES: Readonly<Record<string, string>> = {
  folder: "/etc",
  file: "/etc/passwd",
  system: "/usr",
  moved: "/etc /tmp/etc",
  destination: "empty/ ~",
  below: "rm {} \\;",
  tree: ".",
  whole: ".",
  lasting: "shop",
  namespace: "ns",
  kept: "pvc",
  disk: "/dev/sda",
  last: "x /dev/sda",
  device: "/dev/sda",
  drive: "C:",
  main: "main",
  listed: "$(docker ps -aq)",
  everyone: "-9 -1",
  sql: "'DROP TABLE x'",
  mongo: "'db.dropDatabase()'",
  redis: "flushall",
};

/** The words of a pattern's token, for each of its alternatives. */
function spelled(token: string): string[] {
  if (/^[!?]/.test(token)) return [""];
  if (token === "**") return ["any"];
  const [, prefix = "", set] = /^([^<]*)<(\w+)>$/.exec(token) ?? [];
  return set === undefined ? token.split("|").map((word) => word.replaceAll("*", "x")) : [prefix + SAMPLES[set]];
}

describe("rules", () => {
  const rules = Object.entries(CATEGORIES).flatMap(([category, byProgram]) =>
    Object.entries<Readonly<Record<string, string>>>(byProgram).flatMap(([programs, patterns]) =>
      Object.entries(patterns).map(([pattern, why]) => ({ category, programs, pattern, why })),
    ),
  );
  test("name sets and conditions that there are", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(Object.keys(SETS).sort());
    for (const { pattern, why } of rules) {
      const sets = [...pattern.matchAll(/<(\w+)>/g)].map(([, set]) => set as string);
      for (const set of sets) expect([pattern, set in SETS]).toEqual([pattern, true]);
      for (const [, condition] of pattern.matchAll(/(?:^| )\?(\w+)/g))
        expect([pattern, (condition as string) in CONDITIONS]).toEqual([pattern, true]);
      for (const [, set] of why.matchAll(/<(\w+)>/g)) expect([why, sets.includes(set as string)]).toEqual([why, true]);
      expect(why).not.toMatch(/^[A-Z]|\.$/);
    }
  });
  let lines = 0;
  for (const { category, programs, pattern } of rules)
    test(`${category}: ${programs.split("|", 1)} ${pattern}`, async () => {
      const tokens = pattern.split(" ").map(spelled);
      const most = Math.max(...tokens.map((words) => words.length), programs.split("|").length);
      for (let at = 0; at < most; at++) {
        const program = (programs.split("|")[at % programs.split("|").length] as string).replaceAll("*", "x");
        const line = [program, ...tokens.map((words) => words[at % words.length])]
          .filter((word) => word !== "")
          .join(" ");
        expect([line, (await answerTo(line))?.decision]).toEqual([line, "deny"]);
        lines++;
      }
    });
  test("each of their words was tried", () => {
    expect(rules.length).toBeGreaterThan(190);
    expect(lines).toBeGreaterThan(500);
  });
});

describe("misses", () => {
  for (const command of misses)
    test(`does not see ${command}`, async () => expect(await answerTo(command)).toBeUndefined());
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-destructive-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("links", () => {
  const project = join(folder, "project");
  mkdirSync(join(project, "build/out"), { recursive: true });
  symlinkSync("/", join(project, "build/root"));
  symlinkSync("/etc", join(project, "etc"));
  symlinkSync(project, join(folder, "same"));
  const denied = [
    "rm -rf build/root/*",
    "rm -rf build/root/",
    "rm -rf build/root/etc",
    "cd build/root && rm -rf *",
    "cat x > etc/passwd",
  ];
  const allowed = ["rm -rf build/root", "rm build/root", "rm -rf build/out/*", "rm -rf etc"];
  for (const command of denied)
    test(`denies ${command}`, async () => expect((await answerTo(command, {}, project))?.decision).toBe("deny"));
  for (const command of allowed)
    test(`lets pass ${command}`, async () => expect(await answerTo(command, {}, project)).toBeUndefined());
  test("the folder where one stands, by another name", async () => {
    expect((await answerTo(`rm -rf ${project}`, {}, join(folder, "same")))?.decision).toBe("deny");
    expect((await answerTo(`rm -rf ${join(folder, "same")}/*`, {}, project))?.decision).toBe("deny");
  });
  test("a message says what is behind a link", async () => {
    expect((await answerTo("rm -rf build/root/etc", {}, project))?.reason).toBe(
      'Blocked "rm -rf build/root/etc": it can\'t be taken back: it deletes build/root/etc (which is /etc) with everything in it. Ask the user to run it if it is really wanted.',
    );
  });
});

describe("what is not committed", () => {
  /** A repository with one file. */
  const newRepository = (name: string) => {
    const root = join(folder, name);
    mkdirSync(join(root, "sub"), { recursive: true });
    writeFileSync(join(root, "a.txt"), "one");
    const git = (...args: string[]) =>
      Bun.spawnSync(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    return root;
  };
  const [clean, dirty, untracked] = [newRepository("clean"), newRepository("dirty"), newRepository("untracked")];
  writeFileSync(join(dirty, "a.txt"), "two");
  for (const root of [dirty, untracked]) writeFileSync(join(root, "new.txt"), "x");
  const decisions = (root: string, commands: readonly string[]) =>
    Promise.all(commands.map(async (command) => [command, (await answerTo(command, {}, root))?.decision]));
  const all = (commands: readonly string[], decision?: string) => commands.map((command) => [command, decision]);

  const commands = [
    "git reset --hard HEAD~1",
    "git reset --hard origin/main",
    "git checkout .",
    "git checkout -- .",
    "git restore .",
    "git switch -f main",
    "git checkout -f main",
    "git -C . reset --hard HEAD",
    "git fetch origin 2>&1 | tail -1; git reset --hard origin/main",
    "cd sub && git reset --hard",
    "cd sub && cd .. && git fetch -q 2>/dev/null && git reset --hard",
    "cd $PWD && git checkout .",
  ];
  test("nothing to lose, nothing to say; something, and it is kept", async () => {
    expect(await decisions(clean, commands)).toEqual(all(commands));
    expect(await decisions(dirty, commands)).toEqual(all(commands, "deny"));
  });
  test("files that git does not track are no loss, but git clean's and git add's", async () => {
    expect(await decisions(untracked, commands)).toEqual(all(commands));
    const lost = ["git clean -fd", "git add -A && git reset --hard", "git add . ; cd sub && git checkout -f main"];
    expect(await decisions(untracked, lost)).toEqual(all(lost, "deny"));
  });
  test("it is asked of the folder that the command runs in", async () => {
    const at = (root: string) => [
      `cd ${root} && git reset --hard origin/main`,
      `cd ../${basename(root)} && git fetch && git reset --hard`,
      `git -C ${root} checkout .`,
      `cd ${root} && git checkout -- .`,
      `cd ../${basename(root)} && git restore .`,
      `git -C .. -C ${basename(root)}/sub restore ':/'`,
      `(cd ${root}; git status; git switch -f main)`,
    ];
    expect(await decisions(dirty, at(clean))).toEqual(all(at(clean)));
    expect(await decisions(dirty, at(untracked))).toEqual(all(at(untracked)));
    expect(await decisions(clean, at(dirty))).toEqual(all(at(dirty), "deny"));
  });
  test("the files of a folder in another repository are a smaller loss", async () => {
    const files = [
      `cd ${dirty}/sub && git checkout .`,
      `cd ${dirty} && git checkout -- a.txt`,
      `cd ${dirty} && git checkout sub`,
    ];
    expect(await decisions(clean, files)).toEqual(all(files));
  });
  test("where the line does not tell of which repository it is, it is not asked", async () => {
    const unknown = [
      "git -C ../other reset --hard",
      "cd ../other && git reset --hard",
      "git --git-dir=../dirty/.git reset --hard",
      "git --git-dir ../dirty/.git --work-tree ../dirty reset --hard",
      "GIT_WORK_TREE=../dirty git checkout .",
      "export GIT_DIR=../dirty/.git; git reset --hard",
      "git -c core.worktree=../dirty checkout .",
      "cd $X && git reset --hard",
      'git -C "$X" reset --hard',
      `ssh host 'cd ${clean} && git reset --hard'`,
      "for d in . ../dirty; do cd $d; git reset --hard; done",
    ];
    expect(await decisions(clean, unknown)).toEqual(all(unknown, "deny"));
  });
  test("nor where a command before it may have changed that folder", async () => {
    const lines = [
      "ln -sfn ../dirty ../link && cd ../untracked && git reset --hard",
      "cd ../untracked && git stash pop && git reset --hard",
      "cd ../untracked && echo x > a.txt && git reset --hard",
      "rm -rf ../untracked/x; git -C ../untracked reset --hard",
    ];
    expect(await decisions(clean, lines)).toEqual(all(lines, "deny"));
    const same = ["npm ci; git reset --hard", `cd ${clean} && npm test; git checkout .`];
    expect(await decisions(clean, same)).toEqual(all(same));
  });
});

describe("options", () => {
  const decision = async (command: string, options: object) => (await answerTo(command, options))?.decision;

  test("categories: only those are looked for", async () => {
    const of = {
      filesystem: "rm -rf /",
      git: "git push -f",
      database: "dropdb x",
      cloud: "terraform destroy",
      disks: "mkfs /dev/sda",
      system: "reboot",
    };
    for (const on of Object.keys(of))
      for (const [category, command] of Object.entries(of))
        expect([on, category, await decision(command, { categories: [on] })]).toEqual([
          on,
          category,
          on === category ? "deny" : undefined,
        ]);
    expect(await decision("> /dev/sda", { categories: ["filesystem"] })).toBeUndefined();
    expect(await decision("> /etc/passwd", { categories: ["disks"] })).toBeUndefined();
    expect(await decision(":(){ :|:& };:", { categories: ["git"] })).toBeUndefined();
    expect(await decision("rm -rf /", { categories: [] })).toBeUndefined();
  });
  test("allow: such a command passes, another of the same line does not", async () => {
    const options = { allow: ["git push --force origin wip*", "terraform destroy *"] };
    expect(await decision("git push --force origin wip/x", options)).toBeUndefined();
    expect(await decision("cd infra && sudo terraform destroy -auto-approve", options)).toBeUndefined();
    expect(await decision("git push --force origin main", options)).toBe("deny");
    expect(await decision("terraform destroy && rm -rf /", options)).toBe("deny");
  });
  test("deny: more than the rules, and stronger than allow", async () => {
    const options = { deny: ["terraform apply*", "npm publish"], allow: ["terraform *"] };
    expect(await answerTo("cd x && terraform apply -auto-approve", options)).toEqual({
      decision: "deny",
      reason:
        'Blocked "terraform apply -auto-approve": the settings of block-destructive forbid it. Ask the user to run it if it is really wanted.',
    });
    expect(await decision("npm publish", options)).toBe("deny");
    expect(await decision("npm publish --dry-run", options)).toBeUndefined();
    expect(await decision("echo npm publish", options)).toBeUndefined();
  });
  test("protect: a folder with all that is in it, and what it is in", async () => {
    const options = { protect: ["migrations", "~/vault", "/srv/data/", "keep.db"] };
    const denied = [
      "rm migrations/001.sql",
      "rm -rf migrations",
      "rm -rf ./migrations/*",
      "rm -r ~/vault/x/y",
      "rm -rf /srv/data/x",
      "mv migrations /tmp/x",
      "echo > migrations/001.sql",
      "truncate -s 0 keep.db",
      "> keep.db",
      "find migrations -delete",
      "chmod 600 x && rm -f keep.db",
    ];
    const allowed = [
      "rm other/001.sql",
      "rm -rf migrations-old",
      "cat migrations/001.sql",
      "echo >> migrations/001.sql",
      "cp keep.db /tmp/x",
    ];
    for (const command of denied) expect([command, await decision(command, options)]).toEqual([command, "deny"]);
    for (const command of allowed) expect([command, await decision(command, options)]).toEqual([command, undefined]);
    for (const command of denied.slice(6, 9))
      expect([command, await decision(command, {})]).toEqual([command, undefined]);
  });
  test("decision: a person is asked", async () => {
    expect(await answerTo("git push -f", { decision: "ask" })).toEqual({
      decision: "ask",
      reason:
        'Run "git push -f"? It can\'t be taken back: it overwrites history that others may have; push with --force-with-lease.',
    });
  });
  test("what is no option is told", async () => {
    for (const wrong of [
      { categories: ["files"] },
      { allow: "x" },
      { allow: [""] },
      { decision: "allow" },
      { block: [] },
    ])
      await expect(answerTo("ls", wrong)).rejects.toThrow("hooks.hook.");
  });
});

describe("messages", () => {
  const cases: [command: string, reason: string][] = [
    ["cd src && rm -rf ../*", 'Blocked "rm -rf ../*": it can\'t be taken back: it deletes ../* with everything in it.'],
    [
      'rm -rf "$X"/*',
      'Blocked "rm -rf $X/*": it can\'t be taken back: it deletes $X/* (which is /* if X is empty: write ${X:?}) with everything in it.',
    ],
    [
      'psql -c "SELECT 1; drop   table users"',
      'Blocked "psql -c SELECT 1; drop   table users": it can\'t be taken back: it runs "drop table users".',
    ],
    ["sudo dd of=/dev/sda", 'Blocked "sudo dd of=/dev/sda": it can\'t be taken back: it overwrites the disk /dev/sda.'],
    [":(){ :|:& };:", 'Blocked ":(){ :|:& };:": it starts processes without end.'],
  ];
  for (const [command, reason] of cases)
    test(command, async () =>
      expect(await answerTo(command)).toEqual({
        decision: "deny",
        reason: `${reason} Ask the user to run it if it is really wanted.`,
      }),
    );
  test("of a long command, the beginning", async () => {
    const { reason = "" } = (await answerTo(`rm -rf / ${"x".repeat(1000)}`)) ?? {};
    expect(reason).toStartWith(`Blocked "rm -rf / ${"x".repeat(191)}…": it`);
    expect(reason.length).toBeLessThan(400);
  });
});

describe("through the hosts", () => {
  const entries = [entryOf(hook, "block-destructive")];
  const payloads: Readonly<Record<string, (command: string) => Payload>> = {
    claude: (command) => payloadOf("claude", "PreToolUse-Bash", { cwd: CWD, tool_input: { command } }),
    cursor: (command) => payloadOf("cursor", "beforeShellExecution", { cwd: CWD, command }),
    codex: (command) => payloadOf("codex", "PreToolUse-Bash", { cwd: CWD, tool_input: { command } }),
  };
  const call = async (host: string, command: string) => {
    const payload = JSON.stringify(payloads[host]?.(command));
    const { stdout, stderr, exit_code } = await respond(entries, {}, ["--host", host], {
      env: {},
      read: () => payload,
    });
    return { answer: stdout && JSON.parse(stdout), stderr, exit_code };
  };
  const reason =
    'Blocked "git push -f": it can\'t be taken back: it overwrites history that others may have; push with --force-with-lease. Ask the user to run it if it is really wanted.';
  const denied: Readonly<Record<string, object>> = {
    claude: {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
    },
    cursor: { permission: "deny", user_message: reason, agent_message: reason },
    codex: {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
    },
  };
  for (const host of Object.keys(payloads)) {
    test(`${host}: what can't be taken back is blocked`, async () => {
      const { answer, stderr } = await call(host, "cd sub && git push -f");
      expect([answer, stderr]).toEqual([denied[host], reason]);
    });
    test(`${host}: the rest passes`, async () => {
      const { answer, stderr, exit_code } = await call(host, 'git commit -m "no push -f" && git push');
      expect([answer, stderr, exit_code]).toEqual([host === "cursor" ? {} : "", "", 0]);
    });
    test(`${host}: what can't be read is blocked, and says how to go on`, async () => {
      const { answer } = await call(host, `rm -rf ${"x ".repeat(100_000)}`);
      expect(JSON.stringify(answer)).toContain(
        'The hook \\"block-destructive\\" failed (the shell line is too long to be read (200007 characters; at most 131072); put it into a file)',
      );
      expect(JSON.stringify(answer)).toContain("deny");
    });
  }
});

describe("time", () => {
  const big: Readonly<Record<string, string>> = {
    letters: "x".repeat(100_000),
    words: Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(" "),
    slashes: `rm -rf ${"/".repeat(100_000)}x`,
    stars: `rm -rf a${"*".repeat(100_000)}`,
    pipes: `|${"a".repeat(100_000)}`,
    comments: `psql -c '${"/*".repeat(45_000)} drop'`,
    quotes: `psql -c "${"'".repeat(99_999)} drop"`,
    folders: `rm -rf ${"a/ ".repeat(30_000)}`,
    variables: `for A in x; do rm -rf ${"$A/* ".repeat(10_000)}; done`,
    searches: `find a ${"-exec ls ".repeat(10_000)}`,
    shells: `find a -exec sh -c ${"rm".repeat(45_000)}`,
    withs: `psql -c "with ${") ".repeat(40_000)} delete"`,
    heads: `git ${"push ".repeat(20_000)}`,
  };
  for (const [name, command] of Object.entries(big))
    test(`${name}: a line of 100 kB takes no longer than others`, async () => {
      await answerTo("rm -rf x");
      const started = performance.now();
      await answerTo(command).catch((error: Error) => expect(error.name).toBe("ShellError"));
      expect(performance.now() - started).toBeLessThan(500);
    });
});
