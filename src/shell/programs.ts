/** A word that runs the command behind it. */
export interface Wrapper {
  /** Its options as getopt writes them, a colon behind one that takes a value,
   * two where that may only be in the same word; then the long ones, with "=" for a value. */
  options: string;
  /** Words between the options and the command; options may stand behind them as well, up to a `--`. */
  operands?: number;
  /** The word that makes it a wrapper: `poetry run`. */
  after?: string;
  /** With one of these options it runs nothing. */
  idle?: readonly string[];
  /** Options that name the folder to run in. */
  folder?: readonly string[];
  /** It adds arguments that it reads. */
  more?: true;
  remote?: true;
  /** Options with two values. */
  twice?: RegExp;
  /** Operands with which it isn't remote after all. */
  here?: RegExp;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    options:
      "ABbEHiKklNnPSsVva:C:c:D:g:h:p:R:r:T:t:U:u: --askpass --auth-type= --background --bell --chdir= --chroot= --close-from= --command-timeout= --edit --group= --host= --list --login --login-class= --no-update --non-interactive --other-user= --preserve-env --preserve-groups --prompt= --remove-timestamp --reset-timestamp --role= --set-home --shell --stdin --type= --user= --validate --version",
    idle: ["-e", "-l", "-V", "-v", "-K", "--edit", "--list", "--version", "--validate", "--remove-timestamp"],
    folder: ["-D", "--chdir"],
  },
  doas: { options: "Lnsa:C:u:" },
  pkexec: { options: " --user= --disable-internal-agent --keep-cwd" },
  gosu: { options: "", operands: 1 },
  "su-exec": { options: "", operands: 1 },
  env: {
    options:
      "0ivC:P:S:u: --argv0= --block-signal --chdir= --debug --default-signal --ignore-environment --ignore-signal --list-signal-handling --null --split-string= --unset=",
    idle: ["-S", "--split-string"],
    folder: ["-C", "--chdir"],
  },
  nice: { options: "0123456789n: --adjustment=" },
  ionice: { options: "tc:n:p:P:u: --class= --classdata= --ignore", idle: ["-p", "-P", "-u"] },
  chrt: {
    options: "abdfGimoRrvD:P:T: --all-tasks --batch --deadline --fifo --idle --other --reset-on-fork --rr --verbose",
    operands: 1,
  },
  taskset: { options: "ac --all-tasks --cpu-list", operands: 1 },
  stdbuf: { options: "e:i:o: --error= --input= --output=" },
  timeout: { options: "fpvk:s: --foreground --kill-after= --preserve-status --signal= --verbose", operands: 1 },
  xargs: {
    options:
      "0oprtxa:d:E:e::I:i::J:L:l::n:P:R:S:s: --arg-file= --delimiter= --eof --exit --interactive --max-args= --max-chars= --max-lines --max-procs= --no-run-if-empty --null --open-tty --process-slot-var= --replace --show-limits --verbose",
    more: true,
  },
  time: { options: "ahlpqvf:o: --append --format= --output= --portability --quiet --verbose" },
  nohup: { options: "" },
  setsid: { options: "cfw --ctty --fork --wait" },
  command: { options: "pvV", idle: ["-v", "-V"] },
  exec: { options: "cla:" },
  builtin: { options: "" },
  nocorrect: { options: "" },
  noglob: { options: "" },
  busybox: { options: "" },
  toybox: { options: "" },
  fakeroot: { options: "" },
  caffeinate: { options: "dimsut:w:" },
  unbuffer: { options: "p" },
  strace: { options: "cCdDfFhiknqrtTvVwxyYza:b:e:E:I:o:O:p:P:s:S:u:U:X:" },
  ltrace: { options: "bcCfhiLrStTVa:A:D:e:F:l:n:o:p:s:u:w:x:" },
  torsocks: { options: "iq" },
  proxychains4: { options: "qf:" },
  "systemd-run": {
    options:
      "GPqrSt --collect --pipe --pty --quiet --scope --user --wait --unit= --property= --slice= --setenv= --uid= --gid=",
  },
  unshare: { options: "CfimnprTUu --fork --mount --net --pid --user --map-root-user --mount-proc" },
  prlimit: { options: "" },
  cpulimit: { options: "izvl:c:p:e:" },
  chroot: { options: " --groups= --userspec= --skip-chdir", operands: 1, remote: true, here: /^\/[/.]*$/ },
  "ssh-agent": { options: "acDdksE:O:P:t:" },
  "xvfb-run": { options: "ade:f:n:p:s:w: --auto-servernum --server-num= --server-args=" },
  "dbus-run-session": { options: " --config-file= --dbus-daemon=" },
  firejail: { options: "" },
  nsenter: { options: "aCFGimnpSTUuVt: --all --target= --mount --uts --ipc --net --pid --user" },
  proot: { options: "0hb:m:q:r:R:S:w: --rootfs= --bind= --cwd=" },
  bwrap: {
    options:
      " --dev= --proc= --tmpfs= --dir= --chdir= --uid= --gid= --hostname= --unsetenv= --perms= --remount-ro= --unshare-all --unshare-user --unshare-pid --unshare-net --share-net --die-with-parent --new-session --clearenv",
    twice: /^--(?:(?:ro-|dev-)?bind(?:-try)?|symlink|setenv|chmod|(?:ro-)?bind-data|file|overlay)$/,
  },
  setpriv: { options: "" },
  setarch: { options: "BFILRSTXZ3", operands: 1 },
  chronic: { options: "ev" },
  rlwrap: { options: "acNnrRz" },
  entr: { options: "acdnprsxz", more: true },
  "flatpak-spawn": { options: " --host --clear-env --watch-bus" },
  "distrobox-host-exec": { options: "" },
  ...Object.fromEntries(
    ["ld.so", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1"].map(
      (name) => [name, { options: " --library-path= --preload= --argv0= --inhibit-cache --list", idle: ["--list"] }],
    ),
  ),
  poetry: { options: "", after: "run" },
  pipenv: { options: "", after: "run" },
  pdm: { options: "", after: "run" },
  hatch: { options: "", after: "run" },
  uv: {
    options: " --no-sync --frozen --isolated --project= --directory= --with= --extra= --group= --env-file= --python=",
    after: "run",
  },
  conda: {
    options: "n:p: --name= --prefix= --no-capture-output --live-stream --cwd=",
    after: "run",
    folder: ["--cwd"],
  },
  bundle: { options: "", after: "exec" },
  mise: { options: "", after: "exec" },
  direnv: { options: "", after: "exec", operands: 1 },
  op: { options: " --env-file= --no-masking", after: "run" },
  doppler: { options: "", after: "run" },
  infisical: { options: " --env= --path= --projectId= --token= --tags= --recursive --watch", after: "run" },
  dotenv: { options: "oe:p:v: --override --cascade" },
  dotenvx: { options: "f:e: --env-file= --env= --overload --quiet --strict", after: "run" },
  "cross-env": { options: "" },
  "aws-vault": {
    options:
      "d:jnst: --debug --duration= --ecs-server --json --mfa-token= --no-session --prompt= --region= --server --stdout",
    after: "exec",
    operands: 1,
  },
  chamber: { options: "c:v --pristine --strict", after: "exec", operands: 1 },
};

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "rbash", "yash", "csh", "tcsh"]);

/** A program without its folder and `.exe`: `/bin/rm` is `rm`. */
export const nameOf = (program: string): string =>
  program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).replace(/\.exe$/i, "");

/** Whether a program runs shell text: `bash`, `/bin/sh`. */
export const isShell = (name: string): boolean => SHELLS.has(name);

export const wrapperOf = (name: string): Wrapper | undefined =>
  Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
