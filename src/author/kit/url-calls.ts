import { type AnyEvent, isToolCallEvent } from "../../protocol/event.ts";
import { shellCall } from "../../protocol/shell-call.ts";
import { commands } from "../../shell/index.ts";
import { listRequests, type UrlRequest } from "../../shell/programs/requests.ts";

/** Tool arguments that contain a URL. */
const URL_ARGUMENT = /^(?:\w*[_-])?(?:urls?|uri|href|endpoint|address)$/i;
const MAX_URLS = 200;

/**
 * Lists the requests that a call would send: the URL that a tool fetches, and the requests of HTTP clients in a shell
 * command (`curl`, `wget`, `http`, `Invoke-WebRequest`, …). Redirects from a server can't be known in advance.
 */
export function urlCalls(event: AnyEvent): readonly UrlRequest[] {
  if (!isToolCallEvent(event)) return [];
  const shell = shellCall(event);
  const commandRequests = shell ? commands(shell).flatMap((command) => listRequests(command)) : [];
  if (event.tool === "WebFetch") return [...commandRequests, { url: event.input.url, method: getMethod(event.input) }];
  if (event.tool !== "MCP" && event.tool !== "Other") return commandRequests;
  const args = event.tool === "MCP" ? event.input.arguments : event.input;
  return [...commandRequests, ...listArgumentUrls(args)];
}

const getMethod = (input: object): string => {
  const { method } = input as { method?: unknown };
  return typeof method === "string" ? method.toUpperCase() : "GET";
};

const listArgumentUrls = (args: Readonly<Record<string, unknown>>): UrlRequest[] =>
  Object.entries(args)
    .flatMap(([name, value]) => (URL_ARGUMENT.test(name) ? [value].flat() : []))
    .flatMap((url) => (typeof url === "string" && /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? [url] : []))
    .slice(0, MAX_URLS)
    .map((url) => ({ url, method: getMethod(args) }));
