/** What is done with a file: only its name, size or being there is asked; its content is read; it is made, changed or removed. */
export type Access = "list" | "read" | "write";

/** What a program does with the files in its arguments. */
export interface Use {
  /** What it does with its operands; nothing where they are no files. */
  operands?: Access;
  /** What it does with the last of several operands, where that differs: `cp a b`. Then it may also be the folder of the others. */
  last?: Access;
  /** Operands before the files that are none, unless one of the `script` options stands in for the first: `grep x file`. */
  skip?: number;
  script?: readonly string[];
  /** Options whose value is no file. */
  text?: string;
  /** Options whose value is read or written. */
  reads?: string;
  writes?: string;
  /** Options with which it writes to its operands: `sed -i`. */
  inPlace?: readonly string[];
  /** What its operands behind the first one are isn't known: they are the script's own. */
  own?: true;
  /** With one of these options it only lists: `git rm --cached`. */
  listing?: readonly string[];
}

const list: Use = { operands: "list" };
const read: Use = { operands: "read", text: "-n -c -s -w -k -t -d -f" };
const write: Use = { operands: "write" };
const none: Use = {};
const search: Use = {
  operands: "read",
  skip: 1,
  script: ["-e", "-f", "--regexp", "--file", "--files"],
  text: "-e -m -A -B -C -d -D -g -t -T -j -M -r --regexp --exclude --include --exclude-dir --glob --iglob --type --max-count --context --replace --color",
  reads: "-f --file --exclude-from --ignore-file",
};
const copy: Use = {
  operands: "read",
  last: "write",
  text: "-S --suffix -e --rsh --exclude --include --filter -P -o -l -c -F --chmod",
  writes: "-t --target-directory",
  reads: "-i --files-from --exclude-from --include-from",
};
const change: Use = { operands: "write", skip: 1, text: "--from", reads: "--reference" };
const pack: Use = { operands: "write", text: "-S -s -p -P" };
const edit: Use = { operands: "write", text: "-c --cmd -S -t -T" };
const runs: Use = { operands: "read", own: true, text: "-c -e -m -p -r -W -X -O -o --eval --print --import --conditions" };

