import { askBash, compareLinesBy, splitRows } from "./project.ts";

compareLinesBy(
  async (line) => (await askBash(line))?.decision,
  "what programs keep secret, and files of secrets by their names",
  splitRows(String.raw`
docker inspect web | jq '.[0].Config.Image'
docker inspect web | jq '.[0].Config | keys'
docker inspect web | jq '.[0].HostConfig'
docker inspect -f '{{.Config.Image}}' web
docker network inspect x | jq '.[0].Containers'
docker inspect web | grep IPAddress
docker compose config > /dev/null
docker compose config >/dev/null 2>&1 && echo ok
docker compose -f a.yml config -q
docker compose config --no-interpolate
docker compose logs config
docker compose up -d config
docker config ls
terraform show -json | jq -r '.values.root_module.resources[].address'
terraform state pull | jq '.serial'
terraform state list
systemctl show app -p EnvironmentFiles
systemctl status app
getent group wheel
pulumi config get aws:region
cut -d= -f1 .dev.vars
cat .dev.vars.example
act --secret-file .secrets
cat .secrets.baseline
terraform apply -var-file=secrets.tfvars
nmcli connection show wifi
wg show wg0
redis-cli CONFIG GET maxmemory
oc whoami
rbw list
`),
  splitRows(String.raw`
docker inspect web | jq '.[].Config'
docker inspect web | jq -r '.[0].Config.Env[]'
docker inspect web | python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["Config"]["Env"])'
podman container inspect web | grep -A20 Env
docker compose -f docker-compose.prod.yml config
docker compose -f a.yml -f b.yaml config
docker compose --profile x config
docker-compose -f a.yml config
docker compose config | grep -i password
docker compose config > out.yml
terraform show -json | jq '.values.root_module.resources[].values'
terraform state pull | jq '.resources[].instances'
terragrunt state pull
systemctl show app --property=Environment,ExecStart
getent gshadow wheel
pulumi config get dbPassword
chamber read app key
cat infra/prod.tfstate
jq .outputs terraform.tfstate.backup
cat terraform.tfstate.1700000000.backup
cat .dev.vars
cat worker/.dev.vars.staging
cat .secrets
source .secrets
cat secrets.tfvars
cat local.settings.json
nmcli -s connection show wifi
wg show wg0 private-key
redis-cli CONFIG GET requirepass
oc whoami -t
`),
);
