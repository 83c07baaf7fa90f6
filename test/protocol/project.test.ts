import { expect, test } from "bun:test";
import { listNamedRoots, listProjectFolders, listSessionRoots } from "../../src/protocol/project.ts";

test("a project's directories begin with the root in which the call runs", () => {
  const list = (cwd: string, ...workspace_roots: string[]) => listProjectFolders({ cwd, workspace_roots });
  expect(list("/a")).toEqual(["/a"]);
  expect(listProjectFolders({ cwd: "/a" })).toEqual(["/a"]);
  expect(list("/a/b", "/a")).toEqual(["/a", "/a/b"]);
  expect(list("/tmp", "/a", "/b")).toEqual(["/a", "/b", "/tmp"]);
  expect(list("/b/c", "/a", "/b")).toEqual(["/b", "/a", "/b/c"]);
  expect(list("/a/b/c", "/a", "/a/b")).toEqual(["/a/b", "/a", "/a/b/c"]);
  expect(list("/ab", "/a")).toEqual(["/a", "/ab"]);
  expect(list("C:\\a\\b", "C:\\a")).toEqual(["C:\\a", "C:\\a\\b"]);
  expect(list("", "/a")).toEqual(["/a"]);
  expect(list("")).toEqual([]);
});

test("a host names its directories in fields and variables, each once and without a trailing slash", () => {
  const traits = { rootFields: ["roots", "root"], rootVariables: ["ROOT"], configFolders: "start" } as const;
  const payload = { roots: ["/a/", "/b", 1, ""], root: "/a", cwd: "/c" };
  expect(listNamedRoots(traits, payload, { ROOT: "/d/" })).toEqual(["/a", "/b", "/d"]);
  expect(listNamedRoots(traits, { root: "/", cwd: "/c" }, { ROOT: "" })).toEqual(["/"]);
  expect(listNamedRoots(traits, { root: "C:\\" }, {})).toEqual(["C:\\"]);
  expect(listNamedRoots(traits, { root: "/..".repeat(20_000) }, {})).toEqual([]);
  expect(listNamedRoots({ configFolders: "start" }, payload, { ROOT: "/d" })).toEqual([]);
  expect(listSessionRoots(traits, payload, {})).toEqual(["/a", "/b"]);
  expect(listSessionRoots(traits, { cwd: "/c" }, {})).toEqual(["/c"]);
  expect(listSessionRoots(traits, {}, {})).toEqual([]);
});
