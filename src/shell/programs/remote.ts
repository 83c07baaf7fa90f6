import { findParameterCommands } from "../code/strings.ts";
import type { CommandArguments, Program, ProgramRows, Wrapper } from "./program.ts";

const createRemoteRuns = (...runs: Wrapper[]): CommandArguments => ({ runs, remote: true });
/** Commands that follow a subcommand such as `exec` and the name of a container or machine. */
const createNamedRuns = (subcommand: string): CommandArguments =>
  createRemoteRuns({ subcommands: subcommand, operandCount: 1 });
const createJoinedRun = (subcommand: string, operandCount = 0): Wrapper => ({
  subcommands: subcommand,
  operandCount,
  isJoined: true,
});
/** Subcommand `ssh`, which passes the words after `--` to the program `ssh`. */
const SSH_ARGUMENTS: Wrapper = { subcommands: "ssh", doubleDash: "must", program: "ssh machine" };
const container = createNamedRuns("exec");

/** Options of `docker run`, `docker exec` and `kubectl exec`. */
const run: Program = {
  options:
    "dPiqtTa:c:e:h:l:m:n:p:u: --add-host= --cpus= --detach --detach-keys= --entrypoint= --env= " +
    "--env-file= --gpus= --hostname= --init --interactive --label= --memory= --name= --network= " +
    "--net= --no-TTY --platform= --privileged --publish= --pull= --restart= --rm --service-ports " +
    "--shm-size= --stdin --tmpfs= --tty --user= --volumes-from= --container= " +
    "--namespace= --context=",
  folder: "-w --workdir",
  mounts: "-v --volume --mount",
};
const DOCKER_RUN: Wrapper = {
  subcommands: "exec run",
  operandCount: 1,
  optionsRow: "docker run",
  entryPointOptions: "--entrypoint",
};
export const DOCKER_RUNS: CommandArguments = createRemoteRuns(DOCKER_RUN);
/**
 * Commands in `podman machine ssh NAME rm x`, where the name is optional, and in `podman unshare rm x`, which runs
 * locally.
 */
export const PODMAN_RUNS: CommandArguments = {
  runs: [
    ...[DOCKER_RUN, createJoinedRun("ssh"), createJoinedRun("ssh", 1)].map((run): Wrapper => ({
      ...run,
      remote: true,
    })),
    { subcommands: "unshare" },
  ],
};
export const POD_COMMAND_RUNS: CommandArguments = createRemoteRuns(
  { subcommands: "exec run debug rsh node-shell", operandCount: 1, optionsRow: "docker run", doubleDash: "may" },
  // kubectl plugin: `kubectl rook-ceph ceph status`. https://github.com/rook/kubectl-rook-ceph
  { subcommands: "rook-ceph" },
);

/** Programs that include other programs: `k3s kubectl get pods`. */
const multicallProgram: CommandArguments = {
  runs: [
    { subcommands: "kubectl", program: "kubectl" },
    { subcommands: "helm helm3", program: "helm" },
    { subcommands: "crictl", program: "crictl" },
    { subcommands: "ctr", program: "ctr" },
    { subcommands: "ssh", doubleDash: "may", isJoined: true, remote: true },
  ],
};

