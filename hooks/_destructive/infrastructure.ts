import { ACCESS_LOSS, RESOURCE_LOSS, SECRET_LOSS, STATE_LOSS, TEARDOWN } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

const TERRAFORM_PROGRAMS = "terraform|tofu|terragrunt";

/** Rules about infrastructure as code, configuration management, and secret managers, in the `cloud` category. */
export const infrastructureRules: readonly CommandRule[] = [
  {
    id: "cloud/terraform-destroy",
    program: TERRAFORM_PROGRAMS,
    pattern: ["** destroy|destroy-all", "** apply -destroy", "** apply ?appliesDestruction"],
    reason: TEARDOWN,
    advice: 'preview the result with "terraform plan -destroy"',
    deny: [
      "terraform destroy -auto-approve",
      "terraform -chdir=infra apply -destroy -auto-approve",
      "terragrunt run-all destroy",
      "atmos terraform destroy vpc -s prod",
      "aws-vault exec prod -- terraform destroy",
      "TF_CLI_ARGS=-destroy terraform apply",
      "terraform plan -destroy -out=p && terraform apply p",
    ],
    allow: ["terraform plan -destroy", "terraform apply"],
  },
  {
    id: "cloud/terraform-replace",
    // https://developer.hashicorp.com/terraform/cli/commands/plan#replace-address https://www.pulumi.com/docs/iac/cli/commands/pulumi_up/
    program: `${TERRAFORM_PROGRAMS}|pulumi`,
    pattern: [
      "** apply -replace -auto-approve|--auto-approve",
      "up|update --replace|--target-replace -y|--yes|-f|--skip-preview",
    ],
    reason: "it destroys and recreates the resource without asking",
    advice: "leave out the option that skips the approval prompt",
    deny: [
      "terraform -chdir=infra/prod apply -auto-approve -replace=aws_instance.web",
      'tofu apply -auto-approve -replace "aws_db_instance.main"',
      "pulumi up --yes --replace urn:x",
    ],
    allow: [
      "terraform apply -replace=aws_instance.web",
      "terraform plan -replace=aws_instance.web",
      "pulumi up --replace urn:x",
    ],
  },
  {
    id: "cloud/terraform-state-rm",
    program: TERRAFORM_PROGRAMS,
    pattern: "** state rm !-dry-run",
    reason: "Terraform would no longer track a resource that still exists",
    deny: ["terraform state rm aws_instance.x", "tofu state rm module.a", "atmos terraform state rm vpc -s prod x"],
    allow: ["terraform state list", "terraform state rm -dry-run aws_instance.x"],
  },
  {
    id: "cloud/terraform-state-push",
    // https://developer.hashicorp.com/terraform/cli/commands/state/push
    program: TERRAFORM_PROGRAMS,
    pattern: "** state push|replace-provider",
    reason: "it overwrites the remote state",
    deny: ["terraform state push errored.tfstate", "tofu state push -force x.tfstate"],
    allow: ["terraform state list", "terraform state mv a b"],
  },
  {
    id: "cloud/terraform-force-unlock",
    // https://developer.hashicorp.com/terraform/cli/commands/force-unlock
    program: TERRAFORM_PROGRAMS,
    pattern: "** force-unlock",
    reason: "it removes the lock of a run that may still be in progress",
    deny: ["terraform force-unlock -force 1234", "terragrunt force-unlock 1234"],
    allow: ["terraform force-unlock -help"],
  },
  {
    id: "cloud/terraform-workspace-delete",
    program: TERRAFORM_PROGRAMS,
    pattern: "** workspace delete",
    reason: STATE_LOSS,
    deny: ["terraform workspace delete old", "tofu workspace delete -force old"],
    allow: ["terraform workspace list"],
  },
  {
    id: "cloud/atmos-clean",
    // https://atmos.tools/cli/commands/terraform/clean
    program: "atmos",
    pattern: ["terraform clean --everything|--force|-f", "helmfile destroy"],
    reason: "it deletes the directories and state files of components, or the resources they deployed",
    deny: ["atmos terraform clean --everything --force", "atmos helmfile destroy echo -s prod"],
    allow: ["atmos terraform plan vpc -s prod", "atmos describe stacks"],
  },
  {
    id: "cloud/pulumi-destroy",
    program: "pulumi",
    pattern: "destroy|down|dn !--preview-only",
    reason: TEARDOWN,
    advice: 'preview the result with "pulumi destroy --preview-only"',
    deny: ["pulumi destroy --yes", "pulumi down"],
    allow: ["pulumi destroy --preview-only", "pulumi up"],
  },
  {
    id: "cloud/pulumi-stack-rm",
    // https://www.pulumi.com/docs/iac/cli/commands/
    program: "pulumi|esc",
    pattern: ["stack rm|import", "state delete", "** env rm", "env ** rm"],
    reason: STATE_LOSS,
    deny: ["pulumi stack rm dev", "pulumi stack rm --force dev", "pulumi state delete urn:x", "pulumi env rm org/prod"],
    allow: ["pulumi stack ls", "pulumi stack export"],
  },
  {
    id: "cloud/stack-destroy",
    // https://docs.aws.amazon.com/cdk/v2/guide/ref-cli-cmd.html https://sst.dev/docs/reference/cli/
    program: "cdk|aws-cdk|cdktf|sst|serverless|sls|sam|arc|alchemy|chalice|zappa",
    pattern: ["destroy|remove|delete|undeploy", "stack delete"],
    reason: TEARDOWN,
    deny: [
      "npx cdk destroy --all",
      "npx aws-cdk@latest destroy",
      "sls remove --stage prod",
      "npx sst remove --stage prod",
    ],
    allow: ["npx cdk deploy", "sam build"],
  },
  {
    id: "cloud/sst-state",
    // https://sst.dev/docs/reference/cli/#state
    program: "sst",
    pattern: ["state remove|edit", "secret remove"],
    reason: "it changes the deployment state, or deletes a secret",
    deny: ["npx sst state remove Bucket", "sst secret remove StripeKey"],
    allow: ["npx sst state export", "npx sst secret list"],
  },
  {
    id: "cloud/spacelift-delete",
    // https://github.com/spacelift-io/spacectl https://developer.hashicorp.com/hcp/docs/cli/commands
    program: "spacectl|hcp",
    pattern: "** delete|destroy-resources",
    reason: RESOURCE_LOSS,
    deny: ["spacectl stack delete --id shop", "hcp vault-secrets apps delete shop"],
    allow: ["spacectl stack list", "hcp projects list"],
  },
  {
    id: "cloud/ansible-absent",
    // https://docs.ansible.com/ansible/latest/cli/ansible.html
    program: "ansible",
    pattern: "<absent>",
    reason: "it deletes files, users or packages on every target host",
    deny: [
      "ansible all -m file -a 'path=/data state=absent'",
      "ansible web -b -m ansible.builtin.user -a 'name=me state=absent remove=yes'",
    ],
    allow: ["ansible all -m ping", "ansible all -C -m file -a 'path=/data state=absent'"],
  },
  {
    id: "cloud/salt-remove",
    // https://docs.saltproject.io/en/latest/ref/modules/all/
    program: "salt|salt-ssh|salt-call|salt-key|salt-cloud",
    pattern: [
      "** file.remove|pkg.remove|pkg.purge|user.delete|group.delete|*.db_remove|*.user_remove|system.reboot|system.shutdown|system.poweroff|system.halt !-h",
      "-D|--delete-all",
      "--destroy",
    ],
    reason: "it deletes files, packages or accounts on every target machine, or unregisters or destroys machines",
    deny: [
      "salt '*' file.remove /opt/app",
      "salt 'db*' pkg.purge postgresql",
      "salt-key -D -y",
      "salt-cloud -y --destroy web1",
    ],
    allow: ["salt '*' test.ping", "salt-key -L", "salt 'web*' pkg.install nginx"],
  },
  {
    id: "cloud/remove-everywhere",
    program: "rm",
    pattern: "-r|-R|--recursive ?deletesOnManyMachines",
    reason: "it deletes a directory on every target machine",
    advice: "try the command on one machine first",
    deny: [
      "salt '*' cmd.run 'rm -rf /opt/app'",
      "pdsh -w web[1-5] rm -rf /srv/app/releases",
      "ansible web -a 'rm -rf /opt/app'",
    ],
    allow: ["salt '*' cmd.run 'rm -rf /tmp/build'", "pdsh -w web[1-5] rm /opt/app/a.log", "rm -rf dist"],
  },
  {
    id: "cloud/vault-destroy",
    // https://developer.hashicorp.com/vault/docs/commands
    program: "vault|bao",
    pattern: [
      "kv destroy",
      "kv metadata delete",
      "secrets|auth|audit disable",
      "namespace|policy delete",
      "lease revoke -prefix|-force",
      "delete sys/*|auth/*|*/metadata/*",
    ],
    reason: "secrets, or access to them, would be permanently lost",
    deny: ["vault kv destroy -versions=1 secret/x", "vault kv metadata delete secret/x", "vault secrets disable kv/"],
    allow: ["vault kv list secret/", "vault kv delete secret/x"],
  },
  {
    id: "cloud/vault-operator",
    // https://developer.hashicorp.com/vault/docs/commands/operator
    program: "vault|bao",
    pattern: ["operator seal|step-down", "operator raft remove-peer", "operator raft snapshot restore"],
    reason: "secrets would be unavailable until the vault is unsealed, or the data in the vault would be overwritten",
    deny: ["vault operator seal", "vault operator raft snapshot restore -force x.snap"],
    allow: ["vault operator raft list-peers", "vault operator raft snapshot save x.snap"],
  },
  {
    id: "cloud/consul-delete",
    // https://developer.hashicorp.com/consul/commands
    program: "consul",
    pattern: [
      "kv delete -recurse",
      "snapshot restore",
      "config|namespace|partition|peering delete",
      "acl policy|role|token delete",
      "operator raft remove-peer",
    ],
    reason:
      "it deletes every key with a prefix, deletes part of the cluster's settings, or overwrites the cluster's data",
    deny: ["consul kv delete -recurse app/", "consul kv delete --recurse app/", "consul snapshot restore x.snap"],
    allow: ["consul kv delete app/lock", "consul snapshot save x.snap"],
  },
  {
    id: "cloud/nomad-purge",
    // https://developer.hashicorp.com/nomad/commands
    program: "nomad",
    pattern: [
      "job stop -purge",
      "stop -purge",
      "volume|namespace|quota delete",
      "volume deregister",
      "var purge",
      "acl policy|role|token delete",
      "operator raft remove-peer",
      "operator snapshot restore",
    ],
    reason: "it deletes a job and its history, a volume, or part of the cluster's settings",
    deny: ["nomad job stop -purge shop", "nomad job stop -yes -purge shop", "nomad volume delete data"],
    allow: ["nomad job status", "nomad job stop shop"],
  },
  {
    id: "cloud/secret-manager-delete",
    // https://docs.doppler.com/docs/cli https://developer.1password.com/docs/cli/reference/
    // https://infisical.com/docs/cli/overview https://bitwarden.com/help/cli/ https://github.com/segmentio/chamber
    program: "doppler|op|infisical|bw|bws|chamber|akeyless|lpass",
    pattern: "** delete|delete-item|rm",
    reason: SECRET_LOSS,
    deny: [
      "doppler secrets delete API_KEY --yes",
      "op item delete shop",
      "bw delete item 1 --permanent",
      "chamber delete shop key",
    ],
    allow: ["doppler secrets", "op item list", "infisical run -- npm start"],
  },
  {
    id: "cloud/password-store-rm",
    // https://www.passwordstore.org https://github.com/gopasspw/gopass
    program: "pass|gopass",
    pattern: "rm|remove|delete",
    reason: SECRET_LOSS,
    deny: ["pass rm -rf shop", "gopass delete shop/db"],
    allow: ["pass ls", "gopass sync"],
  },
  {
    id: "cloud/access-delete",
    // https://auth0.github.io/auth0-cli/ https://goteleport.com/docs/reference/cli/tctl/
    // https://developer.hashicorp.com/boundary/docs/commands https://freeipa.org
    program: "auth0|tctl|boundary|ipa",
    pattern: "** delete|rm|user-del|group-del|host-del|service-del",
    reason: ACCESS_LOSS,
    deny: ["auth0 apps delete app_1 --force", "tctl rm users/me", "ipa user-del me"],
    allow: ["auth0 apps list", "tctl get users", "ipa user-find"],
  },
  {
    id: "cloud/directory-delete",
    // https://linux.die.net/man/1/ldapdelete
    program: "ldapdelete",
    pattern: "!-n",
    reason: "it deletes directory entries such as users and groups",
    deny: ["ldapdelete -r dc=example,dc=org", "ldapdelete -x -D cn=admin uid=me,dc=example,dc=org"],
    allow: ["ldapdelete -n uid=me,dc=example,dc=org", "ldapsearch -x uid=me"],
  },
  {
    id: "cloud/tunnel-delete",
    // https://developers.cloudflare.com/cloudflare-one/
    program: "cloudflared|ngrok",
    pattern: ["tunnel delete", "tunnel route ip delete", "api ** delete"],
    reason: "services behind the tunnel would become unreachable",
    deny: ["cloudflared tunnel delete -f shop", "ngrok api reserved-domains delete rd_1"],
    allow: ["cloudflared tunnel list", "ngrok http 3000"],
  },
];
