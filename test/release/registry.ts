/** Starts an npm registry in this process, with just enough of the API for `publish` and `install`. */
export function startRegistry(): { url: string; host: string; stop: () => void } {
  const packages = new Map<string, any>();
  const tarballs = new Map<string, Uint8Array>();
  const server = Bun.serve({
    // A busy machine might take longer than the default of ten seconds.
    idleTimeout: 255,
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
      if (request.method === "PUT") {
        const { _attachments, ...document } = (await request.json()) as any;
        const before = packages.get(path);
        const [version] = Object.keys(document.versions);
        if (version === undefined) return Response.json({ error: "no version" }, { status: 400 });
        if (before?.versions[version]) return Response.json({ error: "this version is there" }, { status: 409 });
        for (const [name, { data }] of Object.entries<any>(_attachments))
          tarballs.set(name, Buffer.from(data, "base64"));
        // npm names tarballs after the package, including its scope.
        document.versions[version].dist.tarball =
          `${server.url}-/tarballs/${encodeURIComponent(Object.keys(_attachments)[0] ?? "")}`;
        packages.set(path, { ...document, versions: { ...before?.versions, ...document.versions } });
        return Response.json({ ok: true }, { status: 201 });
      }
      const tarball = tarballs.get(path.replace("-/tarballs/", ""));
      if (path.startsWith("-/tarballs/") && tarball) return new Response(Buffer.from(tarball));
      const found = packages.get(path);
      return found ? Response.json(found) : Response.json({ error: "not found" }, { status: 404 });
    },
  });
  return { url: server.url.href, host: server.url.host, stop: () => void server.stop(true) };
}
