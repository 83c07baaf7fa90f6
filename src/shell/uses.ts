/** What is done with a file: only its name, size or being there is asked; its content is read; it is made, changed or removed. */
export type Access = "list" | "read" | "write";

/** What a program does with the files in its arguments. */
export interface Use {
  /** What it does with its operands; nothing where they are no files. */
  operands?: Access;
  /** What it does with the last of several operands, where that differs: `cp a b`. Then it may also be the folder of the others. */
  last?: Access;
  /** Operands before the files that are none, unless one of the `script` options stands in for them: `grep x file`. */
  skip?: number;
  script?: readonly string[];
  /**
   * Options whose value is text that may look like a file's name. An option that isn't named here may have one as well: then
   * the value is taken for one more file, and nothing is missed. One that has none must not be here.
   */
  text?: string;
  /** Options whose value is read or written. */
  reads?: string;
  writes?: string;
  /** Options with which it writes to its operands: `sed -i`. */
  inPlace?: readonly string[];
  /** With one of these options it only lists: `git rm --cached`. */
  listing?: readonly string[];
  /** What its operands behind the first one are isn't known: they are the script's own. */
  own?: true;
}

const none: Use = {};
const list: Use = { operands: "list" };
const read: Use = { operands: "read" };
const write: Use = { operands: "write" };
const search: Use = {
  operands: "read",
  skip: 1,
  script: ["-e", "-f", "--regexp", "--file", "--files"],
  text: "-e -m -A -B -C -g --regexp --exclude --include --exclude-dir --glob --iglob",
  reads: "-f --file --exclude-from --ignore-file",
};
const copy: Use = { operands: "read", last: "write", text: "-S --suffix", writes: "-t --target-directory" };
const change: Use = { operands: "write", skip: 1, script: ["--reference"], text: "--from", reads: "--reference" };
const shell: Use = { operands: "read", own: true, text: "-c -o -O", reads: "--rcfile --init-file" };
const script: Use = { operands: "read", own: true, text: "-c -m" };
const inline: Use = { operands: "read", text: "-e", inPlace: ["-i"] };
const module: Use = {
  operands: "read",
  own: true,
  text: "-e -p --eval --print",
  reads: "-r --require --import --env-file --preload",
};
const revisions: Use = {
  operands: "read",
  text: "-S -G -L -n --format --pretty --author --grep --since --until",
  writes: "--output",
};

