import { ACCESS_LOSS, RESOURCE_LOSS, OBJECT_LOSS, TEARDOWN } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

/**
 * AWS resource types that hold data or that other resources depend on, spelled as in AWS operation names.
 * https://docs.aws.amazon.com/cli/latest/reference/
 */
const AWS_RESOURCES = [
  "*cluster *database *table *table-bucket *domain *volume *snapshot *backup* *vault *repository *queue *topic *stream",
  "*file-system *bucket *index *collection *secret *user-pool *identity-pool *log-group *log-stream *hosted-zone",
  "*distribution *load-balancer *gateway *service *function *replication-group *cache recovery-point restore-point",
  "rest-api api state-machine application app environment stack* db-* global-cluster integration vpc subnet",
  "auto-scaling-group nodegroup fargate-profile instance disk image project pipeline branch workgroup catalog",
  "notebook-instance endpoint workspace directory organization account certificate archive access-point parameter parameters",
  "delivery-stream graph event-bus schedule-group email-identity data-set dashboard dashboards trail",
]
  .join(" ")
  .split(" ")
  .map((kind) => `delete-${kind}`)
  .join("|");

/** Rules about Amazon Web Services, in the `cloud` category. */
export const awsRules: readonly CommandRule[] = [
  {
    id: "cloud/aws-s3-delete-bucket",
    program: "aws",
    pattern: "s3 rb --force !--dryrun",
    reason: "it deletes the bucket and everything in it",
    deny: ["aws s3 rb s3://bucket --force", "aws --profile prod s3 rb --force s3://bucket"],
    allow: ["aws s3 rb s3://empty"],
  },
  {
    id: "cloud/aws-s3-delete-recursive",
    program: "aws",
    pattern: "s3 rm --recursive !--dryrun",
    reason: OBJECT_LOSS,
    advice: "preview the result with --dryrun",
    deny: ["aws s3 rm s3://bucket --recursive", "aws --profile prod s3 rm s3://bucket/x --recursive"],
    allow: ["aws s3 rm s3://bucket/file", "aws s3 rm s3://bucket --recursive --dryrun"],
  },
  {
    id: "cloud/aws-s3api-delete",
    program: "aws",
    pattern: "s3api delete-bucket|delete-objects",
    reason: "it deletes a bucket, or many objects at once",
    deny: ["aws s3api delete-bucket --bucket x", "aws s3api delete-objects --bucket x --delete file://x.json"],
    allow: ["aws s3api list-buckets", "aws s3api delete-object --bucket x --key a.json"],
  },
  {
    id: "cloud/aws-ec2-terminate",
    program: "aws",
    pattern: ["ec2 terminate-instances !--dry-run", "autoscaling terminate-instance-in-auto-scaling-group"],
    reason: "it terminates instances",
    deny: [
      "aws ec2 terminate-instances --instance-ids i-1",
      "aws --region eu-west-1 ec2 terminate-instances --instance-ids i-1",
    ],
    allow: ["aws ec2 terminate-instances --instance-ids i-1 --dry-run", "aws ec2 describe-instances"],
  },
  {
    id: "cloud/aws-ec2-delete",
    program: "aws",
    pattern:
      "ec2 delete-volume|delete-snapshot|delete-vpc|deregister-image|release-address|delete-route|delete-route-table|delete-nat-gateway !--dry-run",
    reason: "it deletes a disk, an image or part of the network",
    deny: ["aws ec2 delete-volume --volume-id v", "aws ec2 delete-snapshot --snapshot-id s"],
    allow: [
      "aws ec2 delete-volume --volume-id v --dry-run",
      "aws ec2 describe-volumes",
      "aws ec2 delete-tags --resources i",
    ],
  },
  {
    id: "cloud/aws-rds-delete",
    program: "aws",
    pattern: "rds delete-db-*|delete-global-cluster|delete-integration|delete-tenant-database",
    reason: RESOURCE_LOSS,
    deny: [
      "aws rds delete-db-instance --db-instance-identifier x",
      "aws rds delete-global-cluster --global-cluster-identifier x",
    ],
    allow: ["aws rds describe-db-instances"],
  },
  {
    id: "cloud/aws-cloudformation-delete",
    program: "aws",
    pattern: "cloudformation delete-stack*",
    reason: TEARDOWN,
    deny: ["aws cloudformation delete-stack --stack-name x", "aws cloudformation delete-stack-set --stack-set-name x"],
    allow: ["aws cloudformation describe-stacks", "aws cloudformation delete-change-set --change-set-name x"],
  },
  {
    id: "cloud/aws-lambda-delete",
    program: "aws",
    pattern: "lambda delete-function",
    reason: "it deletes all versions of the function",
    deny: [
      "aws lambda delete-function --function-name x",
      "aws --profile prod lambda delete-function --function-name x",
    ],
    allow: ["aws lambda list-functions", "aws lambda delete-function-concurrency --function-name x"],
  },
  {
    id: "cloud/aws-s3-expire-all",
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-expire-general-considerations.html
    program: "aws",
    pattern: "s3api put-bucket-lifecycle-configuration|put-bucket-lifecycle <expiry>",
    reason: "every object in the bucket would be deleted within days",
    deny: [
      `aws s3api put-bucket-lifecycle-configuration --bucket x --lifecycle-configuration '{"Rules":[{"ID":"x","Status":"Enabled","Prefix":"","Expiration":{"Days":1}}]}'`,
      `aws s3api put-bucket-lifecycle-configuration --bucket x --lifecycle-configuration='{"Rules":[{"Filter":{},"Status":"Enabled","Expiration":{"Days": 2}}]}'`,
    ],
    allow: [
      `aws s3api put-bucket-lifecycle-configuration --bucket x --lifecycle-configuration '{"Rules":[{"Filter":{"Prefix":"tmp/"},"Status":"Enabled","Expiration":{"Days":1}}]}'`,
      `aws s3api put-bucket-lifecycle-configuration --bucket x --lifecycle-configuration '{"Rules":[{"Filter":{},"Status":"Enabled","Expiration":{"Days":90}}]}'`,
      "aws s3api get-bucket-lifecycle-configuration --bucket x",
    ],
  },
  {
    id: "cloud/aws-dns-record-delete",
    // https://docs.aws.amazon.com/cli/latest/reference/route53/change-resource-record-sets.html
    program: "aws",
    pattern: "route53 change-resource-record-sets <record>",
    reason: "services behind this DNS record would become unreachable",
    deny: [
      `aws route53 change-resource-record-sets --hosted-zone-id Z1 --change-batch '{"Changes":[{"Action":"DELETE","ResourceRecordSet":{"Name":"example.com","Type":"A"}}]}'`,
      `aws route53 change-resource-record-sets --change-batch='{"Changes":[{"ResourceRecordSet":{"Name":"www.example.com","Type":"CNAME"},"Action": "DELETE"}]}' --hosted-zone-id Z1`,
    ],
    allow: [
      `aws route53 change-resource-record-sets --hosted-zone-id Z1 --change-batch '{"Changes":[{"Action":"UPSERT","ResourceRecordSet":{"Name":"example.com","Type":"A"}}]}'`,
      `aws route53 change-resource-record-sets --hosted-zone-id Z1 --change-batch '{"Changes":[{"Action":"DELETE","ResourceRecordSet":{"Name":"_acme-challenge.example.com","Type":"TXT"}}]}'`,
    ],
  },
  {
    id: "cloud/aws-kms-delete-key",
    program: "aws",
    pattern: "kms schedule-key-deletion|delete-imported-key-material",
    reason: "data encrypted with the key would become unreadable",
    advice: 'disable the key with "aws kms disable-key"',
    deny: [
      "aws kms schedule-key-deletion --key-id x",
      "aws kms schedule-key-deletion --key-id x --pending-window-in-days 7",
    ],
    allow: ["aws kms cancel-key-deletion --key-id x"],
  },
  {
    id: "cloud/aws-iam-delete",
    program: "aws",
    pattern: "iam|identitystore delete-user|delete-role|delete-group|delete-instance-profile|delete-*-provider",
    reason: ACCESS_LOSS,
    deny: ["aws iam delete-user --user-name x", "aws iam delete-role --role-name x"],
    allow: ["aws iam list-users", "aws iam delete-access-key --access-key-id x"],
  },
  {
    id: "cloud/aws-purge",
    program: "aws",
    pattern:
      "** purge-queue|terminate-environment|terminate-clusters|terminate-job-flows|terminate-workspaces|batch-delete-image|close-account|remove-account-from-organization",
    reason: "it permanently empties, terminates or closes the resource",
    deny: [
      "aws sqs purge-queue --queue-url x",
      "aws elasticbeanstalk terminate-environment --environment-name shop",
      "aws emr terminate-clusters --cluster-ids j-1",
    ],
    allow: ["aws sqs receive-message --queue-url x", "aws batch terminate-job --job-id x --reason y"],
  },
  {
    id: "cloud/aws-delete-store",
    program: "aws",
    pattern: `* ${AWS_RESOURCES} !--dry-run`,
    reason: RESOURCE_LOSS,
    deny: [
      "aws ecr delete-repository --repository-name x --force",
      "aws --region eu-west-1 dynamodb delete-table --table-name x",
      "aws eks delete-cluster --name x",
      "aws route53 delete-hosted-zone --id x",
      "aws ssm delete-parameter --name /shop/key",
    ],
    allow: [
      "aws sqs delete-message --queue-url x",
      "aws logs describe-log-groups",
      "aws dynamodb list-tables",
      "aws dynamodb delete-item --table-name x --key file://k.json",
      "aws cloudwatch delete-alarms --alarm-names x",
    ],
  },
  {
    id: "cloud/amplify-delete",
    // https://docs.amplify.aws/gen1/javascript/tools/cli/ https://docs.amplify.aws/react/reference/cli-commands/
    program: "amplify|ampx",
    pattern: ["delete", "env remove", "sandbox delete"],
    reason: TEARDOWN,
    deny: ["amplify delete --force", "npx amplify env remove dev", "npx ampx sandbox delete"],
    allow: ["amplify push", "npx ampx sandbox", "amplify env list"],
  },
  {
    id: "cloud/elastic-beanstalk-terminate",
    // https://docs.aws.amazon.com/elasticbeanstalk/latest/dg/eb3-terminate.html
    program: "eb",
    pattern: ["terminate", "config delete", "appversion -d|--delete", "labs cleanup-versions"],
    reason: TEARDOWN,
    deny: ["eb terminate shop-prod --force", "eb terminate --all"],
    allow: ["eb deploy", "eb status"],
  },
  {
    id: "cloud/copilot-delete",
    // https://aws.github.io/copilot-cli/docs/commands/app-delete/
    program: "copilot",
    pattern: "app|env|svc|job|task|pipeline|secret delete",
    reason: TEARDOWN,
    deny: ["copilot app delete --yes", "copilot svc delete --name api"],
    allow: ["copilot svc status", "copilot deploy"],
  },
];
