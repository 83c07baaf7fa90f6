/** The parts of an address that rules look at. */
interface UrlParts {
  scheme: string;
  host: string;
  port: string;
  path: string;
}

const PORTS: Readonly<Record<string, string>> = { http: "80", https: "443", ws: "80", wss: "443", ftp: "21" };

/** Reads an address as clients do: the host behind a user and a password, in small letters, the path without `..`. */
function readUrl(text: string): UrlParts | undefined {
  try {
    const { protocol, hostname, port, pathname } = new URL(text.trim());
    const scheme = protocol.slice(0, -1);
    // Only of schemes that it knows, the engine decodes the host.
    const host = decodePart(hostname).toLowerCase().replace(/\.$/, "");
    const path = decodePart(pathname).replace(/\/{2,}/g, "/");
    return { scheme, host, port: port || (PORTS[scheme] ?? ""), path: path || "/" };
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

const PATTERN = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)?$/i;

/**
 * Compiles the pattern of a rule, `*.corp.example:8080/api/**`, to a test of addresses: `*.` stands for any names before
 * a domain, and what the pattern leaves out may be anything.
 */
export function urlPattern(pattern: string): (url: string) => boolean {
  const [, scheme, host = "", port, path] = PATTERN.exec(pattern) ?? [];
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

/** The path of a folder is one of those that are in it: `/api` fits `/api/**`. */
function createPathTest(path: string): (text: string) => boolean {
  const glob = new Bun.Glob(path);
  return (text) => glob.match(text) || (path.endsWith("/**") && text.replace(/\/$/, "") === path.slice(0, -3));
}
