import type { Program, ProgramRows } from "./program.ts";

const SSH_KEYS = /^(?:proxycommand|localcommand|knownhostscommand)$/i;
const TERMINAL: Program = { commands: { rest: "-e -x --" } };
const container: Program = {
  options:
    "H:c:l:p: --host= --context= --log-level= --config= --project-name= --project-directory= --profile= " +
    "--filter= --timeout=",
  reads: "--env-file",
};
const packages: Program = { shell: "-c --call", runsPackages: true };
const copyRemote: Program = {
  options: "P:l:c:J:",
  uses: "-i -F",
  settings: "-o",
  shell: "-S",
  commands: { keys: SSH_KEYS },
};
const firewall: Program = { options: "t: --table=" };
const drop: Program = { options: "h:p:U: --host= --port= --username= --maintenance-db=" };

/** Programs that reach other machines, containers and services, and programs that start others in a terminal. */
export const listServiceRows = (): ProgramRows => [
  [
    "curl",
    {
      options:
        "d:F:H:X:u:A:e:w:x: --data= --data-binary= --data-urlencode= --form= --json= --header= --request= " +
        "--user= --user-agent= --data-raw= --write-out= --url=",
      reads: "-T -K -b --upload-file --config --netrc-file --cookie",
      uses: "-E --key --cert --cacert",
      writes: "-o -c -D --output --cookie-jar --dump-header --output-dir --trace --trace-ascii",
      files: {},
    },
  ],
  [
    "wget",
    {
      options: "U: --header= --user= --password= --method= --body-data= --post-data=",
      reads: "-i --input-file --post-file --body-file --load-cookies --private-key",
      uses: "--certificate --ca-certificate",
      writes: "-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies",
      files: {},
    },
  ],
  [
    "openssl",
    {
      reads: "-in -CA -cert -config -CAfile",
      uses: "-key -inkey -signkey -CAkey -sign",
      makes: "-keyout -out",
      files: {},
    },
  ],
  ["mkcert", { makes: "-key-file -cert-file" }],
  [
    "gpg gpg2 age",
    {
      options: "r:u: --recipient= --local-user=",
      writes: "-o --output",
      reads: "-i --identity --passphrase-file",
      files: { operands: "read" },
    },
  ],
  ["ssh-keygen", { options: "C:N:P:", writes: "-f", files: {} }],
  [
    "ssh",
    {
      options: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:e:I:J:L:l:m:O:p:Q:R:S:W:w:",
      uses: "-i -F",
      writes: "-E",
      settings: "-o",
      commands: { keys: SSH_KEYS },
      files: {},
    },
  ],
  ["scp", { ...copyRemote, files: { operands: "read", last: "write" } }],
  ["sftp", copyRemote],
  ["autossh putty plink pscp psftp", { uses: "-i" }],
  ["http-server", { uses: "-C --cert -K --key" }],
  ["signtool", { uses: "/f" }],
  ["mosh", { uses: "--ssh" }],
  [
    "rsync",
    {
      options:
        "f:T: --exclude= --include= --filter= --rsync-path= --bwlimit= --suffix= --port= --timeout= --chmod= " +
        "--chown= --info=",
      shell: "-e --rsh",
      reads: "--files-from --exclude-from --include-from --link-dest --compare-dest --copy-dest",
      writes: "--log-file --backup-dir --temp-dir",
      files: { operands: "read", last: "write" },
    },
  ],
  ["docker podman nerdctl", { ...container, uses: "--secret", files: {} }],
  ["docker-compose", container],
  // The files that any subcommand takes: `docker build -f`, `docker compose -f`, `docker run --env-file`.
  ["build", { reads: "-f --file --env-file", uses: "--secret", files: {} }, "docker"],
  // Covers `kubectl exec` and `kubectl run`, too.
  [
    "run",
    {
      options:
        "dPiqtTa:c:e:h:l:m:n:p:u:v:w: --add-host= --cpus= --detach --detach-keys= --entrypoint= --env= " +
        "--env-file= --gpus= --hostname= --init --interactive --label= --memory= --mount= --name= --network= " +
        "--net= --no-TTY --platform= --privileged --publish= --pull= --restart= --rm --service-ports " +
        "--shm-size= --stdin --tmpfs= --tty --user= --volume= --volumes-from= --workdir= --container= " +
        "--namespace= --context=",
    },
    "docker",
  ],
  [
    "kubectl oc k",
    {
      options:
        "n:s:l:o: --namespace= --context= --cluster= --user= --server= --selector= --output= --template= " +
        "--sort-by= --as= --token= --request-timeout= --field-selector= --grace-period= --timeout=",
      reads: "-f --filename --kubeconfig --values --from-file --from-env-file",
      uses: "--key --cert",
      files: {},
    },
  ],
  [
    "helm",
    {
      options: "n: --namespace= --kube-context=",
      reads: "-f --filename --kubeconfig --values --from-file --from-env-file",
      files: {},
    },
  ],
  [
    "aws",
    {
      options:
        " --profile= --region= --output= --endpoint-url= --query= --color= --cli-connect-timeout= --cli-read-timeout=",
    },
  ],
  [
    "gcloud",
    { options: " --project= --account= --configuration= --format= --zone= --region= --impersonate-service-account=" },
  ],
  ["az", { options: "g:n:o: --subscription= --resource-group= --name= --output= --query=" }],
  ["terragrunt", { folder: "--working-dir --terragrunt-working-dir" }],
  ["pulumi", { options: "s: --stack=", folder: "-C --cwd" }],
  ["gh", { options: "R: --repo=" }],
  ["wrangler", { options: "c:e: --config= --env= --command=" }],
  ["ansible ansible-playbook", { uses: "--vault-password-file" }],
  ["systemctl", { options: "H:M:t:p:s:n: --host= --machine= --type= --property= --signal= --lines=" }],
  ["zfs", { options: "o:t:" }],
  ["iptables ip6tables", firewall],
  ["dropdb dropuser", drop],
  ["mysqladmin", { options: "u:h:P: --user= --host= --port=" }],
  ["apt apt-get", { settings: "-o --option", commands: { keys: /-invoke(?:::)?$/i } }],
  ["nix-shell", { shell: "--run --command" }],
  ["nix guix", { commands: { rest: "-c --command --" } }],
  ["npx npm bunx yarn pnpm", packages],
  ["pnpx", { runsPackages: true }],
  ["nodemon", { shell: "-x --exec" }],
  ["hyperfine", { shell: "-p -s -c --prepare --setup --cleanup --conclude", commands: { operands: true } }],
  ["concurrently run-p run-s", { commands: { operands: true } }],
  ["nc ncat netcat", { shell: "-e -c --exec --sh-exec" }],
  ["socat", { commands: { marked: /^(?:exec|system|shell):/i } }],
  ["xterm urxvt konsole alacritty foot gnome-terminal xfce4-terminal terminator launchctl", TERMINAL],
  ["wezterm", { commands: { rest: "-e -x --", typed: "send-text" } }],
  [
    "tmux byobu",
    { options: "AbdDEhIkKOPRvXZaBC:c:e:F:f:l:n:p:s:S:t:x:y:", commands: { typed: "send-keys send", panes: true } },
  ],
  ["screen", { options: "dDmARUrxlLiqvwc:e:h:p:S:s:T:t:", commands: { typed: "stuff", panes: true } }],
  ["zellij", { commands: { typed: "write-chars", rest: "--" } }],
  ["kitty kitten", { commands: { typed: "send-text" } }],
  ["xdotool ydotool", { commands: { typed: "type" } }],
  ["flock", { options: "eFnosuxE:w: --wait= --timeout= --conflict-exit-code=" }],
  ["runuser", { options: "flmPG:g:s:u:w: --user= --group= --shell=" }],
  ["watch", { options: "bcdegptwxn:q: --interval=" }],
  ["parallel", { options: "0kmqtuvXa:C:d:I:j:L:n:N:P:S: --jobs= --arg-file= --colsep= --delimiter=" }],
  ["add", { options: "e:s:t:H: --env= --scope= --transport= --header=" }, "mcp"],
];
