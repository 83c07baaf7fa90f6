import { createHash } from "node:crypto";
import { createRandom, expandTemplate, hashText, pick, type Random } from "../grammar.ts";
import { VOCABULARY } from "../vocabulary.ts";

const WORDS = VOCABULARY.word as readonly string[];

/** File locations documented for the layouts of frameworks and generators. */
const PATHS = `
src/«word»/«word2».«ext»
src/components/«Ident»‹|Card|List|Form|Table|Dialog|Page›.‹tsx|jsx|vue|svelte|test.tsx|stories.tsx|module.css›
‹app|pages|src/app›/«word»/‹page.tsx|layout.tsx|route.ts|[id]/page.tsx|loading.tsx|error.tsx›
‹packages|apps|libs›/«word»/‹src/index.ts|package.json|README.md|tsconfig.json|src/«word2».ts|test/«word2».test.ts|vite.config.ts›
src/‹hooks|utils|services|stores|types|api|lib›/‹use«Ident».ts|«word».ts|«word»-«word2».ts|index.ts|«word».d.ts›
‹test|tests|spec|__tests__|e2e›/«word»/‹«word2».test.ts|test_«word2».py|«word2»_spec.rb|«word2».spec.js|fixtures/«word2».json|__snapshots__/«word2».test.ts.snap›
«word»/‹__init__|models|views|urls|admin|forms|serializers|tasks|apps|settings/base|management/commands/«word2»|migrations/0001_initial›.py
tests/‹conftest.py|unit/test_«word».py|integration/test_«word»_«word2».py|data/«word».csv›
‹cmd|internal|pkg›/«word»/‹«word2».go|«word2»_test.go|main.go|doc.go|handler.go›
src/‹main|lib|bin/«word»|«word»/mod|«word»/«word2»›.rs
crates/«word»/‹Cargo.toml|src/lib.rs|src/«word2».rs|tests/«word2».rs|benches/«word2».rs›
src/‹main|test›/‹java|kotlin›/com/example/«word»/«Ident»‹|Service|Controller|Repository|Test|Config›.‹java|kt›
src/main/resources/‹application.yml|application-dev.properties|logback.xml|db/migration/V1__«word».sql|templates/«word».html|static/«word».js›
src/«Ident»/‹«Ident2».cs|«Ident».csproj|Program.cs|appsettings.json|appsettings.Development.json|Controllers/«Ident2»Controller.cs|Properties/launchSettings.json›
app/‹models/«word».rb|controllers/«word»_controller.rb|views/«word»/index.html.erb|jobs/«word»_job.rb|Models/«Ident».php|Http/Controllers/«Ident»Controller.php|helpers/«word»_helper.rb›
config/‹application.rb|routes.rb|database.yml|environments/production.rb|initializers/«word».rb|«word».php|«word».yaml|«word».toml|default.json|packages/«word».yaml›
‹database|db›/‹migrations/2024_01_01_000000_create_«word»_table.php|migrate/20240101000000_create_«word».rb|seeds.rb|schema.rb|structure.sql|seeders/«Ident»Seeder.php|factories/«Ident»Factory.php›
lib/«word»/‹«word2».ex|application.ex|repo.ex|«word2»_web/router.ex|«word2».dart|«word2».rb›
‹charts|helm|deploy/helm›/«word»/‹Chart.yaml|values.yaml|values-prod.yaml|templates/deployment.yaml|templates/service.yaml|templates/ingress.yaml|templates/configmap.yaml|templates/_helpers.tpl|templates/NOTES.txt|templates/hpa.yaml|README.md|.helmignore|templates/tests/test-connection.yaml›
‹k8s|deploy|manifests|base|overlays/dev|overlays/prod›/‹kustomization.yaml|deployment.yaml|service.yaml|ingress.yaml|«word»-configmap.yaml|namespace.yaml|«word»/deployment.yaml|hpa.yaml|network-policy.yaml›
config/‹rbac/role.yaml|rbac/role_binding.yaml|crd/bases/«word».yaml|manager/manager.yaml|default/kustomization.yaml|samples/«word»_v1.yaml|webhook/manifests.yaml|certmanager/certificate.yaml›
‹terraform|infra|modules/«word»|environments/‹dev|prod››/‹main.tf|variables.tf|outputs.tf|versions.tf|providers.tf|backend.tf|«word».tf|terraform.tfvars.example|README.md|.terraform.lock.hcl›
‹ansible|playbooks›/‹site.yml|inventory.ini|roles/«word»/tasks/main.yml|roles/«word»/handlers/main.yml|roles/«word»/defaults/main.yml|group_vars/all.yml|roles/«word»/templates/«word2».conf.j2|ansible.cfg›
.github/‹workflows/‹ci|release|deploy|test|lint|«word»›.yml|dependabot.yml|CODEOWNERS|pull_request_template.md|ISSUE_TEMPLATE/bug.yml|actions/«word»/action.yml|FUNDING.yml›
docs/‹«word».md|guide/«word».md|api/«word».md|«word»/index.md|images/«word».png|adr/0001-«word».md|secrets.md|environment-variables.md|api-keys.md›
scripts/‹«word».sh|«word».py|«word».ts|release.sh|setup-env.sh|rotate-keys.sh|generate-certs.sh›
‹public|static|assets›/‹«word».svg|images/«word».png|favicon.ico|robots.txt|css/«word».css|js/«word».min.js|fonts/«word».woff2|manifest.json›
‹src|lib|internal|pkg›/‹auth|security|crypto|secrets|keys|credentials|tokens›/‹index.ts|password.ts|token.go|secret_store.py|credentials.rs|key_manager.java|api_key.rb|jwt.ts|rotate.py|secrets.test.ts|client_secret.go|private_key.rs|keychain.swift|vault.ts|env.ts|id_token.ts›
‹src|app|lib›/‹env.ts|environment.ts|config/env.js|secrets.ts|keys.ts|credentials.ts|secret.go|keyboard.ts|keyframes.css|monkey.py|passwordReset.tsx|tokenizer.rs|dotenv.ts|envelope.ts|key.tsx›
.env‹.example|.sample|.template|.dist|.local.example|.test.example|.schema|.production.sample|.d.ts›
‹«word»|apps/«word»|packages/«word»›/.env.‹example|sample|template|dist|defaults›
‹i18n|locales|src/locales›/‹en|de|fr|ja›/‹common|«word»|errors|keys›.json
‹proto|api/proto|proto/«word»/v1›/«word».proto
‹Dockerfile|Makefile|README.md|LICENSE|CHANGELOG.md|package.json|tsconfig.json|go.mod|go.sum|Cargo.toml|Cargo.lock|pyproject.toml|poetry.lock|uv.lock|requirements.txt|Gemfile|Gemfile.lock|composer.json|pom.xml|build.gradle.kts|settings.gradle|mix.exs|pnpm-lock.yaml|yarn.lock|.gitignore|.dockerignore|.editorconfig|.eslintrc.json|.prettierrc|docker-compose.yml|compose.yaml|Procfile|Justfile|Taskfile.yml|CMakeLists.txt|WORKSPACE|BUILD.bazel|flake.nix|.envoy.yaml|.nvmrc|.tool-versions|renovate.json|tox.ini|.pre-commit-config.yaml|.secrets.baseline|.gitleaks.toml|.npmrc|.yarnrc.yml|sonar-project.properties|netlify.toml|vercel.json|fly.toml|wrangler.toml›
‹/etc/nginx/nginx.conf|/etc/hosts|/etc/os-release|/usr/include/stdio.h|/var/log/syslog|/tmp/«word».log|/tmp/«word».json|/proc/cpuinfo|/etc/ssl/openssl.cnf|/etc/ssh/sshd_config|/usr/share/dict/words|/etc/passwd|~/.bashrc|~/.gitconfig|~/.ssh/config|~/.ssh/known_hosts|~/.ssh/id_ed25519.pub|~/.ssh/README.md|~/.config/nvim/init.lua|~/notes/«word».md›
node_modules/‹«word»|@«owner»/«word»›/‹package.json|dist/index.js|README.md|lib/«word2».js|index.d.ts|LICENSE|dist/«word2».cjs›
‹node_modules/«word»|vendor/«word»|.venv/lib/python3.12/site-packages/«word»›/‹«word2»/secrets.py|test/«word2».js|credentials.js|src/key.js|keys.go|token.py|env.js›
‹certs|ssl|tls›/‹README.md|«word».crt|ca.crt|generate.sh|openssl.cnf|«word».csr|«word».pub|chain.cer›
‹data|fixtures|testdata›/«word»‹|-«word2»›.‹json|csv|parquet|xml|yaml|txt|sql›
‹ios|macos›/«Ident»/‹AppDelegate.swift|Info.plist|«Ident2»View.swift|Assets.xcassets/Contents.json|KeychainHelper.swift›
android/app/src/main/‹AndroidManifest.xml|res/values/strings.xml|java/com/example/MainActivity.kt|res/layout/«word».xml›
‹notebooks/«word».ipynb|R/«word».R|sql/«word».sql|graphql/«word».graphql|styles/«word».scss|email/«word».mjml|migrations/000«digit»_«word».up.sql|src/«word».zig|lib/«word».ml|src/«Ident».hs|contracts/«Ident».sol|shaders/«word».glsl|assets/«word».wasm›
‹charts/shop/templates/‹secret|serviceaccount|deployment›.yaml|config/rbac/service_account.yaml|config/dhparams.pem|certs/server.pem|certs/public.key|public/license_public.key|.env.test›
`
  .trim()
  .split("\n");
