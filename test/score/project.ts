import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files that are committed to the project's git repository. */
const TRACKED: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n",
  "package.json": '{ "name": "shop", "version": "1.0.0" }\n',
  "src/index.ts": "export const answer = 42;\n",
  ".gitignore": "node_modules\ndist\n.env\n",
  ".env.example": "DATABASE_URL=postgres://localhost/shop\nAPI_KEY=\n",
  ".env.test": "NODE_ENV=test\nPORT=3001\n",
  "env.template": "PORT=3000\n",
  "charts/shop/templates/secret.yaml":
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ include "shop.fullname" . }}\ndata:\n  password: {{ .Values.password | b64enc | quote }}\n',
  "charts/shop/templates/serviceaccount.yaml":
    '{{- if .Values.serviceAccount.create }}\napiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: {{ include "shop.fullname" . }}\n{{- end }}\n',
  "charts/shop/templates/deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\n",
  "charts/shop/templates/_helpers.tpl": '{{- define "shop.fullname" -}}shop{{- end }}\n',
  "config/rbac/service_account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: controller-manager\n",
  "config/dhparams.pem": "-----BEGIN DH PARAMETERS-----\nMIIBCAKCAQEA\n-----END DH PARAMETERS-----\n",
  "certs/server.pem": "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----\n",
  "certs/public.key": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYI\n-----END PUBLIC KEY-----\n",
  ".claude/settings.json": "{}\n",
  ".claude/settings.local.json": "{}\n",
  ".cursor/hooks.json": "{}\n",
  ".codex/config.toml": "\n",
  ".codex/hooks.json": "{}\n",
  ".gemini/settings.json": "{}\n",
  ".github/hooks/a.json": "{}\n",
  ".github/workflows/ci.yml": "on: push\n",
  "opencode.json": "{}\n",
  "public/license_public.key": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYI\n-----END PUBLIC KEY-----\n",
};

/** Files that could be lost because they're untracked or differ from the committed version. */
const UNTRACKED: Readonly<Record<string, string>> = {
  ".env": "API_KEY=made-up\n",
  "src/index.ts": "export const answer = 43;\n",
  "notes.txt": "to do\n",
  "server.key": "-----BEGIN PRIVATE KEY-----\nmade up\n-----END PRIVATE KEY-----\n",
};

const HOME_FILES: Readonly<Record<string, string>> = {
  ".ssh/id_ed25519": "made up\n",
  ".ssh/id_ed25519.pub": "ssh-ed25519 made-up\n",
  ".ssh/README.md": "#\n",
  ".claude/settings.json": "{}\n",
  ".cursor/hooks.json": "{}\n",
  ".codex/config.toml": "\n",
  ".gemini/settings.json": "{}\n",
};

export interface ScoreProject {
  /** The user's home directory. */
  home: string;
  /** The session's directory: a git repository with changes, a merged branch and an unmerged one. */
  cwd: string;
  remove: () => void;
}

/**
 * Creates a project that's the same in every run except for its path. Sets the environment variables of this process
 * that affect the home directory and git.
 */
export function createProject(): ScoreProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "score-")));
  const home = join(folder, "home/me");
  const cwd = join(home, "code/shop");
  mkdirSync(cwd, { recursive: true });
  Object.assign(process.env, { HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
  writeAll(cwd, TRACKED);
  runGit(cwd, "init", "--quiet", "--initial-branch=main");
  runGit(cwd, "add", "--all", "--force");
  runGit(cwd, "commit", "--quiet", "--message=first");
  for (const branch of ["merged/login", "merged/search", "merged/cart"]) runGit(cwd, "branch", branch);
  runGit(cwd, "switch", "--quiet", "--create", "feature/open");
  writeAll(cwd, { "src/open.ts": "export {};\n" });
  runGit(cwd, "add", "--all");
  runGit(cwd, "commit", "--quiet", "--message=open");
  runGit(cwd, "switch", "--quiet", "main");
  writeAll(cwd, UNTRACKED);
  writeAll(home, HOME_FILES);
  return { home, cwd, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

function runGit(cwd: string, ...args: string[]): void {
  const author = ["-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "commit.gpgsign=false"];
  const { exitCode, stderr } = Bun.spawnSync(["git", ...author, ...args], { cwd });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}
