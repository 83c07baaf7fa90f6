import { findBangCommands, findKeyBindingCommands, findTypedLines } from "../code/strings.ts";
import type { Program, ProgramRows } from "./program.ts";
import { DOCKER_RUNS, POD_COMMAND_RUNS, PODMAN_RUNS } from "./remote.ts";

const SSH_COMMAND_SETTING = /^(?:proxycommand|localcommand|knownhostscommand)$/i;
const TERMINAL_PROGRAM: Program = { commands: { commandMarkers: "-e -x --" } };
const container: Program = {
  options:
    "H:c:l:p: --host= --context= --log-level= --config= --project-name= --project-directory= --profile= " +
    "--filter= --timeout=",
  reads: "--env-file",
};
const packages: Program = { options: "yqp: --yes --no --quiet --package=", shell: "-c --call", runsPackages: true };
const remoteCopyProgram: Program = {
  options: "P:l:c:J:",
  uses: "-i -F",
  settings: "-o",
  shell: "-S",
  commands: { scriptSettings: SSH_COMMAND_SETTING },
};
const firewall: Program = {
  options:
    "46fFLnSvxXZA:C:D:d:g:I:i:j:m:N:o:P:p:R:s:t:w: --append= --check= --delete= --insert= --replace= --table= --jump= --match= " +
    "--protocol= --dport= --sport= --comment= --ctstate= --state=",
};
const drop: Program = {
  options: "efiwWh:p:U: --echo --force --if-exists --interactive --host= --port= --username= --maintenance-db=",
};

/**
 * Programs that access other machines, containers and services, and programs that start other programs in a terminal.
 */
