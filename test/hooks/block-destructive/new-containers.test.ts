import { expect, test } from "bun:test";
import { askLine } from "./support.ts";

const ALLOWED = [
  'docker run --rm -v "$PWD/dist":/d busybox find /d -mindepth 1 -delete',
  'docker run --rm -v "$PWD/dist":/w busybox find /w -mindepth 1 -delete',
  "docker run --rm -v ./dist:/w busybox sh -c 'rm -rf /w/*'",
  "docker run --rm alpine rm -rf /",
  "docker run --rm alpine sh -c 'rm -rf /etc && ls'",
  "podman run --rm -it alpine rm -rf /var/lib/apt/lists",
  "docker container run alpine find / -delete",
];
const DENIED = [
  'docker run -v "$PWD":/data alpine rm -rf /data',
  "docker run -v ..:/data alpine rm -rf /data",
  "docker run --rm -v /:/h alpine rm -rf /",
  "docker run --rm -v /srv:/data alpine rm -rf /data",
  "docker run --rm -v /srv:/data alpine rm -rf /",
  "docker run -v /home:/d alpine find /d -delete",
  "docker run --mount type=bind,source=/,target=/host alpine rm -rf /host/srv",
  "docker run -v db:/var/lib/mysql mysql rm -rf /var/lib/mysql",
  "docker run --privileged alpine rm -rf /",
  "docker exec c rm -rf /",
  'docker run --rm -v "$PWD":/w busybox find /w -mindepth 1 -delete',
  "docker run --rm alpine ls && rm -rf /",
  "docker run --rm alpine ls && ssh h rm -rf /",
  "docker run --rm --volumes-from db alpine rm -rf /data /var/lib/mysql",
  "docker compose run web rm -rf /",
  "docker run -v /:/h alpine chroot /h rm -rf /srv",
];

for (const line of ALLOWED)
  test(`a command that deletes only on a new container's disk is allowed: ${line}`, async () =>
    expect(await askLine(line)).toBeUndefined());
for (const line of DENIED)
  test(`a command that deletes data outliving a container is denied: ${line}`, async () =>
    expect((await askLine(line))?.decision).toBe("deny"));
