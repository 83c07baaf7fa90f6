import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-kit-")));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export const GIT_ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@example.org",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@example.org",
};

/** Runs the real git and expects it to succeed. */
export function runGit(cwd: string, ...args: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(["git", "-c", "protocol.file.allow=always", "-C", cwd, ...args], {
    env: GIT_ENVIRONMENT,
  });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.toString().trim();
}

/** Runs `work` with these environment variables set in this process. */
export function withVariables<V extends Record<string, string>>(variables: V, work: (variables: V) => void): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    work(variables);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

export let folderCount = 0;
export const createFolder = () => {
  const folder = join(scratch, `r${folderCount++}`);
  mkdirSync(folder);
  return folder;
};

let template: string | undefined;

/** Creates a repository with two commits on the branch "topic", by copying an existing one created with git. */
export function createRepository(): string {
  if (template === undefined) {
    template = createFolder();
    runGit(template, "init", "-qb", "topic", "--template=");
    writeFileSync(join(template, "a.txt"), "one\n");
    runGit(template, "add", ".");
    runGit(template, "commit", "-qm", "first");
    runGit(template, "commit", "-qm", "second\n\nmore", "--allow-empty");
  }
  const folder = createFolder();
  cpSync(template, folder, { recursive: true });
  return folder;
}
