/** The parts of a URL that a rule can match. */
interface UrlParts {
  scheme: string;
  host: string;
  port: string;
  path: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443", ws: "80", wss: "443", ftp: "21" };

/** Parses a URL the way clients do: without credentials, with a lowercase host, and with `..` resolved in the path. */
function readUrl(text: string): UrlParts | undefined {
  try {
    const { protocol, hostname, port, pathname } = new URL(text.trim());
    const scheme = protocol.slice(0, -1);
    // The engine only decodes the host in URLs whose scheme it knows.
    const host = decodePart(hostname).toLowerCase().replace(/\.$/, "");
    const path = decodePart(pathname).replace(/\/{2,}/g, "/");
    return { scheme, host, port: port || (DEFAULT_PORTS[scheme] ?? ""), path: path || "/" };
  } catch {
    return undefined;
  }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const URL_PARTS_PATTERN = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)?$/i;

/**
 * Compiles a rule's URL pattern, such as `*.corp.example:8080/api/**`, into a predicate. `*.` matches any subdomain.
 * Omitted parts of the pattern match anything.
 */
export function urlPattern(pattern: string): (url: string) => boolean {
  const [, scheme, host = "", port, path] = URL_PARTS_PATTERN.exec(pattern) ?? [];
  const fits = {
    scheme: scheme === undefined ? undefined : (text: string) => text === scheme.toLowerCase(),
    host: host === "*" ? undefined : createHostTest(host.toLowerCase()),
    port: port === undefined ? undefined : (text: string) => text === port,
    path: path === undefined || path === "/**" ? undefined : createPathTest(path),
  };
  return (url) => {
    const read = readUrl(url);
    if (!read) return false;
    for (const part of ["scheme", "host", "port", "path"] as const)
      if (fits[part]?.(read[part]) === false) return false;
    return true;
  };
}

const createHostTest = (host: string) =>
  host.startsWith("*.") ? (text: string) => text.endsWith(host.slice(1)) : (text: string) => text === host;

/** A pattern for a directory's contents also matches the directory itself: `/api/**` matches `/api`. */
function createPathTest(path: string): (text: string) => boolean {
  const glob = new Bun.Glob(path);
  return (text) => glob.match(text) || (path.endsWith("/**") && text.replace(/\/$/, "") === path.slice(0, -3));
}
