import { expect, test } from "bun:test";
import { askLine } from "./support.ts";

const DENIED = [
  "docker run hashicorp/terraform:1.9 destroy",
  'docker run --rm -it -v "$PWD":/w -w /w hashicorp/terraform:1.9 destroy -auto-approve',
  "docker run --rm -v ~/.aws:/root/.aws amazon/aws-cli s3 rb s3://b --force",
  "docker run --rm amazon/aws-cli s3 rb s3://b --force",
  "docker run -e A=b bitnami/kubectl delete ns prod",
  "podman run ghcr.io/opentofu/opentofu@sha256:abc destroy",
  "find . -name '.gi?' -exec rm -rf {} +",
  "find . -name '.g*' -exec rm -rf {} +",
  "mv ~/* /tmp/",
  "mv /* /tmp/x",
  "TF_CLI_ARGS_apply='-auto-approve -destroy' terraform apply",
  "export TF_CLI_ARGS=-destroy; terraform apply",
  "terraform plan -destroy -out p && terraform apply p",
  "mysql -uroot -p\"$P\" -h db -Be'drop database prod'",
  "mysql -Ne 'drop database prod'",
  "redis-cli eval \"redis.call('FLUSHDB')\" 0",
  "curl -XDELETE localhost:9200/_all",
  "curl -X DELETE 'http://localhost:9200/*'",
  "curl --request DELETE http://es:9200/shop",
  "loginctl poweroff",
  "npx rimraf '*'",
  "npx rimraf '**/*'",
];
const ALLOWED = [
  "docker run hashicorp/terraform:1.9 plan",
  "docker run --rm amazon/aws-cli s3 ls",
  "docker run --name terraform alpine destroy",
  'docker run --rm -v "$PWD":/w -w /w node:20 npm test',
  "docker run -d -p 6379:6379 redis",
  "docker run --rm mysql:8 --version",
  "docker build -t terraform . && docker push x/terraform",
  "find . -name '.*.swp' -exec rm -f {} +",
  "find . -name '*.pyc' -delete",
  "mv ~/Downloads/*.pdf /tmp/",
  "mv dist/* /tmp/",
  "terraform plan -destroy -out=p; terraform show p",
  "TF_CLI_ARGS=-no-color terraform apply",
  "mysql -uroot -p\"$P\" -Be'select 1'",
  "redis-cli eval 'return redis.call(\"get\", KEYS[1])' 1 a",
  "curl -X DELETE http://es:9200/shop/_doc/1",
  "curl -X DELETE http://localhost:3000/items/1",
  "loginctl list-sessions",
  "npx rimraf 'dist/*'",
  "npx rimraf './build/**'",
];

for (const line of DENIED)
  test(`a destructive command run by another program is denied: ${line}`, async () =>
    expect((await askLine(line))?.decision).toBe("deny"));
for (const line of ALLOWED)
  test(`a similar harmless command is allowed: ${line}`, async () => expect(await askLine(line)).toBeUndefined());
