/** The title of our dialogs, and the type of our messages to the model. */
const TITLE = "bridge-hooks";

const joined = (...texts) => texts.filter(Boolean).join("\n\n");
const textBlock = (text) => ({ type: "text", text });
const messageOf = (content) => ({ customType: TITLE, content, display: false });

/** Stores a value and limits the size of the map. */
function keep(map, key, value) {
  map.set(key, value);
  if (map.size > 1000) map.delete(map.keys().next().value);
}

/** Returns undefined if reading throws, as with a field that an old release lacks or a context that pi has replaced. */
function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Changes an object in place, because pi runs the call with this object. */
function become(object, wanted) {
  for (const key of Object.keys(object)) if (!Object.hasOwn(wanted, key)) delete object[key];
  // Assigning to a key such as __proto__ would not define a property.
  const rest = { writable: true, enumerable: true, configurable: true };
  for (const [key, value] of Object.entries(wanted)) Object.defineProperty(object, key, { value, ...rest });
}

/** Fields with the conversation, possible API keys, or values that aren't serializable. */
const LEFT_OUT = [
  "branchEntries",
  "compactionEntry",
  "context",
  "entries",
  "headers",
  "images",
  "message",
  "messages",
  "payload",
  "preparation",
  "signal",
  "summaryEntry",
  "systemPrompt",
  "systemPromptOptions",
  "type",
];
/** Returns the fields of an event that hooks may see. */
function fieldsOf(event) {
  const kept = Object.keys(event ?? {}).filter((key) => !LEFT_OUT.includes(key));
  return attempt(() => JSON.parse(JSON.stringify(Object.fromEntries(kept.map((key) => [key, event[key]]))))) ?? {};
}

/** Removes an image's data. */
const slim = (block) => (block?.type === "image" ? { ...block, data: undefined } : block);

const PATH_TOOLS = ["read", "write", "edit", "grep", "find", "ls"];
const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;
/**
 * Normalizes a path as pi does, without a leading "@" or "file://" and with plain spaces [shipped 1.5.2], so that hooks
 * judge the call that actually runs.
 */
async function writePlainPath({ toolName, input }) {
  if (!PATH_TOOLS.includes(toolName) || typeof input?.path !== "string") return;
  const path = input.path.replace(UNICODE_SPACES, " ").replace(/^@/, "");
  const { fileURLToPath } = path.startsWith("file://") ? await import("node:url") : {};
  const plain = fileURLToPath ? fileURLToPath(path) : path;
  if (plain !== input.path) input.path = plain.startsWith("@") ? `./${plain}` : plain;
}

/** Returns the fields that every event has. */
const describe = (ctx) => ({
  cwd: attempt(() => ctx.cwd) ?? attempt(() => process.cwd()) ?? "",
  session_id: attempt(() => ctx.sessionManager.getSessionId()),
  transcript_path: attempt(() => ctx.sessionManager.getSessionFile()),
  model: attempt(() => `${ctx.model.provider}/${ctx.model.id}`),
  mode: attempt(() => ctx.mode),
});

/** Returns the agent's last message. */
const lastWords = (ctx) =>
  attempt(() =>
    ctx.sessionManager
      .getBranch()
      .findLast(({ type, message }) => type === "message" && message.role === "assistant")
      .message.content.filter(({ type }) => type === "text")
      .map(({ text }) => text)
      .join("\n"),
  );

/**
 * pi calls this function when it starts, and does not start if it throws [seen 1.5.2, 2026-11-27]. So all code that may
 * fail is inside the handlers, and nothing is imported from pi, whose package had another name before 0.74.
 */
