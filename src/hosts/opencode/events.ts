const splitWords = (text: string) => text.split(" ");

/**
 * Bus events, except those that have a unified equivalent [shipped 1.18.33: the types of both versions of
 * @opencode-ai/sdk].
 */
const BUS_EVENTS = splitWords(
  "catalog.updated command.executed file.edited file.watcher.updated global.disposed installation.update-available " +
    "installation.updated integration.connection.updated integration.updated lsp.updated mcp.browser.open.failed " +
    "mcp.tools.changed message.part.removed message.removed models-dev.refreshed permission.replied permission.updated " +
    "permission.v2.asked permission.v2.replied plugin.added project.directories.updated project.updated pty.created " +
    "pty.deleted pty.exited pty.updated question.asked question.rejected question.replied question.v2.asked " +
    "question.v2.rejected question.v2.replied reference.updated server.connected server.instance.disposed session.diff " +
    "session.status session.updated todo.updated tui.command.execute tui.prompt.append tui.session.select tui.toast.show " +
    "vcs.branch.updated workspace.failed workspace.ready workspace.status worktree.failed worktree.ready",
);

/**
 * High-frequency events. They report each chunk of a reply or repeat other events in a different form [shipped
 * 1.18.33].
 */
const STREAMED_EVENTS = splitWords(
  "lsp.client.diagnostics message.part.delta message.updated session.next.agent.switched session.next.compaction.delta " +
    "session.next.compaction.ended session.next.compaction.started session.next.context.updated session.next.model.switched " +
    "session.next.moved session.next.prompt.admitted session.next.prompted session.next.reasoning.delta " +
    "session.next.reasoning.ended session.next.reasoning.started session.next.retried session.next.revert.cleared " +
    "session.next.revert.committed session.next.revert.staged session.next.shell.ended session.next.shell.started " +
    "session.next.step.ended session.next.step.failed session.next.step.started session.next.synthetic " +
    "session.next.text.delta session.next.text.ended session.next.text.started session.next.tool.called " +
    "session.next.tool.failed session.next.tool.input.delta session.next.tool.input.ended session.next.tool.input.started " +
    "session.next.tool.progress session.next.tool.success",
);

/** Plugin hooks that OpenCode calls while it works [shipped 1.18.33: the types of @opencode-ai/plugin]. */
const PLUGIN_HOOKS = splitWords(
  "chat.headers chat.params experimental.chat.system.transform experimental.compaction.autocontinue " +
    "experimental.provider.small_model experimental.text.complete permission.ask shell.env",
);

/**
 * Events that get an entry only when named explicitly. Some report each chunk of a stream; others contain the whole
 * conversation or all tools on each turn.
 */
export const EXPLICIT_EVENTS: readonly string[] = [
  ...STREAMED_EVENTS,
  "experimental.chat.messages.transform",
  "tool.definition",
];

/** Events that arrive as `Native` and are identified only by name. */
export const NATIVE_EVENTS: readonly string[] = [...BUS_EVENTS, ...PLUGIN_HOOKS, ...EXPLICIT_EVENTS];

/**
 * Events that the types declare but the program never fires [shipped 1.18.33]. Earlier releases fired
 * lsp.client.diagnostics and permission.updated.
 */
export const UNUSED_EVENTS: readonly string[] = ["lsp.client.diagnostics", "permission.ask", "permission.updated"];
