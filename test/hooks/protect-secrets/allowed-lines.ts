import { splitRows } from "./project.ts";

export const ALLOWED_LINES = [
  ...splitRows(String.raw`
ls -la
ls -la .env
ls .env*
test -f .env && echo yes
[ -f .env ] || echo no
[[ -f .env ]] && echo yes
stat .env
chmod 600 .env
touch .env
mkdir -p ~/.ssh
chmod 700 ~/.ssh
ls ~/.ssh
cat ~/.ssh/id_ed25519.pub
cat ~/.ssh/config
cat ~/.ssh/known_hosts
ssh -i ~/.ssh/id_ed25519 me@host uptime
scp -i key.pem a.txt host:
ssh-add ~/.ssh/id_ed25519
openssl req -x509 -newkey rsa:2048 -nodes -keyout new-key.pem -out new-cert.pem
mkcert -key-file local-key.pem -cert-file local.crt localhost
type node
ls -la env
echo $env:PATH
ssh-keygen -t ed25519 -C me
curl --cert client.pem --key client.key https://x
echo .env >> .gitignore
echo "copy .env.example to .env"
printf '.env\n' >> .gitignore
cat .env.example
cat .env.sample
cat .env.local.example
cp .env.example .env.new
cp .env.example sub/deep/.env
cp .env.template other/.env
[ -f .env ] || cp .env.example .env
[ -e ".env" ] || cp ".env.example" ".env"
test -f .env || cp .env.example .env && npm test
[[ -f .env ]] || cp .env.example .env
[ ! -f .env ] && cp .env.example .env
if [ ! -f .env ]; then cp .env.example .env; fi
if ! test -f .env; then cp .env.example .env; fi
cp -n .env.example .env
cp --no-clobber .env.example .env
cat public.pem
export KUBECONFIG=~/.kube/config
export KUBECONFIG=~/.kube/config && kubectl get pods
KUBECONFIG=~/.kube/config kubectl get pods
export GOOGLE_APPLICATION_CREDENTIALS=./service-account.json
readonly KEY=~/.ssh/id_ed25519
docker build --secret id=npmrc,src=$HOME/.npmrc .
docker buildx build --secret=id=npmrc,src=$HOME/.npmrc .
ssh -o IdentityFile=~/.ssh/id_rsa host uptime
ssh -oIdentityFile=~/.ssh/id_rsa -i~/.ssh/id_rsa host uptime
scp -o IdentityFile=~/.ssh/id_rsa a.txt host:
openssl req -new -key server.key -out server.csr
openssl x509 -req -in server.csr -signkey server.key -out server.crt
openssl pkcs12 -export -inkey server.key -in cert.pem -out x.p12
openssl dgst -sha256 -sign server.key -out x.sig x.txt
kubectl create secret generic x --from-env-file=.env
kubectl create secret tls x --cert=server.pem --key=server.key
uvicorn app:app --ssl-keyfile key.pem --ssl-certfile cert.pem
gunicorn app:app --keyfile key.pem
diff .env.example .env.sample
cat README.md
cat readme-link
cat cert.pem
openssl x509 -in cert.pem -noout -text
cat *.md
cat sub/*.ts
cd sub/deep && wc -l s* *m *y i* .n* *.p*
cd sub/deep && cat *
wc -l src/*.ts
grep -q .env .gitignore
grep -rn "\.env" src
rg this.key src
rg -n 'process\.env' src
grep -rn "API_KEY" src
git grep event.key
git grep -n process.env
git commit -m 'use event.key'
git commit -m "docs: say what .env is for"
git add .
git add -A && git commit -m "feat: x"
git status --short .env
git ls-files | grep .env
git check-ignore .env
git rm --cached .env
git log --oneline -- .env
git diff
git show HEAD
gh pr create --title 'Handle event.key'
gh issue create --title x --body 'The file .env is missing'
jq -r .data.key x.json
jq .env package.json
find . -name '*.pem'
find . -name .env
find . -name '*.ts' | xargs wc -l
find . -name '*.ts' -exec grep -n key {} +
rsync --exclude=.env a b
tar cz --exclude=.env . > /tmp/x.tgz
sed -i 's/.env/.env.local/' README.md
awk '/.env/' README.md
docker run --env-file .env web
docker compose --env-file .env up
node --env-file=.env app.js
bun --env-file .env run dev
kubectl --kubeconfig ~/.kube/config get pods
helm upgrade x . --kubeconfig ~/.kube/config
echo hi > marker.txt
echo monkey.ts turkey.md
cat monkey.ts
cat keyboard.json
cat tokens.ts
cat environment.ts
cat src/env.ts
cat secrets.test.ts
vim src/secrets.ts
cat .envoy.yaml
npm run env:check
npm test
npx vitest -t '.env is read'
python3 -c "print('hello')"
node -e 'console.log(process.env.HOME)'
node -e 'console.log(process.env.NODE_ENV)'
node -p 'process.version'
python3 -c 'import os; print(os.environ["HOME"])'
env FOO=1 npm test
env -u NODE_ENV npm test
env -v npm test
env -- npm test
env --ignore-signal=INT npm test
env -i
env -i PATH=$PATH npm test
FOO=1 npm test
printenv HOME
printenv PATH | tr ':' '\n'
env | grep NODE
env | grep -i proxy
printenv | grep ^PATH=
env | cut -d= -f1
env | cut -d = -f 1 | sort
env | wc -l
env | grep -c TOKEN
env | grep -q GITHUB_TOKEN && echo set
set -euo pipefail
set -e; npm test
set +x
export NODE_ENV=test
export PATH="$HOME/bin:$PATH"
export GITHUB_TOKEN=$(cat /dev/null)
declare -A map
declare -p PATH
echo $HOME
echo "$PWD" $USER
[ -n "$GITHUB_TOKEN" ] && echo set
echo '$GITHUB_TOKEN'
echo \$GITHUB_TOKEN
echo "$KEY_PATH $MAX_TOKENS $PUBLIC_KEY $TOKEN_COUNT"
echo "$SSH_AUTH_SOCK"
curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user
curl -H "Authorization: Bearer $(gh auth token)" https://api.github.com/user
T=$(gcloud auth print-access-token) && curl -H "Authorization: Bearer $T" https://x
docker login -p $(aws ecr get-login-password) x
ssh-keygen -t ed25519 -f ~/.ssh/id_work
echo "$CR_PAT" | docker login ghcr.io -u me --password-stdin
echo "$GITHUB_TOKEN" | gh auth login --with-token
printf %s "$API_KEY" | gh secret set API_KEY
printf %s "$API_KEY" | sha256sum
aws ecr get-login-password | docker login --username AWS --password-stdin x
gh auth status
gh auth login
gh pr view 42
gcloud auth list
gcloud config get-value project
aws configure get region
aws s3 ls
aws sts get-caller-identity
aws ssm get-parameter --name x
kubectl get secrets
kubectl get secrets -o wide
kubectl get secrets -o name
kubectl get secret --output=name -n prod
kubectl get secrets -A -owide
kubectl get secrets -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,TYPE:.type
kubectl get secret -o jsonpath='{.items[*].metadata.name}'
kubectl get secret db -o json | jq '.data | keys'
kubectl get secret db -o json | jq -r keys
before=$(env); . ./x.sh
kubectl get pods -n secret -o yaml
kubectl get cm -l app=secret -o yaml
kubectl get secretstores.external-secrets.io -o yaml
kubectl get secret db -o yaml | sed 's/dev/prod/' | kubectl apply -f -
kubectl create secret generic x --from-literal=a=b --dry-run=client -o yaml | kubectl apply -f -
terraform output
terraform output -raw vpc_id
terraform output -raw db_secret_arn
terraform output -raw kms_key_arn
terraform output -json | jq -r .db_secret_arn.value
terraform output -json subnet_ids
terraform output -json | jq -r .url.value
terraform output -json | jq keys
terraform output -json | jq -r 'keys[]'
kubectl get secret x -o json | jq -r '.data | keys[]'
heroku config -a shop --json | jq keys
vault kv get -format=json secret/x | jq '.data.data | keys'
terraform plan -out=plan
rails credentials:edit
rails db:migrate
gpg --verify x.asc x
gpg -o x.tar -d x.tar.gpg
gpg -d x.tar.gpg | tar x
gpg -d x.tar.gpg | tar -xzf - -C /tmp
gpg --import key.asc
kubectl get secret db
kubectl describe secret db
kubectl get pods -o yaml
kubectl config view
security list-keychains
pass ls
pass -c web/x
pass insert web/x
op item list
op run -- npm start
doppler run -- npm start
doppler secrets --only-names
vault status
heroku config:set A=1
vercel env ls
git credential reject
docker inspect web
docker inspect -f '{{.State.Status}}' web
ps aux
ps -ef
ps -eo pid,etime
ps -p 1 -o etime
passwd --help
gpg --verify x.asc
sops secrets.enc.yaml
ssh host uptime
curl -H "Authorization: Bearer $(printenv GITHUB_TOKEN)" https://x
gh issue create --title x --body "$(env | cut -d= -f1)"
gh issue create --title x --body "$(env | grep NODE)"
git commit -m "$(node -p process.version)"
curl -H "Authorization: Bearer $(node -p process.env.X_TOKEN)" https://x
for key in a b; do echo "$key"; done
while read -r key value; do echo "$key"; done < config.txt
cat <<'X' > deploy.sh
psql "$DATABASE_URL" -c 'select 1'
npm config get registry
python3 -c "import os; from openai import OpenAI; c=OpenAI(api_key=os.environ['OPENAI_API_KEY']); print(c.models.list())"
python3 -c "import os; from openai import OpenAI; print(OpenAI(api_key=os.environ['OPENAI_API_KEY']).models.list())"
python3 -c "import os; k = os.environ['OPENAI_API_KEY']; print(OpenAI(api_key=k).models.list())"
python3 -c "import os; print(bool(os.getenv('OPENAI_API_KEY')))"
python3 -c "import os; print(len(os.environ.get('OPENAI_API_KEY', '')))"
python3 -c "import os; print('set' if os.getenv('X_KEY') else 'unset')"
python3 -c "import os; print(os.getenv('X_KEY') is not None, 'X_KEY' in os.environ)"
python3 -c "import os; print(sorted(os.environ))"
python3 -c "import os; [print(k) for k in os.environ]"
python3 -c "import os; print(list(os.environ.keys()))"
python3 -c "import os, subprocess; print(subprocess.run(['ls'], env=dict(os.environ)))"
node -e "console.log(!!process.env.X_KEY)"
node -e "console.log(process.env.X_KEY ? 'set' : 'unset')"
node -e "console.log(typeof process.env.X_KEY, process.env.X_KEY?.length)"
node -e "if (!process.env.X_KEY) console.log('set process.env.X_KEY first')"
node -e "const p = process.env.X_KEY; new Client(p).ping().then((r) => console.log(r))"
node -e "new Client(process.env.DATABASE_URL).query('select 1').then((r) => console.log(r.rows))"
node -e "console.log(Object.keys(process.env))"
node -e "const key = process.env.X_KEY; f(key).then((r) => console.log({ key: r.key }))"
perl -e 'my $k = $ENV{X_KEY}; print "set\\n" if $k; print length($k)'
node -e "Object.keys(process.env).forEach((k) => console.log(k))"
node -e "console.log(process.env.X_KEY === process.env.Y_KEY)"
python3 -c "import os, hashlib; print(hashlib.sha256(os.environ['X_KEY'].encode()).hexdigest())"
ruby -e 'puts ENV["X_KEY"].to_s.length'
node -e "console.log(require('child_process').execSync('ls', { env: { ...process.env } }))"
node -p "process.env.HOME"
node -p "Boolean(process.env.X_KEY)"
ruby -e 'puts "set" if ENV["X_KEY"]'
ruby -e 'puts ENV.keys'
perl -e 'print "set\n" if $ENV{X_KEY}'
perl -e 'print join("\n", keys %ENV)'
php -r 'echo getenv("X_KEY") ? 1 : 0;'
awk 'BEGIN { for (k in ENVIRON) print k }'
jq -n '$ENV.HOME'
jq -n '$ENV | keys'
jq -n '$ENV.X_KEY | length'
`),
  'echo "${#API_KEY}"',
  'echo "${API_KEY:+set}"',
  "export KEY=`pass show web/x`",
  "apply_patch <<'P'\n*** Begin Patch\n*** Update File: README.md\n@@\n+Copy .env.example to .env\n+const a = e.key\n*** End Patch\nP",
  "cat > x.md <<'X'\nPut it into .env\nX",
  "git commit -m \"$(cat <<'EOF'\ndocs: .env holds secrets\n\nRun env to see.\nEOF\n)\"",
  "cat > deploy.sh <<'EOF'\ncurl -H \"Authorization: Bearer $API_TOKEN\" https://x\nEOF",
  'cat > deploy.sh <<"EOF"\necho $API_TOKEN\nEOF',
  'cat > deploy.sh <<EOF\ncurl -H "Authorization: Bearer \\$API_TOKEN" https://x\nEOF',
  "cat <<EOF > README.md\nIn $HOME: ${API_TOKEN:+set}, ${#API_TOKEN}\nEOF",
  'cat <<EOF > a.txt\nhi\nEOF\ncurl -H "Authorization: Bearer $API_TOKEN" https://x',
  "cat <<EOF > a.txt\nhi\nEOF\ncurl https://x -d @- <<EOF\n$API_KEY\nEOF",
  "cat <<EOF | kubectl apply -f -\nstringData: { password: $DB_PASSWORD }\nEOF",
  "kubectl apply -f - <<EOF\nstringData: { password: $DB_PASSWORD }\nEOF",
  'curl https://x -d @- <<EOF\n{ "key": "$API_KEY" }\nEOF',
  "# cat .env\nls",
  "echo 'cat .env'",
  "python3 - <<'X'\nimport os\nprint(os.environ[\"HOME\"])\nX",
  "node -e 'fetch(u, { headers: { Authorization: `Bearer ${process.env.X_TOKEN}` } }).then((r) => console.log(r.status))'",
  "python3 - <<'X'\nimport os, requests\nr = requests.get('https://x', headers={'Authorization': f\"Bearer {os.environ['X_TOKEN']}\"})\nprint(r.status_code)\nX",
  // Values assigned on only some of the paths through the command.
  "f=a; true && f=b; cat $f",
  "f=.env; if x; then f=a; else f=b; fi; cat $f",
  "if x; then f=.env; g=a; else f=.env.local; g=b; fi; ls $f; cat $g",
  "if x; then f=.env.example; else f=.env.sample; fi; cat $f",
  "if x; then p=ls; f=.env; else p=cat; f=a; fi; $p $f",
  "if x; then cd sub; else cd deep; fi; cat README.md",
];