const MAX_PATHS_PER_TEMPLATE = 220;

/** Builds the paths of ordinary files, with duplicates removed. */
export const buildOrdinaryPaths = (): string[] => [
  ...new Set(
    PATHS.flatMap((template) =>
      expandTemplate(template, VOCABULARY, MAX_PATHS_PER_TEMPLATE, createRandom(hashText(template))),
    ),
  ),
];

const hash = (text: string, algorithm = "sha256", form: "hex" | "base64" = "hex") =>
  createHash(algorithm).update(text).digest(form);
const makeUuid = (seed: string) => hash(seed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

/** Parts of source files: ordinary ones, and ones that resemble a secret. */
const PARTS: Readonly<Record<string, readonly ((word: string, seed: string) => string)[]>> = {
  ts: [
    (word) => `export interface ${word} { id: string; apiKey: string; createdAt: Date }\n`,
    (word) => `export const ${word}Token = process.env.${word.toUpperCase()}_TOKEN ?? "";\n`,
    (word) =>
      `function ${word}(password: string) {\n  if (password.length < 12) throw new Error("password is too short");\n  return hash(password);\n}\n`,
    (word, seed) => `const ${word}Id = "${makeUuid(seed)}";\n`,
    (word) => `headers: { Authorization: \`Bearer \${${word}Token}\` },\n`,
    (word, seed) => `it("has a hash", () => expect(digest(${word})).toBe("${hash(seed)}"));\n`,
    () => `const url = \`postgres://\${user}:\${password}@\${host}/shop\`;\n`,
    () => `const local = "postgres://postgres:postgres@localhost:5432/shop_test";\n`,
    () => `throw new Error("set SLACK_TOKEN, as in xoxb-your-token-here");\n`,
    (word) => `document.addEventListener("keydown", (event) => ${word}(event.key));\n`,
    (_, seed) =>
      `const icon = "data:image/png;base64,${hash(seed, "sha512", "base64")}${hash(`${seed}1`, "sha512", "base64")}";\n`,
  ],
  py: [
    (word) => `class ${word.toUpperCase()}:\n    secret_key: str = os.environ["SECRET_KEY"]\n`,
    (word) =>
      `def ${word}(token: str, api_key: str | None = None) -> dict:\n    return {"Authorization": f"Bearer {token}"}\n`,
    () => `password = getpass.getpass("Password: ")\n`,
    () => `SECRET_KEY = "change-me"\n`,
    (_, seed) => `ETAG = "${hash(seed, "md5")}"\n`,
    () => `engine = create_engine("mysql://user:password@localhost/db")\n`,
  ],
  lock: [
    (word, seed) =>
      `    "node_modules/${word}": {\n      "version": "1.2.3",\n      "resolved": "https://registry.npmjs.org/${word}/-/${word}-1.2.3.tgz",\n      "integrity": "sha512-${hash(seed, "sha512", "base64")}"\n    },\n`,
    (word, seed) => `github.com/acme/${word} v1.2.3 h1:${hash(seed, "sha256", "base64")}\n`,
    (word, seed) => `name = "${word}"\nchecksum = "${hash(seed)}"\n`,
  ],
  yaml: [
    (word) => `${word}:\n  password: \${{ secrets.${word.toUpperCase()}_PASSWORD }}\n`,
    (word) =>
      `- name: ${word.toUpperCase()}_TOKEN\n  valueFrom:\n    secretKeyRef:\n      name: ${word}\n      key: token\n`,
    () => "password: {{ .Values.password | b64enc | quote }}\n",
    (word, seed) => `image: registry.example.com/${word}@sha256:${hash(seed)}\n`,
    () => "api_key: <your-api-key>\n",
    (_, seed) => `- uses: actions/checkout@${hash(seed, "sha1")}\n`,
    () => "AWS_ACCESS_KEY_ID: test\nAWS_SECRET_ACCESS_KEY: test\n",
  ],
  md: [
    (word) => `## ${word}\n\nSet \`${word.toUpperCase()}_API_KEY\` to your key (\`sk-...\`), see \`.env.example\`.\n`,
    // Example keys from the AWS documentation.
    () => `aws_access_key_id = ${["AKIA", "IOSFODNN7EXAMPLE"].join("")}\n`,
    () => `aws_secret_access_key = ${["wJalrXUtnFEMI/K7MDENG", "/bPxRfiCYEXAMPLEKEY"].join("")}\n`,
    () => "export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
    () => "Authorization: Bearer <token>\n",
    () => "Never run `rm -rf /` or `git push --force`.\n",
    () => "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
    () => `A token looks like ${["xox", "o-lovely-day"].join("")}, and XOXO is a greeting.\n`,
    () => "postgres://user:pass@example.com/db\n",
  ],
  sql: [
    (word) => `CREATE TABLE ${word} (id uuid primary key, password_hash text not null, api_token text);\n`,
    (word, seed) =>
      `INSERT INTO ${word} VALUES ('${makeUuid(seed)}', '$2b$12$${hash(seed, "sha512", "base64")
        .replace(/[^A-Za-z0-9]/g, "")
        .slice(0, 53)}', null);\n`,
    (word) => `DROP TABLE IF EXISTS ${word};\n`,
  ],
  js: [
    (word, seed) =>
      `!function(e,t){"object"==typeof exports?t(exports):t(e.${word}={})}(this,function(e){var n="${hash(seed, "sha1")}";e.key=n});`,
    (word, seed) => `"/static/${word}.${hash(seed).slice(0, 20)}.js":"sha384-${hash(seed, "sha384", "base64")}",`,
  ],
};
const EXTENSIONS: Readonly<Record<string, string>> = { lock: "json" };
const TEXTS_PER_KIND = 90;
const MAX_PARTS = 120;
const LARGE_TEXT_LENGTH = 1_200_000;

/** Text that an agent writes, and the path of the file it's written to. */
export interface OrdinaryText {
  path: string;
  text: string;
}

/** Builds source files of many kinds, from one line to more than a megabyte. */
export function buildOrdinaryTexts(): OrdinaryText[] {
  return Object.entries(PARTS).flatMap(([kind, parts]) => {
    const random = createRandom(hashText(kind));
    const makePart = (seed: string) => pick(parts, random)(pick(WORDS, random), seed);
    const path = (at: number | string) => `src/${pick(WORDS, random)}-${at}.${EXTENSIONS[kind] ?? kind}`;
    const texts = Array.from({ length: TEXTS_PER_KIND }, (_, at) => ({
      path: path(at),
      text: Array.from({ length: countParts(random) }, (_unused, part) => makePart(`${kind} ${at} ${part}`)).join(""),
    }));
    let large = "";
    for (let part = 0; large.length < LARGE_TEXT_LENGTH; part++) large += makePart(`${kind} large ${part}`);
    return [...texts, { path: path("large"), text: large }];
  });
}

const countParts = (random: Random) => 1 + Math.floor(random() ** 3 * MAX_PARTS);