export const SERVICE_ROWS: ProgramRows = {
  curl: {
    options:
      "d:F:H:X:u:A:e:w:x: --data= --data-binary= --data-urlencode= --form= --json= --header= --request= " +
      "--user= --user-agent= --data-raw= --write-out= --url=",
    reads: "-T -K -b --upload-file --config --netrc-file --cookie",
    uses: "-E --key --cert --cacert",
    writes: "-o -c -D --output --cookie-jar --dump-header --output-dir --trace --trace-ascii",
    files: {},
  },
  wget: {
    options: "U: --header= --user= --password= --method= --body-data= --post-data=",
    reads: "-i --input-file --post-file --body-file --load-cookies --private-key",
    uses: "--certificate --ca-certificate",
    writes: "-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies",
    files: {},
  },
  openssl: {
    reads: "-in -CA -cert -config -CAfile",
    uses: "-key -inkey -signkey -CAkey -sign",
    makes: "-keyout -out",
    files: {},
  },
  mkcert: { makes: "-key-file -cert-file" },
  "gpg gpg2 age": {
    options: "r:u: --recipient= --local-user=",
    writes: "-o --output",
    reads: "-i --identity --passphrase-file",
    files: { operands: "read" },
  },
  "ssh-keygen": { options: "C:N:P:", writes: "-f", files: {} },
  ssh: {
    options: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:e:I:J:L:l:m:O:p:Q:R:S:W:w:",
    uses: "-i -F",
    writes: "-E",
    settings: "-o",
    commands: { scriptSettings: SSH_COMMAND_SETTING },
    files: {},
  },
  autossh: {
    options: "1246AaCfGgKkNnqsTtVvXxYyM:B:b:c:D:e:I:J:L:l:m:O:p:Q:R:S:W:w:",
    uses: "-i -F",
    settings: "-o",
    commands: { scriptSettings: SSH_COMMAND_SETTING },
  },
  scp: { ...remoteCopyProgram, files: { operands: "read", lastOperand: "write" } },
  sftp: { ...remoteCopyProgram, files: { operands: "list", lastOperand: "write" } },
  "putty plink pscp psftp slogin dbclient": { uses: "-i" },
  "http-server": { uses: "-C --cert -K --key" },
  signtool: { uses: "/f" },
  rsync: {
    options:
      "46ABaCcDdEgHhIiJKklLmNnoOPpqrRStuUvWxXyzf:T:M: --exclude= --include= --filter= --rsync-path= --bwlimit= --suffix= --port= --timeout= --chmod= " +
      "--chown= --info= --archive --checksum --compress --delete --delete-after --delete-before --delete-delay " +
      "--delete-during --delete-excluded --del --dry-run --force --human-readable --ignore-errors --itemize-changes " +
      "--links --list-only --no-perms --partial --perms --progress --prune-empty-dirs --quiet --recursive --safe-links " +
      "--stats --times --update --verbose",
    shell: "-e --rsh",
    reads: "--files-from --exclude-from --include-from --link-dest --compare-dest --copy-dest",
    writes: "--log-file --backup-dir --temp-dir",
    files: {
      operands: "read",
      lastOperand: "write",
      keepOptions: ["-n", "-b", "--dry-run", "--ignore-existing", "--backup", "--list-only"],
    },
  },
  "docker nerdctl": { ...container, uses: "--secret", files: {}, commands: DOCKER_RUNS },
  podman: { ...container, uses: "--secret", files: {}, commands: PODMAN_RUNS },
  "docker-compose podman-compose": { ...container, commands: DOCKER_RUNS },
  // File options that any subcommand may have: `docker build -f`, `docker compose -f`, `docker run --env-file`.
  "docker > build": { reads: "-f --file --env-file", uses: "--secret", files: {} },
  "kubectl oc k kubecolor": {
    options:
      "AhLRn:s:l:o: --all --all-namespaces --force --now --recursive --wait --namespace= --context= --cluster= --user= --server= --selector= --output= --template= " +
      "--sort-by= --as= --token= --request-timeout= --field-selector= --grace-period= --timeout=",
    reads: "-f --filename --kubeconfig --values --from-file --from-env-file",
    uses: "--key --cert",
    files: {},
    commands: POD_COMMAND_RUNS,
  },
  helm: {
    options: "ahn: --debug --keep-history --no-hooks --wait --namespace= --kube-context= --timeout= --description=",
    reads: "-f --filename --kubeconfig --values --from-file --from-env-file",
    files: {},
  },
  terragrunt: { folder: "--working-dir --terragrunt-working-dir" },
  pulumi: { options: "fys: --preview-only --skip-preview --stack=", folder: "-C --cwd" },
  gh: { options: "R: --repo=", fills: "-D --dir", writes: "-O --output" },
  aria2c: {
    options: "cx:s:j:k:m:t:U: --continue --max-connection-per-server= --split= --header= --user-agent= --referer=",
    fills: "-d --dir",
    writes: "-o --out -l --log",
    reads: "-i --input-file",
    files: {},
  },
  wrangler: { options: "c:e: --config= --env= --command=" },
  "ansible-playbook": { uses: "--vault-password-file" },
  systemctl: {
    options:
      "afilqrH:M:t:p:s:n: --force --no-block --no-wall --now --quiet --user --when= --host= --machine= --type= --property= --signal= --lines=",
  },
  zfs: { options: "dfnprRvo:t:" },
  "iptables ip6tables": firewall,
  "dropdb dropuser": drop,
  mysqladmin: { options: "fu:h:P: --force --user= --host= --port=" },
  "deluser delgroup": {
    options:
      "fq --conf= --backup-to= --backup --force --group --only-if-empty --quiet --remove-all-files --remove-home --system",
  },
  "mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4": { options: "cDFjKnqSvVb:C:d:e:E:g:G:i:I:J:l:L:m:M:N:o:O:r:T:t:U:z:" },
  mkfs: { options: "cFnqvVb:i:I:L:m:N:O:t:T:U: --type= --verbose" },
  "mkntfs mkfs.ntfs": { options: "CfFhInQqTUvVc:H:L:p:s:S:z: --fast --force --no-action --quick --quiet" },
  "mkfs.xfs": { options: "CfKNqVb:d:i:l:L:m:n:p:r:s:" },
  sfdisk: {
    options: "AdfFJlLnqrRTuvVN:o:O:S:w:W:X:Y: --no-act --force --quiet --no-reread --no-tell-kernel --label= --wipe=",
  },
  wipefs: { options: "abfiJnpqO:t: --backup --no-act --no-headings --parsable --output= --types=" },
  "lvremove vgremove pvremove lvreduce": { options: "fqtvyL:l:S: --test --select= --size=" },
  rclone: { options: "inPqv --dry-run --fast-list --interactive --progress --exclude= --filter= --include=" },
  ufw: { options: " --dry-run --force" },
  borg: {
    options:
      "nvpsH:d:w:m:y:P:a: --dry-run --debug --force --info --list --progress --save-space --show-rc --stats --verbose --prefix= --glob-archives= " +
      "--keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= --lock-wait=",
  },
  "shutdown halt reboot poweroff": {
    options: "cdfHhKkPprw --force --halt --no-wall --no-wtmp --poweroff --reboot --show --wtmp-only --when=",
  },
  "terraform tofu": { options: " -auto-approve -destroy -help -json -no-color -compact-warnings -h" },
  "apt apt-get": { settings: "-o --option", commands: { scriptSettings: /-invoke(?:::)?$/i } },
  go: { shell: "-exec -toolexec" },
  "fzf sk": {
    options: "dmq:n: --query= --filter= --multi --delimiter= --nth=",
    shell: "--preview --execute",
    code: "--bind",
    language: { find: findKeyBindingCommands },
  },
  openvpn: { shell: "--up --down --route-up --route-pre-down --ipchange --client-connect --tls-verify" },
  tcpdump: { options: "i:c:w:r:s:C:G:W:F:", shell: "-z" },
  lftp: { code: "-e -c", language: { find: findBangCommands, stdin: true } },
  "bazel bazelisk": { shell: "--run_under" },
  "nix-shell": { shell: "--run --command" },
  "nix guix": { commands: { commandMarkers: "-c --command --" } },
  "npx bunx": packages,
  "npm pnpm": { ...packages, commands: { runs: [{ subcommands: "exec" }] } },
  yarn: { ...packages, commands: { runs: [{ subcommands: "exec", isJoined: true }] } },
  pnpx: { runsPackages: true },
  "fd fdfind": {
    options:
      "HIuLgFsia01lpqd:t:e:E:c:j:S:o:x:X: --exec= --exec-batch= --type= --extension= --exclude= --max-depth= --min-depth= --threads= " +
      "--size= --owner= --changed-within= --changed-before= --search-path= --base-directory= --and= --format= --color= --hidden --no-ignore --glob --absolute-path --print0",
  },
  nodemon: { shell: "-x --exec" },
  hyperfine: { shell: "-p -s -c --prepare --setup --cleanup --conclude", commands: { hasScriptOperands: true } },
  "concurrently run-p run-s pee mispipe npm-run-all": { commands: { hasScriptOperands: true } },
  "chokidar chokidar-cli tsc-watch watchmedo": { shell: "-c --command --onSuccess --onFailure --onFirstSuccess" },
  "nc ncat netcat": { shell: "-e -c --exec --sh-exec" },
  socat: { commands: { commandPrefix: /^(?:exec|system|shell):/i } },
  "xterm uxterm x-terminal-emulator urxvt rxvt st": TERMINAL_PROGRAM,
  "konsole alacritty foot gnome-terminal xfce4-terminal mate-terminal lxterminal qterminal": TERMINAL_PROGRAM,
  "terminator tilix terminology kgx ptyxis ghostty mintty guake deepin-terminal launchctl": TERMINAL_PROGRAM,
  wezterm: { commands: { commandMarkers: "-e -x --", typedTextMarkers: "send-text" } },
  "tmux byobu": {
    options: "AbdDEhIkKOPRvXZaBC:c:e:F:f:l:n:p:s:S:t:x:y:",
    commands: { typedTextMarkers: "send-keys send-key send-ke send-k send", opensTerminal: true },
  },
  screen: {
    options: "dDmARUrxlLiqvwc:e:h:p:S:s:T:t:",
    commands: { typedTextMarkers: "stuff", opensTerminal: true, runs: [{ subcommands: "exec screen" }] },
  },
  zellij: { commands: { typedTextMarkers: "write-chars", commandMarkers: "--" } },
  "kitty kitten": {
    options: "1c:d:o:T: --config= --directory= --override= --title= --class= --name= --hold --detach --session=",
    commands: { typedTextMarkers: "send-text", commandMarkers: "-e launch", runs: [{}] },
  },
  "xdotool ydotool": { commands: { typedTextMarkers: "type" } },
  wtype: { options: "M:m:k:P:p:d:s:", commands: { runs: [{ isJoined: true }] } },
  "dotool dotoolc": { language: { find: findTypedLines, stdin: true } },
  flock: {
    options: "eFnosuxE:w: --wait= --timeout= --conflict-exit-code= --exclusive --nonblock --no-fork --close --shared",
    shell: "-c --command",
    commands: { runs: [{ operandCount: 1 }] },
  },
  su: {
    options: "flmPpTG:g:s:w: --group= --shell= --login --pty --preserve-environment --whitelist-environment=",
    shell: "-c -C --command --session-command",
    commands: { stdin: true },
  },
  "sg newgrp": { shell: "-c", commands: { runs: [{ operandCount: 1, isJoined: true }], stdin: true } },
  "kdesu kdesudo gksu gksudo xdg-su lxqt-sudo beesu": {
    options: "u:l --user=",
    shell: "-c",
    commands: { runs: [{ isJoined: true }] },
  },
  script: {
    options:
      "adefFkpqrE:m:t::I:O:B:T:o: --append --echo= --force --flush --quiet --return --logging-format= --output-limit= --timing --log-in= --log-out= --log-io= --log-timing=",
    shell: "-c --command",
    commands: { runs: [{ operandCount: 1 }], stdin: true },
  },
  "at batch": { options: "mMlbvVq:t:d:r:", reads: "-f", commands: { stdin: true } },
  runuser: {
    options: "flmpPTG:g:s:u:w: --user= --group= --shell= --login --pty",
    shell: "-c --command --session-command",
    commands: { runs: [{ requiredOptions: ["-u", "--user"] }], stdin: true },
  },
  watch: {
    options: "bcdegptwxrCn:q: --interval= --equexit= --differences --exec",
    commands: { runs: [{ isJoined: true }] },
  },
  parallel: { options: "0kmqtuvXa:C:d:I:j:L:n:N:P:S: --jobs= --arg-file= --colsep= --delimiter=" },
  "mcp > add": { options: "e:s:t:H: --env= --scope= --transport= --header=" },
};
