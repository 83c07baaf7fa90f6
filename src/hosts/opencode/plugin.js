/** Tracks sessions, which are known only from the events that this process receives. */
function sessionsOf() {
  const sessions = new Map();
  const of = (id) => sessions.get(id) ?? sessions.set(id, {}).get(id);
  const rootOf = (id) => {
    for (const seen = new Set(); of(id).parent !== undefined && !seen.has(id); id = of(id).parent) seen.add(id);
    return id;
  };
  return {
    of,
    rootOf,
    forget: (id) => sessions.delete(id),
    roots: () => [...sessions.keys()].filter((id) => of(id).parent === undefined),
  };
}

const joined = (...texts) => texts.filter(Boolean).join("\n\n");

/** Limits the size of a map or set. */
function bounded(kept) {
  if (kept.size > 1000) kept.delete(kept.keys().next().value);
}

/** Changes an object in place, because OpenCode ignores a replacement [seen 1.18.33, 2026-11-21]. */
function become(object, wanted) {
  for (const key of Object.keys(object)) if (!Object.hasOwn(wanted, key)) delete object[key];
  // Assigning to a key such as __proto__ would not define a property.
  const rest = { writable: true, enumerable: true, configurable: true };
  for (const [key, value] of Object.entries(wanted)) Object.defineProperty(object, key, { value, ...rest });
}

/** The title of our messages to the user. */
const TITLE = "bridge-hooks";

/** Removes a part's embedded file. */
const slim = (part) =>
  typeof part?.url === "string" && part.url.startsWith("data:") ? { ...part, url: undefined } : part;

/** Returns a snapshot of the data without the provider, whose options may contain an API key. */
const copied = (value) =>
  JSON.parse(
    JSON.stringify(value, (key, one) => (key === "provider" ? undefined : typeof one === "bigint" ? String(one) : one)),
  );

/** Appends text to a call's result; an MCP tool's result is a list of blocks. */
function append(result, text) {
  if (!text) return;
  if (typeof result.output === "string") result.output = joined(result.output, text);
  else if (Array.isArray(result.content)) result.content.push({ type: "text", text });
}

function replaceResult(result, text) {
  if (text === undefined) return;
  if (Array.isArray(result.content)) result.content = [{ type: "text", text }];
  if (typeof result.output === "string" || !Array.isArray(result.content)) result.output = text;
}

/**
 * OpenCode loads this file and calls its single export. A second export that isn't a function, or an error at the top
 * level or in this function, would silently disable the plugin [seen 1.18.33, 2026-11-22]. So all code that may fail is
 * inside the handlers.
 */
