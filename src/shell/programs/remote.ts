import { findParameterCommands } from "../code/strings.ts";
import type { CommandArguments, Program, ProgramRows, Wrapper } from "./program.ts";

const createRemoteRuns = (...runs: Wrapper[]): CommandArguments => ({ runs, remote: true });
/** The command follows a subcommand such as `exec` and the name of a container or machine. */
const createNamedRuns = (subcommand: string): CommandArguments => createRemoteRuns({ after: subcommand, operands: 1 });
const createJoinedRun = (subcommand: string, operands = 0): Wrapper => ({ after: subcommand, operands, joined: true });
/** Arguments of `ssh` after `--`. */
const SSH_ARGUMENTS: Wrapper = { after: "ssh", dashes: "must", program: "ssh machine" };
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
  after: "exec run",
  operands: 1,
  optionsOf: "docker run",
  entry: "--entrypoint",
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
    { after: "unshare" },
  ],
};
export const POD_RUNS: CommandArguments = createRemoteRuns(
  { after: "exec run debug rsh node-shell", operands: 1, optionsOf: "docker run", dashes: "may" },
  // kubectl plugin: `kubectl rook-ceph ceph status`. https://github.com/rook/kubectl-rook-ceph
  { after: "rook-ceph" },
);

/** Programs that include other programs: `k3s kubectl get pods`. */
const bundle: CommandArguments = {
  runs: [
    { after: "kubectl", program: "kubectl" },
    { after: "helm helm3", program: "helm" },
    { after: "crictl", program: "crictl" },
    { after: "ctr", program: "ctr" },
    { after: "ssh", dashes: "may", joined: true, remote: true },
  ],
};

/** Programs that run a command on another machine, in a container, or in a service. */
export const REMOTE_ROWS: ProgramRows = {
  "docker > run": run,
  "k3s rke2 k0s microk8s minikube": { commands: bundle },
  "microk8s.kubectl": { commands: { runs: [{ program: "kubectl" }] } },
  "microk8s.helm microk8s.helm3": { commands: { runs: [{ program: "helm" }] } },
  "crictl runc crun youki balena": { options: "itseu:d:p: --cwd= --env= --user= --pid-file=", commands: container },
  ctr: {
    options: "a:n:td --address= --namespace= --exec-id= --user= --cwd= --env= --mount= --rm --tty --detach --net-host",
    commands: createRemoteRuns({ after: "exec", operands: 1 }, { after: "run", operands: 2 }),
  },
  buildah: {
    options: "tv: --user= --volume= --workingdir= --isolation= --network=",
    commands: { runs: [{ after: "run", operands: 1, remote: true }, { after: "unshare" }] },
  },
  "lxc incus multipass": {
    options: "tTnd: --cwd= --env= --group= --mode= --project= --user= --working-directory= --force-interactive",
    commands: createRemoteRuns({ after: "exec", operands: 1, dashes: "may" }),
  },
  "lxc-attach lxc-execute": {
    options: "en:P:s:u:g:v: --name= --lxcpath= --uid= --gid= --set-var= --clear-env",
    commands: createRemoteRuns({}),
  },
  lima: { options: " --workdir= --shell=", commands: createRemoteRuns({}) },
  limactl: { options: "y --workdir= --shell= --tty", commands: createNamedRuns("shell") },
  colima: { options: "p: --profile=", commands: createRemoteRuns({ after: "ssh", dashes: "may", joined: true }) },
  machinectl: {
    options: "qE:H:M:p: --uid= --setenv= --host= --machine= --quiet",
    commands: { runs: [{ after: "shell", operands: 1, remote: true, here: /(?:^|@)\.host$/ }] },
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
  "arch-chroot artix-chroot jexec zlogin": { options: "hNlSu:U:r", commands: createRemoteRuns({ operands: 1 }) },
  "proot-distro": {
    options: " --user= --bind= --isolated",
    commands: createRemoteRuns({ after: "login", dashes: "must" }),
  },
  "pct qm vzctl bastille iocage prlctl jail": {
    commands: createRemoteRuns({ after: "exec exec2 cmd", operands: 1, dashes: "may" }),
  },
  "virt-customize virt-sysprep guestfish": { shell: "--run-command --firstboot-command", commands: { remote: true } },
  devcontainer: {
    options: " --workspace-folder= --container-id= --config= --remote-env= --id-label= --log-level= --docker-path=",
    commands: createRemoteRuns({ after: "exec" }),
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
        { after: "local:run", joined: true },
      ],
    },
  },
  railway: {
    options: "s:e:p: --service= --environment= --project= --no-local",
    commands: { runs: [{ after: "run shell" }, { ...createJoinedRun("ssh"), remote: true }] },
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
    commands: createRemoteRuns({ operands: 1 }),
  },
  et: { shell: "-c --command", commands: { remote: true } },
  "rsh rexec remsh": { options: "dnxKl:p:", commands: createRemoteRuns({ operands: 1, joined: true }) },
  "pssh parallel-ssh": {
    options: "iPvAH:h:l:p:o:e:t:x:O: --host= --hosts= --user= --par= --timeout= --inline",
    commands: createRemoteRuns({ joined: true }),
  },
  "pdsh clush dsh": { options: "abBNSLqMcvw:x:g:l:f:t:u:R:m:n:", commands: createRemoteRuns({ joined: true }) },
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
  pyinfra: { commands: createRemoteRuns({ after: "exec", dashes: "may", joined: true }) },
  fab: { options: "H:i:u:", commands: createRemoteRuns({ dashes: "must", joined: true }) },
};