/** Programs by name, and git's subcommands. */
const uses = (): Readonly<Record<string, Use>> => ({
  ...every(
    "echo printf true false : export unset alias set shift exit return kill sleep wait date pwd id whoami uname hostname",
    none,
  ),
  ...every("seq tr yes jobs fg bg ps top umask ulimit trap hash help popd let local declare readonly", none),
  ...every(
    "ls dir vdir stat du df realpath readlink basename dirname file which whereis type cd pushd namei lsattr",
    list,
  ),
  ...every("getfacl exa eza lsd locate mountpoint", list),
  ...every(
    "cat tac nl head tail more less bat batcat wc od hexdump strings cksum sum md5sum sha1sum sha224sum sha256sum",
    read,
  ),
  ...every(
    "sha384sum sha512sum b2sum shasum cut paste column fold fmt pr rev diff diff3 sdiff cmp comm join base64",
    read,
  ),
  ...every(
    "base32 expand unexpand look open xdg-open source . pbcopy xclip zcat bzcat xzcat zless pandoc ssh-add",
    read,
  ),
  ...every(
    "rm unlink rmdir mkdir mkfifo mknod tee sponge shred trash trash-put sqlite3 mktemp rename visudo sudoedit",
    write,
  ),
  ...every(
    "vi vim nvim view nano emacs ed ex pico micro code subl kak hx helix dos2unix unix2dos compress uncompress",
    write,
  ),
  ...every("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4", { ...write, text: "-S --suffix", writes: "-o" }),
  touch: { ...write, text: "-d -t --date", reads: "-r --reference" },
  truncate: { ...write, text: "-s --size", reads: "-r --reference" },
  fallocate: { ...write, text: "-l -o --length --offset" },
  patch: { ...write, text: "-p --strip", reads: "-i --input", writes: "-o -d --output --directory" },
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
  ...every("chmod chown chgrp setfacl chattr xattr chcon", change),
  ...every("grep egrep fgrep zgrep rg ag ack ugrep", search),
  ...every("awk gawk mawk nawk", {
    ...search,
    script: ["-e", "-f", "--file"],
    text: "-F -v -e",
    reads: "-f --file -i --include",
  }),
  ...every("sed gsed", {
    ...search,
    script: ["-e", "-f", "--expression", "--file"],
    text: "-e --expression",
    inPlace: ["-i", "--in-place"],
  }),
  ...every("jq yq gojq dasel xmllint xmlstarlet", {
    ...search,
    script: ["-f", "--from-file"],
    text: "--arg --argjson",
    reads: "-f --from-file --slurpfile --rawfile --argfile",
    inPlace: ["-i", "--inplace", "--in-place"],
  }),
  ...every("perl ruby", inline),
  ...every("python python2 python3 pypy pypy3", script),
  ...every("node nodejs bun tsx ts-node deno", module),
  ...every("bash sh zsh dash ksh fish ash", shell),
  ...every("php lua Rscript osascript julia groovy", { operands: "read", own: true, text: "-e -r" }),
  tree: { ...list, text: "-I -L -P", writes: "-o" },
  history: { reads: "-n -r", writes: "-a -w" },
  uniq: { ...read, last: "write", text: "-f -s -w --skip-fields --skip-chars --check-chars" },
  xxd: { ...read, last: "write", text: "-c -g -l -n -o -s" },
  iconv: { ...read, text: "-f -t --from-code --to-code", writes: "-o --output" },
  sort: { ...read, writes: "-o --output" },
  ...every("split csplit", { operands: "read", last: "write" }),
  zip: { operands: "read", text: "-x -i -P" },
  "7z": { operands: "read", skip: 1 },
  unzip: { operands: "read", text: "-x -P", writes: "-d" },
  tar: {
    operands: "read",
    text: "--exclude --transform",
    writes: "-C --directory",
    reads: "-T -X --files-from --exclude-from",
  },
  curl: {
    text: "-d -F -H -X -u -A -e -w -x --data --data-binary --data-urlencode --form --json --header --request --user --user-agent --data-raw --write-out --url",
    reads: "-T -K -E -b --upload-file --config --cert --key --cacert --netrc-file --cookie",
    writes: "-o -c -D --output --cookie-jar --dump-header --output-dir --trace --trace-ascii",
  },
  wget: {
    text: "-U --header --user --password --method --body-data --post-data",
    reads: "-i --input-file --post-file --body-file --load-cookies --certificate --private-key",
    writes: "-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies",
  },
  openssl: { reads: "-in -inkey -CA -CAkey -cert -key -config -CAfile", writes: "-out -keyout" },
  ...every("gpg gpg2 age", {
    operands: "read",
    text: "-r -u --recipient --local-user",
    writes: "-o --output",
    reads: "-i --identity --passphrase-file",
  }),
  "ssh-keygen": { text: "-C -N -P", writes: "-f" },
  ssh: { text: "-o -l -p", reads: "-i -F" },
  ...every("make gmake just", { reads: "-f --file --makefile --justfile" }),
  ...every("kubectl oc helm", { reads: "-f --filename --kubeconfig --values --from-file --from-env-file" }),
  ...every("docker podman nerdctl", { reads: "-f --file --env-file --secret" }),
  ...every("psql mysql mariadb", { text: "-c -e", reads: "-f --file", writes: "-o --output" }),
  ...every("add stage annotate cat-file hash-object am", read, "git "),
  ...every("status ls-files ls-tree check-ignore check-attr", list, "git "),
  ...every(
    "rev-parse branch remote fetch pull push merge rebase cherry-pick revert reflog describe submodule bisect",
    none,
    "git ",
  ),
  ...every("shortlog help version switch reset", none, "git "),
  ...every("diff show blame", revisions, "git "),
  "git log": { ...revisions, operands: "list" },
  "git grep": search,
  "git rm": { ...write, listing: ["--cached"] },
  ...every("mv bundle init worktree", write, "git "),
  "git checkout": { ...write, text: "-b -B --orphan" },
  "git restore": { ...write, text: "-s --source", listing: ["--staged", "-S"] },
  "git clean": { ...write, text: "-e --exclude" },
  "git stash": { text: "-m --message" },
  "git apply": { operands: "read", text: "--exclude --include", writes: "--directory" },
  "git commit": {
    operands: "read",
    text: "-m -C -c --message --author --date --fixup --squash --trailer",
    reads: "-F -t --file --template",
  },
  "git tag": { text: "-m --message", reads: "-F --file" },
  "git archive": { writes: "-o --output" },
  "git clone": { operands: "read", last: "write", text: "-b -o -c --branch --origin --depth" },
  "git config": { writes: "-f --file" },
});

const every = (names: string, use: Use, before = ""): Record<string, Use> =>
  Object.fromEntries(names.split(" ").map((name) => [before + name, use]));

let table: Readonly<Record<string, Use>> | undefined;

/** What a program does with its arguments; nothing where it isn't known. The table is made when it is first asked. */
export function useOf(program: string): Use | undefined {
  table ??= uses();
  return Object.hasOwn(table, program) ? table[program] : undefined;
}
