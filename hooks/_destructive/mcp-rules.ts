import type { CommandRule } from "./pattern.ts";

/** Rules about MCP tools, in the `cloud` category. Calls to these tools are converted to commands. */
export const mcpRules: readonly CommandRule[] = [
  {
    id: "cloud/mcp-delete",
    program: "mcp__*",
    pattern: "<kind>",
    reason: "it deletes <kind> and everything that belongs to it",
    deny: [
      "mcp__github__delete_repository --owner=me --repo=shop",
      "mcp__docker__remove_volume --volume_name=shop_pgdata",
      "mcp__cloudflare__d1_database_delete --database_id=1",
      "mcp__aws__terminate_instances",
      "mcp__admin__manage_project --action=delete --id=1",
      "mcp__api__delete_resource --type=workspace",
      "mcp__terraform-cloud__apply_run --run_id=run-1 --is_destroy=true",
      "mcp__github__delete_branch --branch=main",
    ],
    allow: [
      "mcp__github__delete_file --path=src/a.ts",
      "mcp__github__delete_branch --branch=feature/x",
      "mcp__github__delete_project_item --id=1",
      "mcp__slack__remove_user_from_channel --user=u",
      "mcp__docker__remove_container --container=web",
      "mcp__admin__delete_database --database=shop_test",
      "mcp__jira__list_deleted_projects",
    ],
  },
];