/** Programs that run a command on another machine, in a container, or in a service. */
export const REMOTE_ROWS: ProgramRows = {
  "docker > run": run,
  "k3s rke2 k0s microk8s minikube": { commands: multicallProgram },
  "microk8s.kubectl": { commands: { runs: [{ program: "kubectl" }] } },
  "microk8s.helm microk8s.helm3": { commands: { runs: [{ program: "helm" }] } },
  "crictl runc crun youki balena": { options: "itseu:d:p: --cwd= --env= --user= --pid-file=", commands: container },
  ctr: {
    options: "a:n:td --address= --namespace= --exec-id= --user= --cwd= --env= --mount= --rm --tty --detach --net-host",
    commands: createRemoteRuns({ subcommands: "exec", operandCount: 1 }, { subcommands: "run", operandCount: 2 }),
  },
  buildah: {
    options: "tv: --user= --volume= --workingdir= --isolation= --network=",
    commands: { runs: [{ subcommands: "run", operandCount: 1, remote: true }, { subcommands: "unshare" }] },
  },
  "lxc incus multipass": {
    options: "tTnd: --cwd= --env= --group= --mode= --project= --user= --working-directory= --force-interactive",
    commands: createRemoteRuns({ subcommands: "exec", operandCount: 1, doubleDash: "may" }),
  },
  "lxc-attach lxc-execute": {
    options: "en:P:s:u:g:v: --name= --lxcpath= --uid= --gid= --set-var= --clear-env",
    commands: createRemoteRuns({}),
  },
  lima: { options: " --workdir= --shell=", commands: createRemoteRuns({}) },
  limactl: { options: "y --workdir= --shell= --tty", commands: createNamedRuns("shell") },
  colima: {
    options: "p: --profile=",
    commands: createRemoteRuns({ subcommands: "ssh", doubleDash: "may", isJoined: true }),
  },
  machinectl: {
    options: "qE:H:M:p: --uid= --setenv= --host= --machine= --quiet",
    commands: { runs: [{ subcommands: "shell", operandCount: 1, remote: true, localOperands: /(?:^|@)\.host$/ }] },
  },
  "systemd-nspawn": {
    options:
      "PabqUxD:i:M:u:p:S:E:L:Z: --directory= --image= --machine= --user= --bind= --bind-ro= --tmpfs= --setenv= --property= --slice= --chdir= " +
      "--ephemeral --quiet --pipe --boot --as-pid2 --private-network --console=",
    commands: createRemoteRuns({}),
  },
  schroot: {
    options: "pqvc:u:d: --chroot= --user= --directory= --preserve-environment",
    commands: createRemoteRuns({}),
  },
  "arch-chroot artix-chroot jexec zlogin": { options: "hNlSu:U:r", commands: createRemoteRuns({ operandCount: 1 }) },
  "proot-distro": {
    options: " --user= --bind= --isolated",
    commands: createRemoteRuns({ subcommands: "login", doubleDash: "must" }),
  },
  "pct qm vzctl bastille iocage prlctl jail": {
    commands: createRemoteRuns({ subcommands: "exec exec2 cmd", operandCount: 1, doubleDash: "may" }),
  },
  "virt-customize virt-sysprep guestfish": { shell: "--run-command --firstboot-command", commands: { remote: true } },
  devcontainer: {
    options: " --workspace-folder= --container-id= --config= --remote-env= --id-label= --log-level= --docker-path=",
    commands: createRemoteRuns({ subcommands: "exec" }),
  },
  "devpod coder gitpod daytona": { shell: "--command", commands: createRemoteRuns(SSH_ARGUMENTS) },
  "gh > codespace cs": { commands: createRemoteRuns(createJoinedRun("ssh")), options: "c:R: --codespace= --repo=" },
  "ddev lando fin sail": {
    shell: "-c --command",
    options: "d:s:u: --dir= --service= --user=",
    commands: createRemoteRuns(createJoinedRun("exec")),
  },
  adb: { options: "adeL:H:P:s:t:", commands: createRemoteRuns(createJoinedRun("shell")) },
  nomad: { options: " -task= -job -i= -t= -e= -region= -namespace= -address=", commands: createNamedRuns("exec") },
  vagrant: {
    shell: "-c --command",
    options: "ptT --plain --tty --no-tty --machine-readable",
    commands: createRemoteRuns(SSH_ARGUMENTS),
  },
  heroku: {
    options: "a:r:s:e: --app= --remote= --size= --env= --type= --exit-code --no-tty --no-launcher --no-notify",
    commands: {
      runs: [
        { ...createJoinedRun("run run:detached run:inside"), remote: true },
        { subcommands: "local:run", isJoined: true },
      ],
    },
  },
  railway: {
    options: "s:e:p: --service= --environment= --project= --no-local",
    commands: { runs: [{ subcommands: "run shell" }, { ...createJoinedRun("ssh"), remote: true }] },
  },
  "fly flyctl": {
    options: "a:c:s:r:t: --app= --config= --select",
    shell: "-C --command",
    commands: createRemoteRuns(createJoinedRun("exec", 1)),
  },
  kamal: {
    options:
      "ipqvd:h:r:c:e: --reuse --interactive --primary --hosts= --roles= --version= --destination= --config-file= --env= --detach",
    commands: createRemoteRuns(createJoinedRun("exec"), createJoinedRun("exec", 1)),
  },
  dokku: { commands: createRemoteRuns(createJoinedRun("run enter run:detached", 1)) },
  "platform upsun": {
    options: "p:e:A: --project= --environment= --app=",
    commands: createRemoteRuns(createJoinedRun("ssh environment:ssh")),
  },
  "scalingo clever porter convox cf eb": {
    shell: "-c --command",
    options: "a:s:p: --app= --process=",
    commands: createRemoteRuns(createJoinedRun("run ssh exec")),
  },
  gcloud: {
    options: " --project= --account= --configuration= --format= --zone= --region= --impersonate-service-account=",
    shell: "--command",
    commands: createRemoteRuns(SSH_ARGUMENTS),
  },
  aws: {
    options:
      " --debug --dry-run --dryrun --force --no-dry-run --no-paginate --only-show-errors --quiet --recursive --profile= --region= --output= --endpoint-url= --query= --color= --cli-connect-timeout= --cli-read-timeout=",
    shell: "--command",
    code: "--parameters",
    commands: { remote: true },
    language: { find: findParameterCommands },
  },
  az: {
    options: "g:n:o: --subscription= --resource-group= --name= --output= --query=",
    shell: "--scripts --exec-command --command --cmd --script",
    commands: createRemoteRuns(SSH_ARGUMENTS),
  },
  doctl: { shell: "--ssh-command", commands: { remote: true } },
  "hcloud tsh tailscale": {
    options: "u:p:l: --user= --port= --login=",
    commands: createRemoteRuns(createJoinedRun("ssh", 1)),
  },
  "boundary teleport": { commands: createRemoteRuns(SSH_ARGUMENTS) },
  mosh: {
    uses: "--ssh",
    options: "46anop: --client= --server= --predict= --family= --port= --ssh-pty",
    commands: createRemoteRuns({ operandCount: 1 }),
  },
  et: { shell: "-c --command", commands: { remote: true } },
  "rsh rexec remsh": { options: "dnxKl:p:", commands: createRemoteRuns({ operandCount: 1, isJoined: true }) },
  "pssh parallel-ssh": {
    options: "iPvAH:h:l:p:o:e:t:x:O: --host= --hosts= --user= --par= --timeout= --inline",
    commands: createRemoteRuns({ isJoined: true }),
  },
  "pdsh clush dsh": { options: "abBNSLqMcvw:x:g:l:f:t:u:R:m:n:", commands: createRemoteRuns({ isJoined: true }) },
  ansible: {
    uses: "--vault-password-file",
    shell: "-a --args",
    options:
      "bkKvCDom:i:u:e:f:l:c:t:T:B:P:M: --module-name= --inventory= --user= --extra-vars= --limit= --forks= --connection=",
    commands: { remote: true },
  },
  "salt salt-ssh": {
    options: "LEGNSbCt:",
    commands: createRemoteRuns(createJoinedRun("cmd.run cmd.run_all cmd.run_stdout cmd.shell cmd.script")),
  },
  "salt-call": { commands: { runs: [createJoinedRun("cmd.run cmd.run_all cmd.run_stdout cmd.shell")] } },
  bolt: {
    options: "t:u:p: --targets= --user= --password= --run-as=",
    commands: createRemoteRuns(createJoinedRun("run")),
  },
  knife: { options: "x:P:i:p:a:m", commands: createRemoteRuns(createJoinedRun("ssh winrm", 1)) },
  pyinfra: { commands: createRemoteRuns({ subcommands: "exec", doubleDash: "may", isJoined: true }) },
  fab: { options: "H:i:u:", commands: createRemoteRuns({ doubleDash: "must", isJoined: true }) },
};
