import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import hook from "../../../hooks/block-destructive.ts";
import { askHook } from "../../support/ask-hook.ts";

type Call = readonly [server: string, tool: string, given: object];

const shop = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-tools-")));
const git = (...args: string[]) =>
  Bun.spawnSync(["git", "-c", "user.name=t", "-c", "user.email=t@e.org", ...args], { cwd: shop });
beforeAll(() => {
  git("init", "-q", "-b", "main");
  writeFileSync(join(shop, "a.ts"), "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  writeFileSync(join(shop, "a.ts"), "two\n");
});
afterAll(() => rmSync(shop, { recursive: true, force: true }));

const ask = async ([server, tool, given]: Call): Promise<string> => {
  const event = {
    event: "PreToolUse",
    tool: "MCP",
    tool_name: `mcp__${server}__${tool}`,
    cwd: shop,
    input: { server, tool, arguments: given },
  };
  return (await askHook(hook, event))?.decision ?? "pass";
};

const denied: readonly Call[] = [
  ["github", "delete_repository", { owner: "me", repo: "shop" }],
  ["gitlab", "deleteProject", { project_id: "1" }],
  ["github", "delete_branch", { branch: "main" }],
  ["docker", "remove_volume", { volume_name: "shop_pgdata", force: true }],
  ["docker", "volume-prune-volumes", {}],
  ["cloudflare", "kv_namespace_delete", { namespace_id: "1" }],
  ["cloudflare", "r2_bucket_delete", { name: "photos" }],
  ["aws", "terminate_instances", { ids: ["i-1"] }],
  ["rds", "delete_db_cluster_snapshot", { id: "s" }],
  ["s3", "empty_bucket", { bucket: "photos" }],
  ["db", "reset_database", { name: "shop" }],
  ["okta", "delete_users", { ids: [1] }],
  ["admin", "delete_organization_by_id", { id: 1 }],
  ["admin", "manage_workspace", { action: "delete", id: 1 }],
  ["api", "delete_resource", { type: "project", id: 1 }],
  ["kubernetes", "kubectl_delete", { resourceType: "namespace", name: "prod" }],
  ["k8s", "resources_delete", { apiVersion: "v1", kind: "PersistentVolumeClaim", name: "data" }],
  ["terraform-cloud", "apply_run", { run_id: "run-1", is_destroy: true }],
  ["tf", "ExecuteTerraformCommand", { command: "destroy" }],
  ["pulumi", "destroy", { stack: "prod" }],
  ["git", "git_reset", { repo_path: shop, mode: "hard", target: "main" }],
  ["git", "git_reset", { repo_path: ".", mode: "hard" }],
  ["git", "git_push", { path: shop, remote: "origin", branch: "main", force: true }],
  ["git", "git_stash", { path: shop, mode: "clear" }],
  ["git", "git_restore", { repo_path: shop, files: ["a.ts"] }],
];
const allowed: readonly Call[] = [
  ["github", "delete_file", { path: "src/a.ts", branch: "main" }],
  ["github", "delete_branch", { branch: "feature/database" }],
  ["github", "remove_label", { label: "database" }],
  ["github", "remove_repository_from_project", { repo: "shop" }],
  ["github", "delete_project_item", { id: 1 }],
  ["github", "create_repository", { name: "delete-database" }],
  ["github", "search_repositories", { query: "delete database" }],
  ["github", "close_issue", { issue_number: 1 }],
  ["linear", "delete_comment", { id: "1" }],
  ["mail", "delete_draft", { id: "1" }],
  ["slack", "remove_reaction", { name: "x" }],
  ["slack", "remove_user_from_channel", { user: "u" }],
  ["serena", "remove_project", { project: "shop" }],
  ["cache", "delete_cache", { key: "x" }],
  ["docker", "remove_container", { container: "web" }],
  ["admin", "delete_database", { name: "shop_test" }],
  ["aws", "delete_bucket", { bucket: "photos", dryRun: true }],
  ["jira", "list_deleted_projects", {}],
  ["vercel", "restore_delete_project", {}],
  ["toolbox", "remove_mcp_server", { name: "x" }],
  ["toolbox", "delete_mcp_server", { name: "x" }],
  ["kubernetes", "kubectl_delete", { resourceType: "pod", name: "web-1" }],
  ["kubernetes", "kubectl_get", { resourceType: "namespace" }],
  ["terraform-cloud", "apply_run", { run_id: "run-1", is_destroy: false }],
  ["terraform", "ExecuteTerraformCommand", { command: "plan" }],
  ["git", "git_reset", { repo_path: shop, mode: "soft" }],
  ["git", "git_reset", { repo_path: shop }],
  ["git", "git_checkout", { repo_path: shop, branch_name: "main" }],
  ["git", "git_restore", { repo_path: shop, files: ["b.ts"] }],
  ["git", "git_branch", { repo_path: shop, mode: "delete", branch: "merged" }],
  ["git", "git_push", { path: shop, remote: "origin", branch: "feature" }],
  ["git", "git_commit", { repo_path: shop, message: "reset --hard, delete database" }],
];

describe("block-destructive judges tools of MCP servers by what they delete", () => {
  for (const call of denied) test(`denies ${JSON.stringify(call)}`, async () => expect(await ask(call)).toBe("deny"));
  for (const call of allowed) test(`allows ${JSON.stringify(call)}`, async () => expect(await ask(call)).toBe("pass"));
});

test("the answer names the tool with its arguments, and the kind of deletion", async () => {
  const event = {
    event: "PreToolUse",
    tool: "MCP",
    tool_name: "mcp__github__delete_repository",
    input: { server: "github", tool: "delete_repository", arguments: { owner: "me", repo: "shop", token: "x" } },
  };
  expect((await askHook(hook, event))?.reason).toBe(
    'Blocked "mcp__github__delete_repository --owner=me --repo=shop": it deletes a repository and everything that belongs to it. If this is intended, ask the user to run it. [bridge-hooks cloud/mcp-delete]',
  );
  expect(
    await askHook(hook, event, { allow: ["mcp__github__delete_repository --owner=me --repo=shop"] }),
  ).toBeUndefined();
});