export const BridgeHooks = async ({ client, directory } = {}) => {
  const sessions = sessionsOf();
  const [running, contexts, told, tasks] = [new Set(), new Map(), new Set(), new Set()];
  const words = globalThis.process?.argv ?? [];
  // In other modes, OpenCode's TUI owns the terminal.
  const headless = words.includes("run", 2) && !words.includes("-i") && !words.includes("--interactive");
  let servers = [];
  let closing = false;

  /** Sends a request without waiting, because OpenCode no longer responds while it closes. */
  const send = (request) =>
    void Promise.resolve()
      .then(request)
      .catch(() => {});
  const log = (message) =>
    !closing && send(() => client.app.log({ body: { service: "bridge-hooks", level: "warn", message } }));
  function tell(message) {
    if (!message) return;
    log(message);
    if (headless) console.error(message);
    else if (!closing) send(() => client.tui.showToast({ body: { title: TITLE, message, variant: "warning" } }));
  }
  const { wants, ask, end, failed } = bridge(config, { log, denies: ({ deny }) => deny !== undefined });
  const denials = new WeakSet();
  function denial(text) {
    const error = new Error(text);
    denials.add(error);
    return error;
  }
  /** Shows a failure once, since it would be repeated on every event. */
  function tellOnce(failure) {
    if (!told.has(failure)) tell(failure);
    told.add(failure);
  }

  const STOPPING = ["tool.execute.before", "chat.message", "command.execute.before"];
  /**
   * Wraps a handler so that its own errors, whatever OpenCode or a model sent, follow the failure policy. On events
   * that can be stopped, they may deny.
   */
  const guarded = (event, work) => async (input, output) => {
    try {
      return await work(input, output);
    } catch (error) {
      if (denials.has(error)) throw error;
      const { failure, policy } = failed(event, error);
      if (policy === "deny" && STOPPING.includes(event)) throw new Error(failure);
      tellOnce(failure);
    }
  };

  /** Asks the hooks about a session's event; returns a document as defined in src/hosts/opencode/answers.ts. */
  async function answer(event, session, fields) {
    if (!wants(event)) return {};
    const root = session && sessions.rootOf(session);
    const within = root === session ? {} : { session_id: root, agent_id: session };
    const { document, said, failure, policy } = await ask(event, {
      host: "opencode",
      event,
      cwd: directory,
      ...within,
      ...fields,
    });
    if (said && !document?.deny) log(said);
    if (!failure) {
      tell(document?.message);
      return document ?? {};
    }
    if (policy === "deny") return { deny: failure };
    tellOnce(failure);
    return {};
  }

  /** Runs work that no handler waits for. OpenCode waits for it before it exits. */
  function later(work) {
    const done = work
      .catch((error) => tell(`bridge-hooks: ${error?.message}; run "bridge-hooks doctor"`))
      .finally(() => running.delete(done));
    running.add(done);
    return done;
  }

  /** Starts or resumes a session. OpenCode reports a resumed session only through its next prompt. */
  const begin = (id, properties, more = {}) =>
    (sessions.of(id).start ??= later(answer("session.created", id, { properties, ...more })));

  /** Shows the denial first, because OpenCode tells the user that an error occurred, but not which one. */
  function refuse({ deny, message }) {
    if (deny !== message) tell(deny);
    throw denial(deny);
  }

  /** Adds a part to the user's message that only the model reads. Parts are ordered by id. */
  function addPart({ message, parts }, text) {
    if (!text) return;
    const last = parts.findLast(({ id }) => typeof id === "string")?.id ?? `prt_${Date.now().toString(16)}`;
    parts.push({
      id: `${last}0`,
      sessionID: message.sessionID,
      messageID: message.id,
      type: "text",
      text,
      synthetic: true,
    });
  }

  async function stopped(id, properties) {
    const session = sessions.of(id);
    const { go_on } = await answer("session.idle", id, { properties });
    if (go_on === undefined) return;
    if (headless || closing)
      return tell(
        `bridge-hooks: a hook wants the agent to continue, but "opencode run" ends here; continue the session yourself: ${go_on}`,
      );
    const { agent, model } = session.message ?? {};
    session.own = go_on;
    const parts = [{ type: "text", text: go_on }];
    const { error } = await client.session.promptAsync({ path: { id }, body: { agent, model, parts } });
    if (!error) return;
    delete session.own;
    throw new Error(`the agent could not be continued (${JSON.stringify(error)})`);
  }

  /** Forwards an informational event, whichever release fires it. */
  function observe(event, id, fields) {
    if (wants(event) && !closing) later(answer(event, id, copied(fields)));
  }

  /** Handlers of bus events. OpenCode does not wait for them. */
  const happened = {
    "session.created"({ sessionID, info }) {
      sessions.of(sessionID).parent = info?.parentID ?? undefined;
      if (!info?.parentID) begin(sessionID, { sessionID, info });
    },
    "session.idle"(properties) {
      const session = sessions.of(properties.sessionID);
      // After an error or an interruption by the user, the agent did not finish by itself.
      if (session.parent === undefined && !session.failed) later(stopped(properties.sessionID, properties));
    },
    "session.error"(properties) {
      if (properties.sessionID) sessions.of(properties.sessionID).failed = true;
      later(answer("session.error", properties.sessionID, { properties }));
    },
    "session.deleted"(properties) {
      const session = sessions.of(properties.sessionID);
      session.gone = true;
      const told =
        session.parent === undefined
          ? answer("session.deleted", properties.sessionID, { properties })
          : Promise.resolve();
      later(told.then(() => sessions.forget(properties.sessionID)));
    },
    "message.part.updated"({ part }) {
      if (part?.type !== "tool" || part.state?.status !== "error" || told.has(part.callID)) return;
      told.add(part.callID);
      contexts.delete(part.callID);
      later(answer("message.part.updated", part.sessionID, { properties: { part }, mcp: servers }));
    },
    "session.compacted": (properties) => later(answer("session.compacted", properties.sessionID, { properties })),
    "permission.asked": (properties) => later(answer("permission.asked", properties.sessionID, { properties })),
  };

  const handlers = {
    config: async (settings) => {
      servers = Object.keys(settings?.mcp ?? {});
    },
    "tool.execute.before": async (input, output) => {
      const document = await answer("tool.execute.before", input.sessionID, { input, output, mcp: servers });
      if (document.deny !== undefined) {
        told.add(input.callID);
        throw denial(joined(document.deny, document.context));
      }
      if (document.args) become(output.args, document.args);
      if (document.context) contexts.set(input.callID, document.context);
      if (input.tool === "task") tasks.add(output.args?.prompt);
      [contexts, told, tasks].forEach(bounded);
    },
    "tool.execute.after": async (input, output) => {
      const { context, output: text } = await answer("tool.execute.after", input.sessionID, {
        input,
        output,
        mcp: servers,
      });
      replaceResult(output, text);
      append(output, joined(contexts.get(input.callID), context));
      contexts.delete(input.callID);
    },
    "chat.message": async (input, output) => {
      const id = input.sessionID;
      const session = sessions.of(id);
      // Neither a subagent's task nor the text with which a hook made the agent continue is a prompt from the user.
      const [text, { own }] = [output.parts[0]?.text, session];
      delete session.own;
      if (session.parent !== undefined && tasks.delete(text)) return;
      if (own !== undefined && text === own) return;
      const start = session.parent === undefined ? await begin(id, { sessionID: id }, { resumed: true }) : undefined;
      if (start?.env) session.env = start.env;
      if (start?.deny !== undefined) refuse(start);
      const document = await answer("chat.message", id, {
        input,
        output: { ...output, parts: output.parts.map(slim) },
      });
      if (document.deny !== undefined) refuse(document);
      Object.assign(session, { failed: false, message: output.message, start: Promise.resolve({}) });
      addPart(output, joined(start?.context, document.context));
    },
    "shell.env": async (input, output) => {
      observe("shell.env", input.sessionID, { input, output });
      // A terminal opened by the user belongs to no session.
      if (input.sessionID) Object.assign(output.env, sessions.of(sessions.rootOf(input.sessionID)).env);
    },
    "command.execute.before": async (input, output) => {
      const document = await answer("command.execute.before", input.sessionID, { input, output });
      if (document.deny !== undefined) refuse(document);
      if (document.context) output.parts.push({ type: "text", text: document.context });
    },
    "experimental.session.compacting": async (input, output) => {
      const { context } = await answer("experimental.session.compacting", input.sessionID, { input, output });
      if (context) output.context.push(context);
    },
    "experimental.chat.system.transform": async (input, output) => {
      const { context } = await answer(
        "experimental.chat.system.transform",
        input.sessionID,
        copied({ input, output }),
      );
      if (context) output.system.push(context);
    },
    event: async ({ event }) => {
      const { type, properties } = event;
      if (Object.hasOwn(happened, type)) return happened[type](properties);
      // An event about our own message would cause another one, endlessly.
      if (type === "tui.toast.show" && properties?.title === TITLE) return;
      const { sessionID, info, part } = properties ?? {};
      observe(type, sessionID ?? info?.sessionID ?? part?.sessionID, { properties });
    },
    dispose: async () => {
      closing = true;
      await Promise.allSettled([...running]);
      const open = sessions.roots().filter((id) => !sessions.of(id).gone);
      await Promise.allSettled(open.map((id) => answer("dispose", id, { properties: { sessionID: id } })));
      // A server continues with another instance of this plugin.
      end();
    },
  };
  // Bus event names are not OpenCode hooks, so OpenCode never calls handlers by these names.
  for (const name of Object.keys(config.hooks ?? {}))
    if (!Object.hasOwn(handlers, name))
      handlers[name] = async (input, output) => observe(name, input?.sessionID, { input, output });
  return Object.fromEntries(Object.entries(handlers).map(([event, work]) => [event, guarded(event, work)]));
};