/** Programs by name; of git, by its subcommand. Options that take a text are only those whose text may look like a file. */
const uses = (): Readonly<Record<string, Use>> => ({
<<<<<<< HEAD
  ...every(
    "cat tac nl head tail more less bat batcat wc od xxd hexdump strings cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum cut paste column fold fmt pr rev uniq diff diff3 cmp comm join base64 base32 expand unexpand look iconv open xdg-open source . pbcopy xclip view zcat bzcat xzcat zless pandoc",
    read,
  ),
  ...every(
    "ls dir vdir stat du df tree test [ [[ realpath readlink basename dirname file which whereis type cd pushd namei lsattr getfacl exa eza locate mountpoint",
    list,
  ),
  ...every(
    "echo printf true false : export unset alias set shift exit return read kill sleep wait date pwd id whoami uname hostname seq tr yes jobs fg bg ps top history umask ulimit trap hash help popd",
    none,
  ),
  ...every("rm unlink rmdir mkdir mkfifo mknod tee sponge touch truncate shred trash trash-put sqlite3 fallocate mktemp patch rename", {
    ...write,
    text: "-m -s --size --mode",
    reads: "-r -i --reference --input -d",
  }),
  ...every("cp scp rsync install ditto pax", copy),
  ...every("mv", { ...copy, operands: "write" }),
  ln: { ...copy, operands: "read" },
=======
  ...every("echo printf true false : export unset alias set shift exit return kill sleep wait date pwd id whoami uname hostname", none),
  ...every("seq tr yes jobs fg bg ps top history umask ulimit trap hash help popd let local declare readonly", none),
  ...every("ls dir vdir stat du df tree realpath readlink basename dirname file which whereis type cd pushd namei lsattr", list),
  ...every("getfacl exa eza lsd locate mountpoint", list),
  ...every("cat tac nl head tail more less bat batcat wc od xxd hexdump strings cksum sum md5sum sha1sum sha224sum sha256sum", read),
  ...every("sha384sum sha512sum b2sum shasum cut paste column fold fmt pr rev uniq diff diff3 sdiff cmp comm join base64", read),
  ...every("base32 expand unexpand look iconv open xdg-open source . pbcopy xclip zcat bzcat xzcat zless pandoc ssh-add", read),
  ...every("rm unlink rmdir mkdir mkfifo mknod tee sponge shred trash trash-put sqlite3 mktemp rename visudo sudoedit", write),
  ...every("vi vim nvim view nano emacs ed ex pico micro code subl kak hx helix dos2unix unix2dos compress uncompress", write),
  ...every("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4", { ...write, text: "-S --suffix", writes: "-o" }),
  touch: { ...write, text: "-d -t --date", reads: "-r --reference" },
  truncate: { ...write, text: "-s --size", reads: "-r --reference" },
  fallocate: { ...write, text: "-l -o --length --offset" },
  patch: { ...write, reads: "-i --input", writes: "-o -d --output --directory" },
  sudo: { ...write, text: "-u -g" },
  ...every("cp ditto pax", copy),
  mv: { ...copy, operands: "write" },
  ln: copy,
  install: { ...copy, text: "-m -o -g -S --mode --owner --group" },
  rsync: {
    operands: "read",
    last: "write",
    text: "-e -f --rsh --exclude --include --filter",
    reads: "--files-from --exclude-from --include-from",
  },
  scp: { operands: "read", last: "write", text: "-P -o -l -c -J", reads: "-i -F" },
>>>>>>> c8e1279 (fix: an editor's name)
  ...every("chmod chown chgrp setfacl chattr xattr chcon", change),
  ...every("grep egrep fgrep zgrep rg ag ack ugrep", search),
  ...every("awk gawk mawk nawk", { ...search, script: ["-f", "--file"], text: "-F -v --field-separator --assign -e", inPlace: ["-i"] }),
  ...every("sed gsed", {
    ...search,
    script: ["-e", "-f", "--expression", "--file"],
    text: "-e -l --expression",
    inPlace: ["-i", "--in-place"],
  }),
  ...every("perl ruby", { ...runs, own: undefined, inPlace: ["-i"] }),
  ...every("jq yq gojq dasel xmllint xmlstarlet", {
    ...search,
    script: ["-f", "--from-file"],
    text: "--arg --argjson --indent --tab -L",
    reads: "-f --from-file --slurpfile --rawfile --argfile",
    inPlace: ["-i", "--inplace", "--in-place"],
  }),
  sort: { ...read, writes: "-o --output" },
  ...every("split csplit", { operands: "read", last: "write" }),
  ...every("python python2 python3 node nodejs deno bun tsx ts-node php lua Rscript bash sh zsh dash ksh fish osascript julia", runs),
  ...every("vi vim nvim nano emacs ed ex pico micro code subl kak hx helix", edit),
  ...every("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress dos2unix unix2dos", pack),
  zip: { operands: "read", text: "-x -P -i" },
  "7z": { operands: "read", skip: 1 },
  unzip: { operands: "read", text: "-x -P", writes: "-d" },
  tar: {
    operands: "read",
    text: "--exclude --transform --strip-components --wildcards -H",
    writes: "-C --directory",
    reads: "-T -X --files-from --exclude-from",
  },
  curl: {
    text: "-H -X -u -A -e -r -m -w -x --header --request --user --user-agent --data-raw --write-out --url --max-time",
    reads: "-T -K -E -b --upload-file --config --cert --key --cacert --netrc-file --cookie",
    writes: "-o -c -D --output --cookie-jar --dump-header --output-dir --trace --trace-ascii",
  },
  wget: {
    text: "-U -t -T --header --user --password --method --body-data --post-data",
    reads: "-i --input-file --post-file --body-file --load-cookies --certificate --private-key",
    writes: "-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies",
  },
  ...every("sudo sudoedit visudo", { ...write, text: "-u -g -p -C -D -h -r -t" }),
  ...every("openssl", {
    text: "-passin -passout -pass -subj -days -newkey",
    reads: "-in -inkey -CA -CAkey -cert -key -config -CAfile",
    writes: "-out -keyout",
  }),
  ...every("gpg gpg2 age", {
    operands: "read",
    text: "-u -r --recipient --local-user --passphrase",
    writes: "-o --output",
    reads: "-i --identity --passphrase-file",
  }),
  "ssh-keygen": { text: "-t -b -C -N -P", writes: "-f" },
  "ssh-add": { operands: "read" },
  ssh: { text: "-o -l -p -L -R -D -J -W -b -c -m", reads: "-i -F" },
  find: { operands: "list" },
  ...every("make gmake just", { reads: "-f --file --makefile --justfile" }),
  ...every("kubectl oc helm", {
    text: "-n --namespace --context -l -o --output",
    reads: "-f --filename --kubeconfig --values --from-file",
  }),
  ...every("docker podman nerdctl", {
    text: "-t --tag --name -e --env -p -l --label --network -w --workdir -u --user",
    reads: "-f --file --env-file --secret",
  }),
  ...every("psql mysql mariadb", { text: "-c -e -h -U -u -d -p -P", reads: "-f --file", writes: "-o --output" }),
  "git add": { operands: "read", text: "--chmod" },
  "git stage": { operands: "read" },
  "git diff": { operands: "read", text: "-S -G", writes: "--output" },
  "git show": { operands: "read", text: "--format --pretty" },
  "git log": { operands: "list", text: "-S -G -n --format --pretty --author --grep --since --until" },
  "git blame": { operands: "read", text: "-L" },
  "git annotate": { operands: "read" },
  "git cat-file": { operands: "read" },
  "git hash-object": { operands: "read" },
  "git grep": { ...search, operands: "read" },
  "git rm": { operands: "write", listing: ["--cached"] },
  "git mv": { operands: "write" },
  "git checkout": { operands: "write", text: "-b -B --orphan" },
  "git switch": {},
  "git restore": { operands: "write", text: "-s --source", listing: ["--staged", "-S"] },
  "git clean": { operands: "write", text: "-e --exclude" },
  "git stash": { text: "-m --message" },
  "git apply": { operands: "read", writes: "--directory", text: "--exclude --include" },
  "git am": { operands: "read" },
  "git commit": {
    operands: "read",
    text: "-m --message --author --date -C -c --fixup --squash --trailer",
    reads: "-F --file -t --template",
  },
  "git tag": { text: "-m --message", reads: "-F --file" },
  "git archive": { writes: "-o --output", text: "--format --prefix" },
  "git bundle": { operands: "write" },
  "git init": { operands: "write" },
  "git clone": { operands: "read", last: "write", text: "-b --branch -o --origin --depth -c -u" },
  "git worktree": { operands: "write", text: "-b -B" },
  "git config": { writes: "-f --file" },
  ...every("git status,git ls-files,git ls-tree,git check-ignore", list, ","),
  ...every(
    "git rev-parse,git branch,git remote,git fetch,git pull,git push,git merge,git rebase,git cherry-pick,git reset,git revert,git reflog,git describe,git submodule,git bisect,git shortlog,git help",
    none,
    ",",
  ),
});

let table: Readonly<Record<string, Use>> | undefined;

/** What a program does with its arguments; nothing where it isn't known. The table is made when it is first asked. */
export function useOf(program: string): Use | undefined {
  table ??= uses();
  return Object.hasOwn(table, program) ? table[program] : undefined;
}

function every(names: string, use: Use, separator = " "): Record<string, Use> {
  return Object.fromEntries(names.split(separator).map((name) => [name, use]));
}
