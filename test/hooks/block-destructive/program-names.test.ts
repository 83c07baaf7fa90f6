import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askLine } from "./support.ts";

/** Ways to write a program's name, each with denied commands and similar ones that are allowed. */
const CLASSES: Readonly<Record<string, { denied: readonly string[]; allowed: readonly string[] }>> = {
  "a name built from variables of the command line": {
    denied: [
      "x=r; y=m; $x$y -rf /srv",
      "x=r; $x'm' -rf /srv",
      "c=r; c+=m; $c -rf /srv",
      "c=(r m); ${c[0]}${c[1]} -rf /srv",
      "for a in r; do for b in m; do $a$b -rf /srv; done; done",
      "x=xrm; ${x#x} -rf /srv",
      "a=gi b=t; $a$b push -f",
      "a=kube b=ctl; $a$b delete ns prod",
      "r{m,} -rf /srv",
    ],
    allowed: ["x=l; y=s; $x$y /srv", "a=gi b=t; $a$b status", "l{s,} /srv"],
  },
  "a wildcard": {
    denied: [
      "/bin/r? -rf /srv",
      "/bin/[r]m -rf /srv",
      "/bin/[!a-q]m -rf /srv",
      "/???/rm -rf ~",
      "/bin/d? of=/dev/sda if=/dev/zero",
      "sudo /bin/r? -rf /srv",
      "/usr/bin/su?o rm -rf /srv",
      "/usr/bin/e?v rm -rf /srv",
      "su?o /bin/r? -rf /srv",
      "/bin/ba?h -c 'rm -rf ~'",
      "/usr/bin/fi?d / -delete",
      "/usr/bin/g?t push -f",
      "/usr/bin/doc*r system prune -a",
      "/usr/bin/mk??.ext4 /dev/sda1",
      "/sbin/mkfs.btr?s /dev/sda1",
      "/sbin/shut*n now",
      "{/bin/r?,-rf,/srv}",
      "x='/bin/r?'; $x -rf /srv",
      "xargs /bin/r? -rf <<< /srv",
      "echo '/bin/r? -rf /srv' | sh",
      'f() { /bin/r? -rf "$1"; }; f /srv',
      "/usr/bin/terra?orm destroy -auto-approve",
    ],
    allowed: [
      "ls *.ts",
      "/bin/l? x",
      "./r* --help",
      "cat src/c*e.ts",
      "./scripts/*.sh",
      "./build-*.sh -f /",
      "./node_modules/.bin/* --version",
      "sudo ls /root/*",
      "for f in *.c; do gcc -c $f; done",
      "[[ $x == r*m ]] && echo y",
      "test -f *.ts && echo yes",
    ],
  },
  "an expansion": {
    denied: [
      "r${x}m -rf /srv",
      "${x}rm -rf /srv",
      "${x}m -rf /srv",
      "$()rm -rf /srv",
      "`:`rm -rf /srv",
      "r$(:)m -rf /srv",
      'r$x"m" -rf /srv',
      "r$@m -rf /srv",
      "r$1m -rf /srv",
      "sudo r${x}m -rf /srv",
      "su${x}do rm -rf /srv",
      "ba${x}sh -c 'rm -rf /srv'",
      "ev${x}al 'rm -rf /srv'",
      "eval 'r${x}m -rf /srv'",
      "bash -c 'r${x}m -rf /srv'",
      "echo $(r${x}m -rf /srv)",
      "c${x}d / && rm -rf *",
      "git${x} push -f",
      "shut${x}down now",
      "$HOME/bin/sudo rm -rf /srv",
      "~/bin/bash -c 'rm -rf /srv'",
    ],
    allowed: [
      "echo ${x}rm",
      "ech${x}o hi",
      "$EDITOR notes.txt",
      "$CC -c x.c -o x.o",
      "${CROSS_COMPILE}gcc -c x.c",
      "${PYTHON:-python3} script.py",
      '"$VENV/bin/python" -m pytest',
      "git${x} push origin main",
      '"$@"',
      '"${CMD[@]}" -rf x',
      "`dirname $0`/run -f",
      "for x in a b; do ./$x-test; done",
    ],
  },
  "an extension, a version or capital letters": {
    denied: [
      "docker.exe system prune -a",
      "helm.exe uninstall x",
      "git.EXE push -f",
      "'/mnt/c/Program Files/Git/cmd/git.exe' push -f",
      "npx.cmd prisma migrate reset --force",
      "gh.cmd repo delete x",
      "bash.exe -c 'rm -rf /srv'",
      "RM -rf /srv",
      "/bin/RM -rf /srv",
      "perl5.36 -e 'system(\"rm -rf /srv\")'",
      "psql-16 -c 'drop database shop'",
    ],
    allowed: ["npm.cmd install", "node.exe server.js", "node20 server.js", "python3.12 script.py", "Rscript a.R"],
  },
  "another name": {
    denied: [
      "/usr/lib/git-core/git-push -f",
      "git-push --force",
      "git-filter-repo --path src",
      "hub push -f",
      "grm -rf /srv",
      "gdd of=/dev/sda if=/dev/zero",
      "coreutils rm -rf /srv",
      "alias p='git push -f'; p",
      "alias r=rm; r -rf /srv",
    ],
    allowed: [
      "git-lfs pull",
      "git-crypt unlock",
      "git-push origin main",
      "grep -rf patterns src",
      "alias p='git push'; p",
    ],
  },
  "a name defined in the command line": {
    denied: [
      "cp /bin/rm x && ./x -rf /srv",
      "cp $(which rm) x; ./x -rf /srv",
      "cp /bin/r? x; ./x -rf /srv",
      "ln -s /bin/rm /tmp/x && sudo /tmp/x -rf /srv",
      "ln -sf /usr/bin/sudo x; ./x rm -rf /srv",
      "sudo cp /sbin/wipefs w; ./w -a /dev/sda",
      "hash -p /bin/rm x; x -rf /srv",
      "$(type -P rm) -rf /srv",
      "gh alias set p 'repo delete' && gh p x --yes",
      "gh alias set p '!rm -rf /srv'",
      "java -Xmx1g -jar /opt/bfg-1.14.0.jar --delete-files x",
    ],
    allowed: [
      "cp src/a.ts b.ts; ./b.ts -rf x",
      "ln -s ../lib/tool bin/t && bin/t --help",
      "mv build/out dist && ./dist/run",
      "gh alias set co 'pr checkout' && gh co 12",
      "java -jar app.jar --server.port=80",
    ],
  },
  "a name from git's config": {
    denied: [
      "git config alias.p 'push -f' && git p",
      "git config --global alias.p 'push -f' && git p",
      "git config --global alias.p '!git push -f' && git p",
      "git config set alias.p 'push -f' && git p",
      "git -C x config alias.p 'push -f' && git -C x p",
      "git config alias.p push && git p -f",
      "git config alias.a b && git config alias.b 'push -f' && git a",
      "git -c alias.x='-c color.ui=never push -f' x",
      "A='push -f' git --config-env=alias.p=A p",
      "A='push -f' git --config-env alias.p=A p",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0='push -f' git p",
      "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0='push -f'; git p",
      "GIT_CONFIG_PARAMETERS=\"'alias.p=push -f'\" git p",
      "git -c remote.origin.push=+main push",
      "git -c remote.origin.mirror=true push origin",
      "git config remote.origin.push +main && git push",
      "git remote add --mirror=push b url && git push b",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main git push",
      "git config clean.requireForce false && git clean -d",
    ],
    allowed: [
      "git config alias.st status && git st",
      "git config alias.status 'status -sb' && git status",
      "git config alias.a a && git a",
      "git config --unset alias.p && git p -f",
      "git config --get alias.p",
      "git config remote.origin.push main && git push",
      "git config push.default current && git push",
      "git config user.name 'A B' && git commit -m x",
      "git -c core.autocrlf=false add .",
      "git log -p",
    ],
  },
  "a git plumbing command": {
    denied: [
      "git send-pack --force origin main",
      "git send-pack origin +main",
      "git read-tree -u --reset HEAD~1",
      "git checkout-index -fa",
      "git checkout-index --force --all",
      "git update-ref --stdin <<< 'delete refs/heads/x'",
      "git update-ref refs/heads/x 0000000000000000000000000000000000000000",
      "generate | git update-ref --stdin",
    ],
    allowed: [
      "git send-pack --dry-run --force origin main",
      "git read-tree HEAD",
      "git checkout-index -a -f --prefix=out/",
      "git update-ref --stdin <<< 'create refs/heads/x HEAD'",
      "git update-ref refs/heads/x HEAD 0000000000000000000000000000000000000000",
    ],
  },
};

for (const [name, { denied, allowed }] of Object.entries(CLASSES))
  describe(`a program under ${name}`, () => {
    for (const line of denied)
      test(`is denied in ${line}`, async () => expect((await askLine(line))?.decision).toBe("deny"));
    for (const line of allowed) test(`is allowed in ${line}`, async () => expect(await askLine(line)).toBeUndefined());
  });

describe("a wildcard after cd", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-names-")));
  beforeAll(() => mkdirSync(join(folder, "sub"), { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const line of ["cd /et? && rm -rf *", "cd /e[t]c; rm -rf ./*", "cd sub; cd /et? && rm -rf ."])
    test(`leads to the system directory in ${line}`, async () =>
      expect((await askLine(line, {}, folder))?.decision).toBe("deny"));
  for (const line of ["cd su? && rm -rf build", "cd */ && ls", "cd $NOTHING && ls", "cd nowhere-* && rm -rf build"])
    test(`is harmless in ${line}`, async () => expect(await askLine(line, {}, folder)).toBeUndefined());
});
