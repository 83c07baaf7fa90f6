import type { OperandFiles, Program, ProgramRows } from "./program.ts";

const noFiles: Program = { files: {} };
const list: Program = { files: { operands: "list" } };
const readsFiles: Program = { files: { operands: "read" } };
const write: Program = { files: { operands: "write" } };
const copy: Program = {
  options: "S: --suffix=",
  into: "-t --target-directory",
  files: {
    operands: "read",
    lastOperand: "write",
    keepOptions: ["-n", "-i", "-b", "--no-clobber", "--interactive", "--backup"],
  },
};
const unpack: OperandFiles = { operands: "read", outputFolder: "here" };
const change: Program = {
  options: " --from=",
  reads: "--reference",
  files: { operands: "write", leadingOperands: 1, replacingOptions: ["--reference"] },
};

/** A program that searches files for a pattern. */
export const search: Program = {
  options: "m:A:B:C:g: --exclude= --include= --exclude-dir= --glob= --iglob=",
  code: "-e --regexp",
  source: "-f --file",
  reads: "--exclude-from --ignore-file",
  files: { operands: "read", leadingOperands: 1, replacingOptions: ["--files"] },
};

/** Programs that list, read, write or change files, and programs whose arguments are never files. */
export const FILE_ROWS: ProgramRows = {
  "echo printf true false : export unset alias set shift exit return sleep wait date pwd id whoami uname hostname":
    noFiles,
  "seq tr yes jobs fg bg ps top umask ulimit trap hash help popd let local declare readonly": noFiles,
  kill: { options: "s:n: --signal=", files: {} },
  "ls dir vdir stat du df realpath readlink basename dirname file which whereis type cd pushd namei lsattr": list,
  "getfacl exa eza lsd locate mountpoint": list,
  "cat tac nl head tail bat batcat wc od hexdump strings cksum sum md5sum sha1sum sha224sum sha256sum": readsFiles,
  "sha384sum sha512sum b2sum shasum cut paste column fold fmt pr rev diff diff3 sdiff cmp comm join": readsFiles,
  "base32 expand unexpand look open xdg-open source . pbcopy xclip zcat bzcat xzcat zless ssh-add": readsFiles,
  rm: {
    options: "dfiIrRPvWx --dir --force --no-preserve-root --one-file-system --preserve-root --recursive --verbose",
    files: { operands: "write" },
  },
  tee: {
    options: "aip --append --ignore-interrupts",
    files: { operands: "write", replacesContent: true, keepOptions: ["-a", "--append"] },
  },
  sponge: { options: "a", files: { operands: "write", replacesContent: true, keepOptions: ["-a"] } },
  "unlink rmdir mkdir mkfifo mknod shred trash trash-put mktemp rename visudo sudoedit": write,
  "dos2unix unix2dos compress uncompress": write,
  "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4": {
    options: "S: --suffix=",
    writes: "-o",
    files: { operands: "write", readOnlyOptions: ["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"] },
  },
  touch: { options: "d:t: --date=", reads: "-r --reference", files: { operands: "write" } },
  truncate: { options: "s: --size=", reads: "-r --reference", files: { operands: "write", replacesContent: true } },
  fallocate: { options: "l:o: --length= --offset=", files: { operands: "write" } },
  patch: {
    options: "p: --strip=",
    reads: "-i --input",
    writes: "-o -d --output --directory",
    files: { operands: "write" },
  },
  cp: copy,
  ln: {
    ...copy,
    files: {
      ...copy.files,
      keepOptions: ["-i", "-b", "--interactive", "--backup"],
      forceOptions: ["-f", "--force"],
    },
  },
  base64: { options: "w:b: --wrap= --break=", writes: "-o --output", files: { operands: "read" } },
  pandoc: {
    options: "f:r:t:w:M:V:T:s --from= --read= --to= --write= --metadata= --variable= --standalone --toc --pdf-engine=",
    reads: "-H -B -A -c -d --template --css --metadata-file --defaults --bibliography --csl --reference-doc",
    writes: "-o --output --extract-media --log",
    files: { operands: "read" },
  },
  "ditto pax": { files: copy.files },
  // The following programs unpack archives or mount file systems.
  unar: { options: "frsDSqp:e:k:i: -password= -force-overwrite", fills: "-o -output-directory", files: unpack },
  "unp dtrx aunpack ouch unalz": { fills: "-X -d -o --extract-to --dir", files: unpack },
  atool: { fills: "-X --extract-to", files: { operands: "read" } },
  patool: { fills: "--outdir", files: unpack },
  cabextract: { options: "flLqstF:p: --filter=", fills: "-d --directory", files: unpack },
  innoextract: { fills: "-d --output-dir", files: unpack },
  msiextract: { fills: "-C --directory", files: unpack },
  unsquashfs: { fills: "-d -dest", files: { operands: "read" } },
  "restic rustic": {
    options:
      "cnqr:vH:l:d:w:m:y:g:o: --compact --dry-run --json --no-lock --prune --quiet --verbose --repo= --host= --tag= --path= --group-by= " +
      "--keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= --keep-tag=",
    fills: "--target",
    reads: "--password-file",
    files: {},
  },
  "cpio bsdcpio": {
    options: "iopdmuvt0aBcLlfrsSVnkH:C:I:E:F:R:O: --extract --create",
    fills: "-D --directory",
    files: { operands: "list" },
  },
  "mount bindfs sshfs": {
    options: "arwBMnvo:t:L:U:O:p:F: --bind --rbind --move --options= --types=",
    files: { operands: "list", outputFolder: "other" },
  },
  mv: { ...copy, files: { ...copy.files, operands: "write" } },
  install: {
    ...copy,
    options: "m:o:g:S: --mode= --owner= --group= --suffix=",
    files: { operands: "read", lastOperand: "write", keepOptions: ["-b", "--backup", "-d", "--directory"] },
  },
  "chmod chown chgrp setfacl chattr xattr chcon": change,
  "grep egrep fgrep zgrep rg ag ack ugrep": search,
  tree: { options: "I:L:P:", writes: "-o", files: { operands: "list" } },
  history: { reads: "-n -r", writes: "-a -w", files: {} },
  uniq: {
    options: "f:s:w: --skip-fields= --skip-chars= --check-chars=",
    files: { operands: "read", lastOperand: "write" },
  },
  xxd: { options: "c:g:l:n:o:s:", files: { operands: "read", lastOperand: "write" } },
  iconv: { options: "f:t: --from-code= --to-code=", writes: "-o --output", files: { operands: "read" } },
  sort: { shell: "--compress-program", writes: "-o --output", files: { operands: "read" } },
  split: { shell: "--filter", files: { operands: "read", lastOperand: "write" } },
  csplit: { options: "kqszn:b:f: --prefix= --suffix-format= --digits=", files: { operands: "read" } },
  zip: { options: "x:i:P:", shell: "-TT --unzip-command", files: { operands: "read" } },
  "7z 7za 7zr 7zz 7zzs p7zip rar unrar": {
    options: "yp::t::m::r::w::x::i::a::s::b::",
    fills: "-o -op",
    files: { operands: "read", leadingOperands: 1 },
  },
  jar: { fills: "-C --dir", files: { operands: "read" } },
  "dpkg dpkg-deb": { files: { operands: "read" } },
  "unzip bsdunzip": { options: "x:P:", fills: "-d", files: { operands: "read" } },
  tar: {
    options: " --exclude= --transform=",
    fills: "-C --directory --one-top-level",
    reads: "-T -X --files-from --exclude-from",
    shell: "-I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command",
    settings: "--checkpoint-action",
    commands: { scriptSettings: /^exec$/ },
    files: { operands: "read" },
  },
  "bsdtar gtar gnutar": {
    shell: "-I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command",
    settings: "--checkpoint-action",
    commands: { scriptSettings: /^exec$/ },
  },
  man: { shell: "-P --pager" },
};
