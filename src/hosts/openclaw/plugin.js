// OpenClaw's side of the bridge. It forwards hook calls to the executable and converts the answers for OpenClaw.
// `register` must neither throw nor block, because the gateway continues without a plugin that fails to load. A gateway
// registers a plugin more than once and calls any of the instances, so the instances share their state.
const shared = (globalThis[Symbol.for("bridge-hooks openclaw")] ??= {});
const known = (name, make) => (shared[name] ??= make());
const openclawPlugin = {
  id: "bridge-hooks",
  name: "bridge-hooks",
  description: "Calls the hooks of bridge-hooks.",
  register(api) {
    const log = (line) => {
      try {
        if (line) api.logger.warn(line);
      } catch {}
    };
    const denies = ({ block, outcome }) => block === true || outcome === "block";
    const { wants, ask, end, failed } = bridge(config, { log, denies });
    const attempt = (what, way) => {
      try {
        way();
      } catch (error) {
        log(`bridge-hooks: OpenClaw did not accept ${what}: ${error?.message}; run "bridge-hooks doctor"`);
      }
    };
    const blocked = (blockReason) => ({ block: true, blockReason });
    const stopped = (reason, message = reason) => ({ outcome: "block", reason, message });
    /**
     * Wraps a handler so that its own errors, whatever the host or model sent, follow the failure policy; `stop` builds
     * the handler's denial, if it can deny.
     */
    const guarded =
      (name, handler, stop = () => undefined) =>
      async (event, ctx) => {
        try {
          return await handler(event ?? {}, ctx ?? {});
        } catch (error) {
          const { failure, policy } = failed(name, error);
          log(failure);
          return policy === "deny" ? stop(failure) : undefined;
        }
      };
    /** Returns the session's id. Nothing is stored without one, because sessions would otherwise share data. */
    const idOf = (event, ctx) => ctx.sessionKey ?? ctx.sessionId ?? event.sessionKey ?? event.sessionId;
    /** Stores a value and limits the size of the map. */
    const keep = (map, key, value) => {
      map.set(key, value);
      if (map.size > 1000) map.delete(map.keys().next().value);
      return value;
    };

    /** Working directories by session, because not every event has one. */
    const folders = known("folders", () => new Map());
    const here = () => {
      try {
        return process.cwd();
      } catch {
        return "";
      }
    };
    const folderOf = (event, ctx) => {
      const key = ctx.sessionKey ?? event.sessionKey ?? "";
      const first = (...folders) => folders.find((one) => typeof one === "string" && one);
      const told = first(ctx.workspaceDir, event.cwd, event.context?.workspaceDir);
      if (told) return keep(folders, key, told);
      const { entries, defaults } = api.config?.agents ?? {};
      return first(folders.get(key), entries?.[ctx.agentId]?.workspace, defaults?.workspace) ?? here();
    };

    /** Fields that are long, secret or not serializable. */
    const LEFT_OUT = [
      "messages",
      "systemPrompt",
      "config",
      "cfg",
      "deps",
      "abortSignal",
      "trace",
      "hookInvocation",
      "sessionEntry",
    ];
    const without = (value) =>
      Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => !LEFT_OUT.includes(key)));
    const data = (value) => {
      const outer = [];
      // `this` is the object that holds the key. Circular references are dropped.
      const plain = function (_key, one) {
        if (typeof one === "bigint") return String(one);
        if (typeof one !== "object" || one === null) return one;
        while (outer.length > 0 && outer.at(-1) !== this) outer.pop();
        if (outer.includes(one)) return undefined;
        outer.push(one);
        return one;
      };
      return JSON.parse(JSON.stringify(value, plain));
    };

    /** Asks the executable; never throws. Fields that a policy must see are forwarded unchanged. */
    const asked = async (name, { params, context, ...event }, ctx, more) => {
      const ours = { ...more, host: "openclaw", event: name };
      let payload;
      try {
        const told = data({ ...without(event), ...(context && { context: without(context) }), ctx: without(ctx) });
        payload = { ...told, ...(params && { params }), cwd: folderOf({ ...event, context }, ctx), ...ours };
      } catch (error) {
        payload = {
          ctx: {},
          toolName: event.toolName,
          params,
          cwd: here(),
          unreadable: String(error?.message),
          ...ours,
        };
      }
      const { document, said, failure, policy } = await ask(name, payload);
      // A denial's reason is shown anyway.
      const denied = document?.block || document?.outcome;
      for (const line of [denied ? "" : said, failure, document?.log]) log(line);
      return failure === undefined ? (document ?? {}) : { failure, denied: policy === "deny" };
    };

    // Tool calls. OpenClaw asks a policy before all other plugins, even in `openclaw agent exec`, which calls no hooks.
    // The hook is for OpenClaw releases that don't support policies.
    const GATE = "before_tool_call";
    const judged = known("judged", () => new Map());
    const contexts = known("contexts", () => new Map());
    const byName = ([one], [other]) => (one < other ? -1 : 1);
    const sorted = (_key, one) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(byName))
        : one;
    /**
     * Serializes a call and its params for comparison; returns undefined if that fails, in which case the hooks are
     * asked again.
     */
    const form = ({ toolName }, params) => {
      try {
        return JSON.stringify({ toolName, params }, sorted);
      } catch {
        return undefined;
      }
    };
    const callOf = ({ runId, toolCallId }) => runId && toolCallId && `${runId} ${toolCallId}`;
    const gate = async (event, ctx) => {
      const { failure, denied, block, blockReason, requireApproval, params, context } = await asked(GATE, event, ctx);
      if (failure !== undefined) return denied ? blocked(failure) : undefined;
      if (block) return blocked(blockReason);
      if (context) add(event, ctx, context);
      // OpenClaw merges these over an approved call's params, so removed keys must be listed explicitly.
      const gone = Object.fromEntries(Object.keys(event.params ?? {}).map((key) => [key, undefined]));
      const decided = {
        ...(requireApproval && { requireApproval }),
        ...(params && { params: { ...gone, ...params } }),
      };
      return Object.keys(decided).length > 0 ? decided : undefined;
    };
    const policy = async (event, ctx) => {
      const decision = await gate(event, ctx);
      const call = callOf(event);
      if (call && !decision?.block) keep(judged, call, form(event, decision?.params ?? event.params));
      return decision;
    };
    /** Asks the hooks again only if another policy has changed the call since the last answer. */
    const hook = (event, ctx) => {
      const call = callOf(event);
      const earlier = judged.get(call);
      judged.delete(call);
      return earlier !== undefined && earlier === form(event, event.params) ? undefined : gate(event, ctx);
    };

    // The model reads only the result of the call it made. A catalog tool runs inside that call, and OpenClaw then
    // reports only the outer result.
    const INNER = "tool_search_code:";
    const outerOf = (id) => (id?.startsWith(INNER) ? id.slice(INNER.length).split(":").slice(0, -2).join(":") : id);
    const keyOf = (event, ctx) => {
      const id = idOf(event, ctx);
      return id && event.toolCallId && `${id} ${outerOf(event.toolCallId)}`;
    };
    const textsOf = (event, ctx) => contexts.get(keyOf(event, ctx)) ?? [];
    const add = (event, ctx, text) => {
      const key = keyOf(event, ctx);
      if (key) keep(contexts, key, [...textsOf(event, ctx), text]);
    };
    const finished = ({ isError, ...event }, ctx) =>
      asked(isError ? "tool_failure" : "tool_result", { ...event, isError }, ctx);
    const after = (event, ctx) => {
      const { toolCallId, result, error } = event;
      const ran = result?.details?.status !== "blocked";
      if (toolCallId?.startsWith(INNER) && ran)
        add(event, ctx, finished({ ...event, isError: error !== undefined }, ctx));
    };
    const middleware = async ({ args: params, ...event }, ctx) => {
      const texts = [...textsOf(event, ctx), finished({ ...event, params }, ctx)];
      contexts.delete(keyOf(event, ctx));
      const parts = (await Promise.all(texts)).map((one) => (typeof one === "string" ? { append: one } : one));
      const append = parts.map((one) => one.append).filter(Boolean);
      // The outer result contains those of the inner calls, so if one is replaced, nothing else of the outer result is
      // kept.
      const outputs = parts.map((one) => one.output).filter((one) => one !== undefined);
      if (append.length === 0 && outputs.length === 0) return undefined;
      const blocks = (texts) => (texts.length > 0 ? [{ type: "text", text: texts.join("\n\n") }] : []);
      const original = Array.isArray(event.result?.content) ? event.result.content : [];
      return {
        result: { ...event.result, content: [...(outputs.length > 0 ? blocks(outputs) : original), ...blocks(append)] },
      };
    };

    // OpenClaw does not report the start of every session and accepts no context for it, so the first prompt stands in
    // for it.
    const START = "session_start";
    const started = known("started", () => new Map());
    const start = (event, ctx, more) => {
      const answer = asked(START, event, ctx, more);
      const id = idOf(event, ctx);
      if (id) keep(started, id, answer);
      return answer;
    };
    const contextOfStart = async (event, ctx) => {
      const id = idOf(event, ctx);
      if (!id || !wants(START) || id.includes(":subagent:")) return undefined;
      const source = event.messages?.length > 0 ? "resume" : "startup";
      const { sessionId, sessionKey } = ctx;
      const { prependContext } = await (started.get(id) ?? start({ sessionId, sessionKey }, ctx, { source }));
      keep(started, id, {});
      return prependContext;
    };

    // A prompt accepts context only before it can be stopped, so the hooks are asked once and the answer is used twice.
    const PROMPT = "before_agent_run";
    const prompts = known("prompts", () => new Map());
    const runOf = (event, ctx) => {
      const id = idOf(event, ctx);
      return id && ctx.runId && `${id} ${ctx.runId}`;
    };
    /** Returns the answer for exactly this prompt, because a later prompt may have the same key. */
    const promptOf = (event, ctx) => {
      if (!wants(PROMPT)) return {};
      const key = runOf(event, ctx);
      const kept = prompts.get(key);
      // At this point the prompt already includes prepended contexts.
      if (kept && String(event.prompt).includes(kept.prompt)) return kept.answer;
      const answer = asked(PROMPT, event, ctx);
      if (key) keep(prompts, key, { prompt: String(event.prompt), answer });
      return answer;
    };
    const contextOf = async (event, ctx) => {
      // Without a run id, the answer could not be found again.
      const parts = [
        await contextOfStart(event, ctx),
        runOf(event, ctx) && (await promptOf(event, ctx)).prependContext,
      ];
      return parts.filter(Boolean).join("\n\n");
    };
    const builds = known("builds", () => new Map());
    const build = async (event, ctx) => {
      folderOf(event, ctx);
      const earlier = builds.get(ctx.runId);
      // A fallback model gets the same prompt again, while a revision is a different prompt in the same run.
      if (earlier && earlier.prompt !== event.prompt) return undefined;
      const { context } =
        earlier ?? keep(builds, ctx.runId ?? Symbol(), { prompt: event.prompt, context: contextOf(event, ctx) });
      const prependContext = await context;
      return prependContext ? { prependContext } : undefined;
    };
    const run = async (event, ctx) => {
      const { failure, denied, outcome, message } = await promptOf(event, ctx);
      prompts.delete(runOf(event, ctx));
      if (failure !== undefined) return denied ? stopped(failure) : undefined;
      return outcome === "block" ? stopped("bridge-hooks", message) : undefined;
    };

    const FINALIZE = "before_agent_finalize";
    const revisions = known("revisions", () => new Map());
    const finalize = async (event, ctx) => {
      const key = runOf(event, ctx);
      const count = revisions.get(key) ?? 0;
      const { action, reason } = await asked(FINALIZE, event, ctx, { continuations: count });
      if (action !== "revise") return undefined;
      if (key) keep(revisions, key, count + 1);
      return { action, reason };
    };

    // How long OpenClaw waits for a hook before the hook counts as failed.
    const timeouts = Object.values(config.hooks ?? {})
      .flat()
      .map((entry) => entry?.timeout);
    const seconds = Math.max(0, ...timeouts.filter(Number.isFinite));
    const budget = { timeoutMs: (seconds + 5) * 1000 };
    const on = (name, handler, options, stop) =>
      attempt(name, () => api.on(name, guarded(name, handler, stop), { ...budget, ...options }));
    attempt("an end handler", () => api.lifecycle?.onDispose?.(end));

    const [RAN, BUILD] = ["after_tool_call", "before_prompt_build"];
    const own = [START, PROMPT, GATE, FINALIZE, RAN, BUILD, "tool_result", "tool_failure"];
    /** OpenClaw rejects a promise from handlers of these events [shipped 2026.9.6]. */
    const SYNCHRONOUS = ["tool_result_persist", "before_message_write"];
    /** Forwards an event without waiting for an answer. */
    const observe = (name) => {
      const tell = guarded(name, (event, ctx) => asked(name, event, ctx));
      return (event, ctx) => void (wants(name) && tell(event, ctx));
    };
    /** Forwards an event under its own name in addition to using it in the plugin. */
    const besides = (name, work) => {
      const tell = observe(name);
      return (event, ctx) => (tell(event, ctx), work(event, ctx));
    };

    if (wants(GATE)) {
      const evaluate = guarded(GATE, policy, blocked);
      attempt("a tool policy", () =>
        api.registerTrustedToolPolicy({ id: "bridge-hooks", description: "bridge-hooks", evaluate }),
      );
      on(GATE, hook, { priority: 1000 }, blocked);
    }
    const results = wants("tool_result") || wants("tool_failure");
    if (results) on(RAN, besides(RAN, after));
    else if (wants(RAN)) on(RAN, observe(RAN));
    if (wants(GATE) || results)
      attempt("a result middleware", () =>
        api.registerAgentToolResultMiddleware(guarded("tool_result", middleware), { runtimes: ["openclaw"] }),
      );
    if (wants(START))
      on(
        START,
        async (event, ctx) => void (await start(event, ctx, { source: event.resumedFrom ? "resume" : "startup" })),
      );
    on(BUILD, besides(BUILD, build));
    if (wants(PROMPT)) on(PROMPT, run, {}, stopped);
    if (wants(FINALIZE)) on(FINALIZE, finalize);
    const INTERNAL = /^(agent|command|gateway|message|session)(:|$)/;
    for (const name of Object.keys(config.hooks ?? {})) {
      if (own.includes(name)) continue;
      const tell = async (event, ctx) => {
        const { block, blockReason, failure, denied, log: message } = await asked(name, event, ctx);
        // OpenClaw sends these messages as the reply to /new and /reset in a chat; only internal events have them.
        if (message && INTERNAL.test(name) && Array.isArray(event.messages)) event.messages.push(message);
        return block || denied ? blocked(blockReason ?? failure) : undefined;
      };
      // Internal events and event families, which an operator's scripts also receive.
      if (INTERNAL.test(name))
        attempt(name, () =>
          api.registerHook(name, guarded(name, tell, blocked), {
            name: `bridge-hooks-${name.replaceAll(":", "-")}`,
            description: "bridge-hooks",
          }),
        );
      else if (SYNCHRONOUS.includes(name)) attempt(name, () => api.on(name, observe(name)));
      else on(name, tell, {}, blocked);
    }
  },
};
export default openclawPlugin;
