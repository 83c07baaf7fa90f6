import type { Program, ProgramRows } from "./program.ts";

const CARGO_WATCH_PROGRAM: Program = {
  options:
    "cqBNi:w:x:d:F:C: --clear --quiet --no-gitignore --no-vcs-ignores --postpone --poll --notify --ignore= --watch= " +
    "--exec= --delay= --features= --workdir= --use-shell= --env= --env-file=",
  shell: "-s --shell",
  commands: { runs: [{ doubleDash: "must", isJoined: true }] },
};

/** Programs that run the command in their arguments. With `subcommands`, the command must follow one of them. */
export const WRAPPER_ROWS: ProgramRows = {
  "nohup builtin nocorrect noglob busybox toybox fakeroot fakeroot-ng fakechroot prlimit": { wrapper: {} },
  "firejail setpriv distrobox-host-exec host-spawn cross-env eatmydata nocache torify tsocks": { wrapper: {} },
  "proxychains winpty with-contenv pgrphack fghack gamemoderun mangohud prime-run optirun": { wrapper: {} },
  "primusrun steam-run vglrun dumb-init catatonit docker-init linux32 linux64 i386 x86_64": { wrapper: {} },
  "arch coreutils uutils run-one run-this-one cronic catchsegv heaptrack nq tsp ts": { wrapper: {} },
  "dbus-launch xinit startx termux-chroot keep-one-running envconsul summon graftcp valgrind": { wrapper: {} },
  "cgexec ktrace dtruss truss ifne gnohup aa-exec rootlesskit xdg-terminal-exec kde-inhibit": { wrapper: {} },
  "gnome-session-inhibit gnome-inhibit box64 box86 wine FEXBash qemu-x86_64 qemu-aarch64": { wrapper: {} },
  "qemu-arm qemu-i386 qemu-x86_64-static qemu-aarch64-static libtool libtree rargs pexec": { wrapper: {} },
  // Words that may precede a command in fish, zsh, elvish and nushell, including braces where bash doesn't allow them.
  "and or not begin always try { }": { wrapper: {} },
  "lckdo lockf with-lock-ex": { options: "wWeEknst:qxif:", wrapper: { operandCount: 1 } },
  "nsjail minijail0": { wrapper: { doubleDash: "must" } },
  sandbox: { options: "CXSt:H:T:i:I:w:l:", wrapper: {} },
  capsh: { options: " --user= --uid= --gid= --drop= --caps= --chroot= --print", shell: "-c" },
  runcon: {
    options: "ct:u:r:l: --compute --type= --user= --role= --range=",
    commands: {
      runs: [
        { requiredOptions: ["-t", "-u", "-r", "-l", "-c", "--type", "--user", "--role", "--range"] },
        { operandCount: 1 },
      ],
    },
  },
  sem: {
    options: "0kmqtuvXa:C:d:I:j:L:n:N:P:S: --jobs= --id= --fg --bg --wait",
    commands: { runs: [{ isJoined: true }] },
  },
  "repeat sched": { wrapper: { operandCount: 1 } },
  "gosu su-exec setuidgid envuidgid s6-setuidgid s6-envuidgid s6-applyuidgid": { wrapper: { operandCount: 1 } },
  "envdir s6-envdir setlock s6-setlock envchain argv0": { options: "nNxXIfFt:i", wrapper: { operandCount: 1 } },
  "softlimit s6-softlimit": { options: "a:c:d:f:h:l:m:n:o:p:r:s:t:H", wrapper: {} },
  chpst: { options: "vP012u:U:b:e:n:l:L:m:d:o:p:f:c:r:t:C:", wrapper: {} },
  "faketime datefudge": {
    options: "fmsp: --exclude-monotonic --date-based-serial-number",
    wrapper: { operandCount: 1 },
  },
  "tini tini-static": { options: "sgvwp:e:", wrapper: {} },
  numactl: {
    options: "aHshbrlN:i:p:m:C: --interleave= --preferred= --membind= --cpunodebind= --physcpubind= --localalloc",
    wrapper: {},
  },
  schedtool: { options: "FRBIDvM:p:n:a:", wrapper: { requiredOptions: ["-e"] } },
  trickle: { options: "hvVsd:u:w:t:l:n:p:", wrapper: {} },
  dtach: { options: "zEA:c:n:N:e:r:", wrapper: {} },
  abduco: { options: "acAnflre:p:q", wrapper: { operandCount: 1 } },
  "sandbox-exec": { options: "f:n:p:D:", wrapper: {} },
  "retry backoff chruby-exec": {
    options: "t:d:m:x:c: --until= --while= --times= --delay= --tries= --max= --min=",
    wrapper: {},
  },
  "wait-for-it wait-for-it.sh wait-for": {
    options: "qst:h:p: --timeout= --host= --port= --strict --quiet",
    wrapper: { doubleDash: "must" },
  },
  dockerize: { options: " -wait= -timeout= -template= -stdout= -stderr=", wrapper: {} },
  "start-stop-daemon": {
    options:
      "KSbmotqvc:d:g:k:n:p:r:s:u:x:a: --start --stop --background --exec= --startas= --pidfile= --chuid= --name= --make-pidfile",
    commands: { runs: [{ doubleDash: "must", entryPointOptions: "--exec -x --startas -a" }] },
  },
  daemonize: { options: "avc:e:E:o:p:l:u:", wrapper: {} },
  daemon: { options: "n:u:D:F:L:o:O:E:r --name= --user= --chdir= --pidfile= --output= --respawn", wrapper: {} },
  "perf uftrace operf rr": {
    options: "agbivRde:o:p:t:C:F:c:m:r:I:j:",
    wrapper: { subcommands: "stat record trace mem lock kmem sched" },
  },
  "systemd-inhibit": {
    options: " --what= --who= --why= --mode= --list --no-pager --no-legend",
    wrapper: { noCommandOptions: ["--list"] },
  },
  "systemd-cat": {
    options: "t:p: --identifier= --priority= --stderr-priority= --level-prefix= --namespace=",
    wrapper: {},
  },
  "systemd-socket-activate": {
    options: "adl:E: --listen= --accept --datagram --setenv= --inetd --fdname= --seqpacket",
    wrapper: {},
  },
  run0: {
    options:
      "u:g:i --unit= --property= --description= --slice= --slice-inherit --user= --group= --nice= --setenv= --background= --machine= --pty --pipe --via-shell",
    folder: "-D --chdir",
    wrapper: {},
  },
  toolbox: { options: "c:d:r: --container= --distro= --release= --preserve-fds=", wrapper: { subcommands: "run" } },
  distrobox: {
    options: "n:a:vrT --name= --additional-flags= --root --no-workdir --no-tty",
    wrapper: { subcommands: "enter run ephemeral", doubleDash: "must" },
    commands: { commandMarkers: "-e" },
  },
  "distrobox-enter distrobox-ephemeral": {
    options: "n:a:vrT --name= --additional-flags=",
    wrapper: { doubleDash: "must" },
  },
  flatpak: {
    commands: {
      runs: [{ subcommands: "run", operandCount: 1, entryPointOptions: "--command", optionsRow: "flatpak run" }],
    },
  },
  "flatpak > run": {
    options: " --command= --branch= --arch= --cwd= --env= --filesystem= --share= --socket= --user --system --devel",
  },
  "apptainer singularity": {
    options: "ceB:C:H:W: --bind= --home= --pwd= --env= --nv --writable --containall --cleanenv --overlay=",
    wrapper: { subcommands: "exec", operandCount: 1 },
  },
  ip: { options: "46bdnosr --netns=", commands: { runs: [{ subcommands: "exec", operandCount: 1 }] } },
  cmake: {
    commands: {
      runs: [
        { subcommands: "-E" },
        { subcommands: "remove_directory", program: "rm -rf" },
        { subcommands: "remove", program: "rm" },
        { subcommands: "copy copy_if_different", program: "cp" },
        { subcommands: "copy_directory copy_directory_if_different", program: "cp -r" },
        { subcommands: "rename", program: "mv" },
        { subcommands: "create_symlink", program: "ln -s" },
        { subcommands: "create_hardlink", program: "ln" },
        { subcommands: "chdir", operandCount: 1 },
      ],
    },
  },
  "poetry pipenv pdm hatch rye pixi volta foreman forego honcho symfony varlock": { wrapper: { subcommands: "run" } },
  doppler: {
    options: "p:c:t: --project= --config= --token= --scope= --mount= --preserve-env --fallback=",
    shell: "--command",
    wrapper: { subcommands: "run" },
  },
  devbox: {
    options: "c:e:qv --config= --env= --env-file= --quiet --pure",
    commands: {
      runs: [
        { subcommands: "run", isJoined: true },
        { subcommands: "shell", doubleDash: "must" },
      ],
    },
  },
  devenv: { wrapper: { subcommands: "shell" } },
  flox: {
    options: "d:r: --dir= --remote=",
    shell: "-c --command",
    commands: { runs: [{ subcommands: "activate", doubleDash: "must" }] },
  },
  "bundle asdf rbenv pyenv nodenv goenv jenv plenv luaenv composer nx lerna tox": { wrapper: { subcommands: "exec" } },
  "nvm n": { options: " --silent", wrapper: { subcommands: "exec run", operandCount: 1 } },
  fnm: { options: " --using=", wrapper: { subcommands: "exec" } },
  rvm: { wrapper: { subcommands: "do" } },
  "mise rtx": {
    options: "C:j:r --cd= --env= --jobs= --quiet --raw --yes",
    shell: "-c --command",
    wrapper: { subcommands: "exec x", doubleDash: "must" },
  },
  rustup: { options: " --install", wrapper: { subcommands: "run", operandCount: 1 } },
  xcrun: {
    options: "lnrkvf: --sdk= --toolchain= --find= --run --log --no-cache",
    wrapper: { noCommandOptions: ["-f", "--find"] },
  },
  leaks: { wrapper: { doubleDash: "must" } },
  sshpass: { options: "ehVvp:f:d:P:", wrapper: {} },
  "teller berglas saml2aws aws-okta aws-sso akeyless": {
    options: "p:a:r: --profile= --region= --role= --account=",
    wrapper: { subcommands: "run exec", doubleDash: "must" },
  },
  sops: { commands: { runs: [{ subcommands: "exec-env exec-file", operandCount: 1, isJoined: true }] } },
  "consul consul-template": {
    shell: "-exec",
    commands: {
      runs: [
        { subcommands: "exec", isJoined: true },
        { subcommands: "lock", operandCount: 1, isJoined: true },
      ],
    },
  },
  sst: { options: " --stage= --config=", wrapper: { subcommands: "shell bind" } },
  execlineb: { options: "PpWwS:s:", shell: "-c", wrapper: { noCommandOptions: ["-c"] } },
  "watchexec reflex onchange when-changed": {
    options: "crnqve:w:i:s:f:d:g:R:G:N:p --exts= --watch= --ignore= --filter= --signal= --shell= --debounce=",
    commands: { runs: [{ isJoined: true, doubleDash: "may" }] },
  },
  pueue: {
    options: "g:w:p:d:l: --group= --working-directory= --after= --label= --priority= --delay=",
    commands: { runs: [{ subcommands: "add", isJoined: true }] },
  },
  "uwsm app2unit": { options: "s:t:a:u:d: --slice=", wrapper: { doubleDash: "must" } },
  "i3-msg swaymsg hyprctl": { commands: { runs: [{ subcommands: "exec", isJoined: true }] } },
  setarch: { options: "BFILRSTXZ3", wrapper: { operandCount: 1 } },
  java: { wrapper: { subcommands: "-jar" } },
  // Programs whose arguments are parsed elsewhere. They are listed here so that a partly unknown name can match.
  "eval read chdir typeset compgen find cmd wmic schtasks forfiles runas conhost gsudo wsl": {},
  "dd link srm wipe rimraf rmtrash gio reg defaults printenv pkill killall taskkill pgrep pidof": {},
  "ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1": {
    options: " --library-path= --preload= --argv0= --inhibit-cache --list",
    wrapper: { noCommandOptions: ["--list"] },
  },
  "sudo sudo-rs": {
    options:
      "ABbEHiKklNnPSsVva:C:c:g:h:p:R:r:T:t:U:u: --askpass --auth-type= --background --bell --chroot= " +
      "--close-from= --command-timeout= --edit --group= --host= --list --login --login-class= --no-update " +
      "--non-interactive --other-user= --preserve-env --preserve-groups --prompt= --remove-timestamp " +
      "--reset-timestamp --role= --set-home --shell --stdin --type= --user= --validate --version",
    folder: "-D --chdir",
    files: { operands: "write" },
    commands: { stdin: ["-s", "-i", "--shell", "--login"] },
    wrapper: {
      noCommandOptions: [
        "-e",
        "-l",
        "-V",
        "-v",
        "-K",
        "--edit",
        "--list",
        "--version",
        "--validate",
        "--remove-timestamp",
      ],
    },
  },
  "doas doas-rs opendoas": { options: "Lnsa:C:u:", wrapper: {}, commands: { stdin: ["-s"] } },
  pkexec: { options: " --user= --disable-internal-agent --keep-cwd", wrapper: {} },
  "env genv": {
    options:
      "0ivP:S:u: --argv0= --block-signal --debug --default-signal --ignore-environment --ignore-signal " +
      "--list-signal-handling --null --split-string= --unset=",
    folder: "-C --chdir",
    wrapper: { noCommandOptions: ["-S", "--split-string"] },
  },
  "nice gnice": { options: "0123456789n: --adjustment=", wrapper: {} },
  ionice: { options: "tc:n:p:P:u: --class= --classdata= --ignore", wrapper: { noCommandOptions: ["-p", "-P", "-u"] } },
  chrt: {
    options: "abdfGimoRrvD:P:T: --all-tasks --batch --deadline --fifo --idle --other --reset-on-fork --rr --verbose",
    wrapper: { operandCount: 1 },
  },
  taskset: { options: "ac --all-tasks --cpu-list", wrapper: { operandCount: 1 } },
  "stdbuf gstdbuf": { options: "e:i:o: --error= --input= --output=", wrapper: {} },
  "timeout gtimeout timelimit": {
    options: "fpvk:s: --foreground --kill-after= --preserve-status --signal= --verbose",
    wrapper: { operandCount: 1 },
  },
  "xargs gxargs": {
    options:
      "0oprtxa:d:E:e::I:i::J:L:l::n:P:R:S:s: --arg-file= --delimiter= --eof --exit --interactive " +
      "--max-args= --max-chars= --max-lines --max-procs= --no-run-if-empty --null --open-tty " +
      "--process-slot-var= --replace --show-limits --verbose",
    wrapper: { appendsInput: true },
  },
  "time gtime": { options: "ahlpqvf:o: --append --format= --output= --portability --quiet --verbose", wrapper: {} },
  setsid: { options: "cfw --ctty --fork --wait", wrapper: {} },
  command: { options: "pvV", wrapper: { noCommandOptions: ["-v", "-V"] } },
  exec: { options: "cla:", wrapper: {} },
  caffeinate: { options: "dimsut:w:", wrapper: {} },
  unbuffer: { options: "p", wrapper: {} },
  strace: { options: "cCdDfFhiknqrtTvVwxyYza:b:e:E:I:o:O:p:P:s:S:u:U:X:", wrapper: {} },
  ltrace: { options: "bcCfhiLrStTVa:A:D:e:F:l:n:o:p:s:u:w:x:", wrapper: {} },
  torsocks: { options: "iq", wrapper: {} },
  proxychains4: { options: "qf:", wrapper: {} },
  "systemd-run": {
    options:
      "GPqrSt --collect --pipe --pty --quiet --scope --user --wait --unit= --property= --slice= --setenv= " +
      "--uid= --gid=",
    wrapper: {},
  },
  unshare: { options: "CfimnprTUu --fork --mount --net --pid --user --map-root-user --mount-proc", wrapper: {} },
  cpulimit: { options: "izvl:c:p:e:", wrapper: {} },
  "chroot gchroot": {
    options: " --groups= --userspec= --skip-chdir",
    wrapper: { operandCount: 1, remote: true, localOperands: /^\/[/.]*$/ },
  },
  "ssh-agent": { options: "acDdksE:O:P:t:", wrapper: {} },
  "xvfb-run": { options: "ade:f:n:p:s:w: --auto-servernum --server-num= --server-args=", wrapper: {} },
  "dbus-run-session": { options: " --config-file= --dbus-daemon=", wrapper: {} },
  nsenter: { options: "aCFGimnpSTUuVt: --all --target= --mount --uts --ipc --net --pid --user", wrapper: {} },
  proot: { options: "0hb:m:q:r:R:S:w: --rootfs= --bind= --cwd=", wrapper: {} },
  bwrap: {
    options:
      " --dev= --proc= --tmpfs= --dir= --chdir= --uid= --gid= --hostname= --unsetenv= --perms= " +
      "--remount-ro= --unshare-all --unshare-user --unshare-pid --unshare-net --share-net " +
      "--die-with-parent --new-session --clearenv",
    wrapper: {
      twoValueOptions: /^--(?:(?:ro-|dev-)?bind(?:-try)?|symlink|setenv|chmod|(?:ro-)?bind-data|file|overlay)$/,
    },
  },
  chronic: { options: "ev", wrapper: {} },
  rlwrap: { options: "acNnrRz", wrapper: {} },
  entr: { options: "acdnprsxz", commands: { runs: [{ requiredOptions: ["-s"], isJoined: true }, {}] } },
  // The options of `cargo watch` may contain a script: `cargo watch -s SCRIPT`.
  cargo: {},
  "cargo-watch": CARGO_WATCH_PROGRAM,
  "cargo > watch": CARGO_WATCH_PROGRAM,
  "flatpak-spawn": { options: " --host --clear-env --watch-bus", wrapper: {} },
  uv: {
    options: " --no-sync --frozen --isolated --project= --directory= --with= --extra= --group= --env-file= --python=",
    wrapper: { subcommands: "run" },
  },
  "conda mamba micromamba": {
    options: "n:p: --name= --prefix= --no-capture-output --live-stream",
    folder: "--cwd",
    wrapper: { subcommands: "run" },
  },
  direnv: { wrapper: { subcommands: "exec", operandCount: 1 } },
  op: { options: " --env-file= --no-masking", wrapper: { subcommands: "run" } },
  infisical: {
    options: " --env= --path= --projectId= --token= --tags= --recursive --watch",
    wrapper: { subcommands: "run" },
  },
  "dotenv dotenv-cli": { options: "oe:p:v: --override --cascade", wrapper: {} },
  "env-cmd": {
    options: "e: --environments= --no-override --silent --verbose --use-shell",
    settings: "-f --file -r --rc-file",
    wrapper: {},
  },
  dotenvx: {
    settings: "-f --env-file",
    options: "e: --env= --overload --quiet --strict",
    wrapper: { subcommands: "run" },
  },
  "aws-vault": {
    options:
      "d:jnst: --debug --duration= --ecs-server --json --mfa-token= --no-session --prompt= --region= " +
      "--server --stdout",
    wrapper: { subcommands: "exec", operandCount: 1 },
  },
  chamber: { options: "c:v --pristine --strict", wrapper: { subcommands: "exec", operandCount: 1 } },
};
