import type { ProgramRows } from "./program.ts";

/** Programs that run the command in their arguments; with `after`, only after that word. */
export const listWrapperRows = (): ProgramRows => [
  [
    "nohup builtin nocorrect noglob busybox toybox coreutils fakeroot prlimit firejail setpriv distrobox-host-exec cross-env",
    { wrapper: {} },
  ],
  // Programs whose arguments are read elsewhere: a name with unknown parts may be one of them.
  [
    "eval read chdir typeset compgen su sg script at batch find fd fdfind cmd wmic schtasks forfiles runas conhost wsl " +
      "dd cpio link srm wipe rimraf rmtrash gio reg defaults printenv pkill killall taskkill pgrep pidof",
    {},
  ],
  ["gosu su-exec", { wrapper: { operands: 1 } }],
  ["poetry pipenv pdm hatch doppler", { wrapper: { after: "run" } }],
  ["bundle mise", { wrapper: { after: "exec" } }],
  ["java", { wrapper: { after: "-jar" } }],
  [
    "ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1",
    { options: " --library-path= --preload= --argv0= --inhibit-cache --list", wrapper: { idle: ["--list"] } },
  ],
  [
    "sudo",
    {
      options:
        "ABbEHiKklNnPSsVva:C:c:g:h:p:R:r:T:t:U:u: --askpass --auth-type= --background --bell --chroot= " +
        "--close-from= --command-timeout= --edit --group= --host= --list --login --login-class= --no-update " +
        "--non-interactive --other-user= --preserve-env --preserve-groups --prompt= --remove-timestamp " +
        "--reset-timestamp --role= --set-home --shell --stdin --type= --user= --validate --version",
      folder: "-D --chdir",
      files: { operands: "write" },
      wrapper: {
        idle: ["-e", "-l", "-V", "-v", "-K", "--edit", "--list", "--version", "--validate", "--remove-timestamp"],
      },
    },
  ],
  ["doas", { options: "Lnsa:C:u:", wrapper: {} }],
  ["pkexec", { options: " --user= --disable-internal-agent --keep-cwd", wrapper: {} }],
  [
    "env",
    {
      options:
        "0ivP:S:u: --argv0= --block-signal --debug --default-signal --ignore-environment --ignore-signal " +
        "--list-signal-handling --null --split-string= --unset=",
      folder: "-C --chdir",
      wrapper: { idle: ["-S", "--split-string"] },
    },
  ],
  ["nice", { options: "0123456789n: --adjustment=", wrapper: {} }],
  ["ionice", { options: "tc:n:p:P:u: --class= --classdata= --ignore", wrapper: { idle: ["-p", "-P", "-u"] } }],
  [
    "chrt",
    {
      options: "abdfGimoRrvD:P:T: --all-tasks --batch --deadline --fifo --idle --other --reset-on-fork --rr --verbose",
      wrapper: { operands: 1 },
    },
  ],
  ["taskset", { options: "ac --all-tasks --cpu-list", wrapper: { operands: 1 } }],
  ["stdbuf", { options: "e:i:o: --error= --input= --output=", wrapper: {} }],
  [
    "timeout",
    { options: "fpvk:s: --foreground --kill-after= --preserve-status --signal= --verbose", wrapper: { operands: 1 } },
  ],
  [
    "xargs",
    {
      options:
        "0oprtxa:d:E:e::I:i::J:L:l::n:P:R:S:s: --arg-file= --delimiter= --eof --exit --interactive " +
        "--max-args= --max-chars= --max-lines --max-procs= --no-run-if-empty --null --open-tty " +
        "--process-slot-var= --replace --show-limits --verbose",
      wrapper: { more: true },
    },
  ],
  ["time", { options: "ahlpqvf:o: --append --format= --output= --portability --quiet --verbose", wrapper: {} }],
  ["setsid", { options: "cfw --ctty --fork --wait", wrapper: {} }],
  ["command", { options: "pvV", wrapper: { idle: ["-v", "-V"] } }],
  ["exec", { options: "cla:", wrapper: {} }],
  ["caffeinate", { options: "dimsut:w:", wrapper: {} }],
  ["unbuffer", { options: "p", wrapper: {} }],
  ["strace", { options: "cCdDfFhiknqrtTvVwxyYza:b:e:E:I:o:O:p:P:s:S:u:U:X:", wrapper: {} }],
  ["ltrace", { options: "bcCfhiLrStTVa:A:D:e:F:l:n:o:p:s:u:w:x:", wrapper: {} }],
  ["torsocks", { options: "iq", wrapper: {} }],
  ["proxychains4", { options: "qf:", wrapper: {} }],
  [
    "systemd-run",
    {
      options:
        "GPqrSt --collect --pipe --pty --quiet --scope --user --wait --unit= --property= --slice= --setenv= " +
        "--uid= --gid=",
      wrapper: {},
    },
  ],
  ["unshare", { options: "CfimnprTUu --fork --mount --net --pid --user --map-root-user --mount-proc", wrapper: {} }],
  ["cpulimit", { options: "izvl:c:p:e:", wrapper: {} }],
  [
    "chroot",
    { options: " --groups= --userspec= --skip-chdir", wrapper: { operands: 1, remote: true, here: /^\/[/.]*$/ } },
  ],
  ["ssh-agent", { options: "acDdksE:O:P:t:", wrapper: {} }],
  ["xvfb-run", { options: "ade:f:n:p:s:w: --auto-servernum --server-num= --server-args=", wrapper: {} }],
  ["dbus-run-session", { options: " --config-file= --dbus-daemon=", wrapper: {} }],
  ["nsenter", { options: "aCFGimnpSTUuVt: --all --target= --mount --uts --ipc --net --pid --user", wrapper: {} }],
  ["proot", { options: "0hb:m:q:r:R:S:w: --rootfs= --bind= --cwd=", wrapper: {} }],
  [
    "bwrap",
    {
      options:
        " --dev= --proc= --tmpfs= --dir= --chdir= --uid= --gid= --hostname= --unsetenv= --perms= " +
        "--remount-ro= --unshare-all --unshare-user --unshare-pid --unshare-net --share-net " +
        "--die-with-parent --new-session --clearenv",
      wrapper: { twice: /^--(?:(?:ro-|dev-)?bind(?:-try)?|symlink|setenv|chmod|(?:ro-)?bind-data|file|overlay)$/ },
    },
  ],
  ["setarch", { options: "BFILRSTXZ3", wrapper: { operands: 1 } }],
  ["chronic", { options: "ev", wrapper: {} }],
  ["rlwrap", { options: "acNnrRz", wrapper: {} }],
  ["entr", { options: "acdnprsxz", wrapper: { more: true } }],
  ["flatpak-spawn", { options: " --host --clear-env --watch-bus", wrapper: {} }],
  [
    "uv",
    {
      options: " --no-sync --frozen --isolated --project= --directory= --with= --extra= --group= --env-file= --python=",
      wrapper: { after: "run" },
    },
  ],
  [
    "conda",
    { options: "n:p: --name= --prefix= --no-capture-output --live-stream", folder: "--cwd", wrapper: { after: "run" } },
  ],
  ["direnv", { wrapper: { after: "exec", operands: 1 } }],
  ["op", { options: " --env-file= --no-masking", wrapper: { after: "run" } }],
  [
    "infisical",
    { options: " --env= --path= --projectId= --token= --tags= --recursive --watch", wrapper: { after: "run" } },
  ],
  ["dotenv", { options: "oe:p:v: --override --cascade", wrapper: {} }],
  [
    "env-cmd",
    {
      options: "e: --environments= --no-override --silent --verbose --use-shell",
      settings: "-f --file -r --rc-file",
      wrapper: {},
    },
  ],
  [
    "dotenvx",
    { settings: "-f --env-file", options: "e: --env= --overload --quiet --strict", wrapper: { after: "run" } },
  ],
  [
    "aws-vault",
    {
      options:
        "d:jnst: --debug --duration= --ecs-server --json --mfa-token= --no-session --prompt= --region= " +
        "--server --stdout",
      wrapper: { after: "exec", operands: 1 },
    },
  ],
  ["chamber", { options: "c:v --pristine --strict", wrapper: { after: "exec", operands: 1 } }],
];