export default function bridgeHooks(pi) {
  const [running, told, contexts] = [new Set(), new Set(), new Map()];
  /** Texts for the model at the start of its next run. */
  const prelude = [];
  /** This process's environment variables as they were before a hook changed them. */
  const variables = new Map();
  let latest;
  let start;
  let continuations = 0;

  /** Shows a message in the UI. Without a UI or client, the user reads stderr. */
  function tell(message, ctx = latest) {
    if (!message) return;
    if (attempt(() => (ctx.hasUI ? (ctx.ui.notify(message, "warning"), true) : false))) return;
    console.error(message);
  }
  /** Shows a message once, since it would be repeated on every event. */
  function tellOnce(text) {
    const message = text?.trim();
    if (!message || told.has(message)) return;
    if (told.size > 1000) told.clear();
    told.add(message);
    tell(message);
  }
  const { wants, ask, end, failed } = bridge(config, { log: tellOnce, denies: ({ deny }) => deny !== undefined });

  /** Asks the hooks about an event; returns a document as defined in src/hosts/pi/answers.ts. */
  async function answer(event, ctx, fields) {
    if (!wants(event)) return {};
    const { document, said, failure, policy } = await ask(event, { host: "pi", event, ...describe(ctx), ...fields });
    if (failure !== undefined) {
      if (policy === "deny") return { deny: failure };
      tellOnce(failure);
      return {};
    }
    if (document?.deny === undefined) tellOnce(said);
    tell(document?.message, ctx);
    return document ?? {};
  }

  /** Runs work that no handler waits for. The end of the session waits for it. */
  function later(work) {
    const done = work.catch((error) => tellOnce(`bridge-hooks: ${error?.message}; run "bridge-hooks doctor"`));
    running.add(done);
    done.finally(() => running.delete(done));
    return work;
  }

  /** Shows the user the reason and returns the value that stops the event. */
  function refuse({ deny, message }, ctx, stop) {
    if (deny !== message) tell(deny, ctx);
    return stop;
  }
  const handled = { action: "handled" };

  /** Asks the user a hook's question; returns why the call must not run, or undefined if the user allows it. */
  async function findObjection(question, { toolName }, input, ctx) {
    if (!attempt(() => ctx.hasUI)) return joined(question, "pi can't ask the user here, so the call does not run.");
    const shown = JSON.stringify(input, undefined, 1).slice(0, 2_000);
    const options = { signal: attempt(() => ctx.signal) };
    try {
      if (await ctx.ui.confirm(TITLE, joined(question, `${toolName} ${shown}`), options)) return undefined;
    } catch (error) {
      return joined(question, `The user could not be asked: ${error?.message}`);
    }
    return joined(question, "The user declined this call.");
  }

  /**
   * Stores text for a call's result. If a call runs inside another call, the text goes to the outer result, because a
   * script reads the inner result.
   */
  function addContext({ toolCallId, parentToolCallId }, ...texts) {
    const key = parentToolCallId ?? toolCallId;
    const text = joined(contexts.get(key), ...texts);
    if (text) keep(contexts, key, text);
  }

  function setVariables(env = {}) {
    for (const [name, value] of Object.entries(env)) {
      if (!variables.has(name)) variables.set(name, process.env[name]);
      process.env[name] = value;
    }
  }
  function restoreVariables() {
    for (const [name, value] of variables) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    variables.clear();
  }

  async function begin(event, ctx) {
    const document = await answer("session_start", ctx, fieldsOf(event));
    setVariables(document.env);
    return document;
  }

  /** Forwards an informational event. */
  const observe = (name) => (event, ctx) => void later(answer(name, ctx, fieldsOf(event)));
  /** Creates the handler of an event that the handler may stop. */
  const gate = (name, stop) => async (event, ctx) => {
    const document = await answer(name, ctx, fieldsOf(event));
    return document.deny === undefined ? undefined : refuse(document, ctx, stop(document.deny));
  };
  const cancel = () => ({ cancel: true });
  const replaceOutput = (output) => ({ result: { output, exitCode: 1, cancelled: false, truncated: false } });

  const handlers = {
    session_start: (event, ctx) => {
      start = later(begin(event, ctx));
    },
    input: async (event, ctx) => {
      const { deny, context: first, message } = (await start) ?? {};
      if (deny !== undefined) return refuse({ deny, message }, ctx, handled);
      const { text, source, streamingBehavior, images } = event;
      const fields = { text, source, streamingBehavior, images: images?.length };
      const document = await answer("input", ctx, fields);
      if (document.deny !== undefined) return refuse(document, ctx, handled);
      start = undefined;
      continuations = 0;
      const content = joined(first, document.context);
      // A prompt that queues while the agent works does not start a run.
      if (content && streamingBehavior) pi.sendMessage(messageOf(content), { deliverAs: streamingBehavior });
      else if (content) prelude.push(content);
    },
    before_agent_start: (event, ctx) => {
      if (wants("before_agent_start")) observe("before_agent_start")(event, ctx);
      return prelude.length > 0 ? { message: messageOf(joined(...prelude.splice(0))) } : undefined;
    },
    tool_call: async (event, ctx) => {
      await writePlainPath(event);
      const { toolName, toolCallId, parentToolCallId, input } = event;
      const document = await answer("tool_call", ctx, { toolName, toolCallId, parentToolCallId, input });
      if (document.deny !== undefined) return { block: true, reason: document.deny };
      const objection =
        document.ask === undefined ? undefined : await findObjection(document.ask, event, document.input ?? input, ctx);
      if (objection !== undefined) return { block: true, reason: joined(objection, document.context) };
      if (document.input) become(input, document.input);
      addContext(event, document.context);
    },
    tool_result: async (event, ctx) => {
      const { toolCallId, parentToolCallId, content = [], structuredContent, isError } = event;
      const { context, output } = await answer(isError ? "tool_failure" : "tool_result", ctx, {
        ...fieldsOf(event),
        content: content.map(slim),
      });
      const texts = [contexts.get(toolCallId), context];
      contexts.delete(toolCallId);
      if (parentToolCallId !== undefined) addContext(event, ...texts.splice(0));
      const added = joined(...texts);
      if (output === undefined && !added) return undefined;
      const blocks = output === undefined ? content : [textBlock(output)];
      return {
        content: added ? [...blocks, textBlock(added)] : blocks,
        ...(output === undefined && { structuredContent }),
      };
    },
    agent_before_settle: async (event, ctx) => {
      // After an error the agent did not finish by itself, and it may continue anyway.
      if (event.continue || (event.outcome ?? "completed") !== "completed") return undefined;
      const { go_on } = await answer("agent_before_settle", ctx, {
        outcome: event.outcome,
        last_assistant_message: lastWords(ctx),
        stop_hook_active: continuations > 0,
        continuations,
      });
      continuations = go_on === undefined ? 0 : continuations + 1;
      if (go_on === undefined) return undefined;
      return { entries: [...event.entries, { type: "custom_message", ...messageOf(go_on) }], continue: true };
    },
    session_shutdown: async (event, ctx) => {
      await Promise.allSettled([...running]);
      await answer("session_shutdown", ctx, fieldsOf(event));
      restoreVariables();
      end();
    },
    session_before_compact: gate("session_before_compact", cancel),
    session_before_fork: gate("session_before_fork", cancel),
    session_before_switch: gate("session_before_switch", cancel),
    session_before_tree: gate("session_before_tree", cancel),
    user_bash: gate("user_bash", replaceOutput),
  };
  /** Values that handlers return to stop their event if our own code fails and the policy is to deny. */
  const stops = {
    input: (failure, ctx) => refuse({ deny: failure }, ctx, handled),
    tool_call: (reason) => ({ block: true, reason }),
    user_bash: replaceOutput,
  };

  /** Wraps a handler so that its own errors, whatever pi or a model sent, follow the failure policy. */
  const guarded = (name, work) => async (event, ctx) => {
    latest = ctx;
    try {
      return await work(event, ctx);
    } catch (error) {
      const { failure, policy } = failed(name, error);
      if (policy === "deny" && stops[name]) return stops[name](failure, ctx);
      tellOnce(failure);
    }
  };
  function register(name, work) {
    try {
      pi.on(name, guarded(name, work));
    } catch (error) {
      console.error(`bridge-hooks: pi does not accept a handler for ${name}: ${error?.message}`);
    }
  }

  // Additional events that need a handler: a call's result goes to hooks under two names, and contexts are delivered by
  // the handlers of other events.
  const needs = {
    input: ["session_start"],
    before_agent_start: ["session_start", "input"],
    tool_result: ["tool_failure", "tool_call"],
    session_shutdown: Object.keys(config.hooks ?? {}),
  };
  for (const name of Object.keys(handlers))
    if ([name, ...(needs[name] ?? [])].some(wants)) register(name, handlers[name]);
  // A handler for either of the last two would change pi's behavior.
  const known = [...Object.keys(handlers), "tool_failure", "mcp_servers_change", "project_trust"];
  for (const name of Object.keys(config.hooks ?? {})) if (!known.includes(name)) register(name, observe(name));
}
