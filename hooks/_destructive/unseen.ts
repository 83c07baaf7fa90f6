import type { CommandRule } from "./pattern.ts";

const UNREVIEWED_CHANGE = "it changes deployed resources without a reviewed plan";
const SKIPPED_CHECKS = "it skips the checks that the repository requires";

/** Rules in the `unseen` category, which is off by default. */
export const unseenRules: readonly CommandRule[] = [
  {
    id: "unseen/terraform-apply",
    // https://developer.hashicorp.com/terraform/cli/commands/apply https://terragrunt.gruntwork.io/docs/reference/cli/
    program: "terraform|tofu|terragrunt",
    pattern: "** apply|apply-all !-refresh-only ?appliesUnreviewed",
    reason: UNREVIEWED_CHANGE,
    advice: 'save a plan with "terraform plan -out=FILE", review it with "terraform show FILE", and apply that file',
    deny: [
      "terraform apply -auto-approve",
      "tofu -chdir=infra apply -auto-approve -var env=prod",
      "yes | terraform apply",
      "terragrunt run-all apply --terragrunt-non-interactive",
      "TF_CLI_ARGS_apply=-auto-approve terraform apply",
      "terraform plan -out=p && terraform apply p",
    ],
    allow: [
      "terraform apply tfplan",
      "terraform apply -auto-approve tfplan",
      "terraform plan -out=tfplan",
      "terraform apply -refresh-only -auto-approve",
      "terraform apply",
      "terraform apply 2>&1 | tee apply.log",
    ],
  },
  {
    id: "unseen/pulumi-up",
    // https://www.pulumi.com/docs/iac/cli/commands/pulumi_up/
    program: "pulumi",
    pattern: "up|update -y|--yes|-f|--skip-preview",
    reason: UNREVIEWED_CHANGE,
    advice: 'review the output of "pulumi preview --diff" first, and let the user confirm the update',
    deny: ["pulumi up --yes", "pulumi up -y --stack prod", "pulumi update --skip-preview"],
    allow: ["pulumi preview", "pulumi up", "pulumi refresh --yes"],
  },
  {
    id: "unseen/cdk-deploy",
    // https://docs.aws.amazon.com/cdk/v2/guide/ref-cli-cmd-deploy.html https://developer.hashicorp.com/terraform/cdktf/cli-reference
    program: "cdk|aws-cdk|cdktf",
    pattern: ["deploy ?approvesAll", "deploy --auto-approve"],
    reason: UNREVIEWED_CHANGE,
    advice: 'review the output of "cdk diff" first, and leave out the option that skips the approval prompt',
    deny: [
      "npx cdk deploy --all --require-approval never",
      "cdk deploy --require-approval=never",
      "cdktf deploy --auto-approve",
    ],
    allow: ["npx cdk diff", "npx cdk deploy", "cdk deploy --require-approval broadening"],
  },
  {
    id: "unseen/cloudformation-deploy",
    // https://docs.aws.amazon.com/cli/latest/reference/cloudformation/deploy/
    program: "aws",
    pattern: "cloudformation deploy|update-stack !--no-execute-changeset",
    reason: UNREVIEWED_CHANGE,
    advice: "create a change set with --no-execute-changeset and review it",
    deny: [
      "aws cloudformation deploy --template-file t.yml --stack-name shop",
      "aws --profile prod cloudformation deploy --template-file t.yml --stack-name shop",
      "aws cloudformation update-stack --stack-name shop --template-body file://t.yml",
    ],
    allow: [
      "aws cloudformation deploy --no-execute-changeset --template-file t.yml --stack-name shop",
      "aws cloudformation describe-change-set --change-set-name x --stack-name shop",
      "aws cloudformation validate-template --template-body file://t.yml",
    ],
  },
  {
    id: "unseen/helmfile-apply",
    // https://helmfile.readthedocs.io/en/latest/cli/
    program: "helmfile",
    pattern: "** apply|sync !-i|--interactive",
    reason: UNREVIEWED_CHANGE,
    advice: 'review the output of "helmfile diff" first, and let the user apply the changes',
    deny: ["helmfile apply", "helmfile -e prod sync", "helmfile apply --skip-deps"],
    allow: ["helmfile diff", "helmfile template", "helmfile --interactive apply"],
  },
  {
    id: "unseen/deploy-unasked",
    // https://docs.databricks.com/dev-tools/cli/bundle-commands.html https://firebase.google.com/docs/cli
    // https://atlasgo.io/cli-reference https://carvel.dev/kapp/docs/latest/ https://docs.aws.amazon.com/serverless-application-model/
    program: "databricks|firebase|atlas|kapp|sam",
    pattern: [
      "bundle deploy --auto-approve",
      "deploy -f|--force",
      "schema apply --auto-approve",
      "deploy -y|--yes",
      "deploy --no-confirm-changeset",
    ],
    reason: "it deletes or replaces deployed resources without asking",
    advice: "leave out the option",
    deny: [
      "databricks bundle deploy --auto-approve -t prod",
      "firebase deploy --force",
      "atlas schema apply --auto-approve -u sqlite://x",
      "kapp deploy -y -a shop -f k8s/",
    ],
    allow: ["databricks bundle deploy", "firebase deploy --only hosting", "atlas schema apply -u sqlite://x --dry-run"],
  },
  {
    id: "unseen/skip-hooks",
    // https://git-scm.com/docs/git-commit#Documentation/git-commit.txt---no-verify https://typicode.github.io/husky/how-to.html
    // https://lefthook.dev https://pre-commit.com/#temporarily-disabling-hooks
    program: "git",
    pattern: [
      "commit -n|--no-verify",
      "push|merge|rebase|am|pull --no-verify",
      "?skipsHooks commit|push|merge|rebase|am|cherry-pick",
    ],
    reason: SKIPPED_CHECKS,
    advice: "fix the problems that the hook reports",
    deny: [
      "git commit --no-verify -m x",
      "git commit -nm x",
      "git push --no-verify",
      "HUSKY=0 git commit -m x",
      "LEFTHOOK=0 git push",
      "SKIP=eslint git commit -m x",
      "export HUSKY=0; git commit -m x",
      "git -c core.hooksPath=/dev/null commit -m x",
    ],
    allow: [
      "git commit -m 'use --no-verify'",
      "git push -n",
      "git merge -n main",
      "HUSKY=0 npm ci",
      "git -c core.hooksPath=.githooks commit -m x",
      "git -c user.name=me commit -m x",
    ],
  },
  {
    id: "unseen/hooks-path",
    // https://git-scm.com/docs/git-config#Documentation/git-config.txt-corehooksPath
    program: "git",
    pattern: "config ?disablesHooks",
    reason: "git would no longer run the repository's hooks",
    deny: [
      "git config core.hooksPath /dev/null",
      "git config --global core.hooksPath ''",
      "git config --unset core.hooksPath",
      "git config set core.hooksPath /tmp/none",
    ],
    allow: ["git config core.hooksPath .githooks", "git config core.hooksPath", "git config --get core.hooksPath"],
  },
  {
    id: "unseen/skip-signature",
    // https://git-scm.com/docs/git-commit#Documentation/git-commit.txt---no-gpg-sign
    program: "git",
    pattern: [
      "commit|merge|rebase|cherry-pick|revert|am --no-gpg-sign",
      "tag --no-sign",
      "?leavesUnsigned commit|merge|rebase|tag",
    ],
    reason: "it creates commits or tags without the configured signature",
    advice: "ask the user to unlock the signing key",
    deny: ["git commit --no-gpg-sign -m x", "git tag --no-sign v1", "git -c commit.gpgsign=false commit -m x"],
    allow: ["git commit -S -m x", "git commit -m x", "git -c commit.gpgsign=true commit -m x"],
  },
  {
    id: "unseen/merge-as-administrator",
    // https://cli.github.com/manual/gh_pr_merge
    program: "gh",
    pattern: "pr merge --admin",
    reason: "it merges without the reviews and checks that the repository requires",
    advice: 'merge with "gh pr merge --auto", which waits for reviews and checks',
    deny: ["gh pr merge 12 --admin --squash", "gh pr merge --admin", "gh pr merge 12 -R me/shop --admin -d"],
    allow: ["gh pr merge 12 --squash --auto", "gh pr merge 12 --squash", "gh pr checks 12"],
  },
];
