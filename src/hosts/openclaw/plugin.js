// OpenClaw's side: what its hooks are told goes to the executable, and what the hooks say becomes what OpenClaw takes.
// `register` must neither throw nor wait: a plugin that fails to load is left out, and the gateway goes on without it.
// A gateway registers a plugin more than once, and calls now the one, now the other: what they know they share.
const shared = (globalThis[Symbol.for("bridge-hooks openclaw")] ??= {});
const known = (name, make) => (shared[name] ??= make());
const openclawPlugin = {
  id: "bridge-hooks",
  name: "bridge-hooks",
  description: "Asks the hooks of bridge-hooks.",
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
        log(`bridge-hooks: OpenClaw did not take ${what}: ${error?.message}; run "bridge-hooks doctor"`);
      }
    };
    const blocked = (blockReason) => ({ block: true, blockReason });
    const stopped = (reason, message = reason) => ({ outcome: "block", reason, message });
    /** A handler whose own errors, whatever a host or a model gave it, end as the policy says: `stop` is its denial, where it has one. */
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
    /** What tells sessions apart; without it nothing is kept, or one would get what is another's. */
    const idOf = (event, ctx) => ctx.sessionKey ?? ctx.sessionId ?? event.sessionKey ?? event.sessionId;
    /** Nothing that is kept grows without end. */
    const keep = (map, key, value) => {
      map.set(key, value);
      if (map.size > 1000) map.delete(map.keys().next().value);
      return value;
    };

    /** Where a session works: not every event says. */
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

    /** What is long, secret or no data. */
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
      // `this` is what the key stands in: an object that it is in itself goes in no further.
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

    /** The answer; never throws. What a policy must see goes as it is. */
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
      // Beside a denial stands the reason, which is told anyway.
      const denied = document?.block || document?.outcome;
      for (const line of [denied ? "" : said, failure, document?.log]) log(line);
      return failure === undefined ? (document ?? {}) : { failure, denied: policy === "deny" };
    };

    // Calls of tools. A policy is asked before all other plugins, and by `openclaw agent exec` too, which calls no hook; the hook
    // is there for a host that does not take the policy.
    const GATE = "before_tool_call";
    const judged = known("judged", () => new Map());
    const contexts = known("contexts", () => new Map());
    const byName = ([one], [other]) => (one < other ? -1 : 1);
    const sorted = (_key, one) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(byName))
        : one;
    /** What tells a call from a changed one; nothing where it can't be told, and then it is asked about again. */
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
      // An approved call gets these laid over its own, so what is to go is named.
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
    /** A policy of somebody else's may have changed the call since. */
    const hook = (event, ctx) => {
      const call = callOf(event);
      const earlier = judged.get(call);
      judged.delete(call);
      return earlier !== undefined && earlier === form(event, event.params) ? undefined : gate(event, ctx);
    };

    // The model reads the result of the call that it made: a tool out of the catalogue is called inside of it, and OpenClaw then
    // shows us the outer result alone.
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
      // What was called inside of it is in its result: where one of them is replaced, nothing else of it is left.
      const outputs = parts.map((one) => one.output).filter((one) => one !== undefined);
      if (append.length === 0 && outputs.length === 0) return undefined;
      const blocks = (texts) => (texts.length > 0 ? [{ type: "text", text: texts.join("\n\n") }] : []);
      const original = Array.isArray(event.result?.content) ? event.result.content : [];
      return {
        result: { ...event.result, content: [...(outputs.length > 0 ? blocks(outputs) : original), ...blocks(append)] },
      };
    };

    // A session's start is not told of every session, and no context is taken then: its first prompt stands for it.
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

    // A prompt can be given context only before it can be stopped, so it is asked about once, and the answer is used twice.
    const PROMPT = "before_agent_run";
    const prompts = known("prompts", () => new Map());
    const runOf = (event, ctx) => {
      const id = idOf(event, ctx);
      return id && ctx.runId && `${id} ${ctx.runId}`;
    };
    /** What was answered to this very prompt: a later one may come by the same name. */
    const promptOf = (event, ctx) => {
      if (!wants(PROMPT)) return {};
      const key = runOf(event, ctx);
      const kept = prompts.get(key);
      // By then the contexts stand in front of it.
      if (kept && String(event.prompt).includes(kept.prompt)) return kept.answer;
      const answer = asked(PROMPT, event, ctx);
      if (key) keep(prompts, key, { prompt: String(event.prompt), answer });
      return answer;
    };
    const contextOf = async (event, ctx) => {
      // Without a name for the run the answer could not be found again.
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
      // Another model gets the same prompt again; a revision comes as another prompt of the same run.
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

    // OpenClaw waits for a hook no longer than this, and counts that as a failure.
    const timeouts = Object.values(config.hooks ?? {})
      .flat()
      .map((entry) => entry?.timeout);
    const seconds = Math.max(0, ...timeouts.filter(Number.isFinite));
    const budget = { timeoutMs: (seconds + 5) * 1000 };
    const on = (name, handler, options, stop) =>
      attempt(name, () => api.on(name, guarded(name, handler, stop), { ...budget, ...options }));
    attempt("to be told of its end", () => api.lifecycle?.onDispose?.(end));

    const [RAN, BUILD] = ["after_tool_call", "before_prompt_build"];
    const own = [START, PROMPT, GATE, FINALIZE, RAN, BUILD, "tool_result", "tool_failure"];
    /** OpenClaw complains of a promise there [shipped 2026.9.6]. */
    const SYNCHRONOUS = ["tool_result_persist", "before_message_write"];
    /** Told, and nobody waits for it. */
    const observe = (name) => {
      const tell = guarded(name, (event, ctx) => asked(name, event, ctx));
      return (event, ctx) => void (wants(name) && tell(event, ctx));
    };
    /** What it hears of for its own use is told by its own name too. */
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
      attempt("a look at results", () =>
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
    for (const name of Object.keys(config.hooks ?? {})) {
      if (own.includes(name)) continue;
      const tell = async (event, ctx) => {
        const { block, blockReason, failure, denied } = await asked(name, event, ctx);
        return block || denied ? blocked(blockReason ?? failure) : undefined;
      };
      // The other kind, which scripts of the operator hear of: families, and their events.
      if (/^(agent|command|gateway|message|session)(:|$)/.test(name))
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
