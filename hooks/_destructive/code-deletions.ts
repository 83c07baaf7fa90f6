/** Parts of the names of calls that remove files or folders, in lower case; `rm` is a program's name as well. */
export const DELETING_CALLS: readonly string[] = [
  "rmtree",
  "remove_tree",
  "delete_tree",
  "rm_r",
  "remove_dir",
  "remove_entry",
  "rmsync",
  "rmdir",
  "removesync",
  "emptydir",
  "rimraf",
  "removedirs",
  "fs.rm",
  "fs.remove",
  "fsp.rm",
  "fse.remove",
  "promises.rm",
  "deno.remove",
  "send2trash",
  "os.remove",
  "import remove",
  ", remove",
  "os,remove",
  "file.delete",
  "file.remove",
  "file.rm",
  "dir.delete",
  "unlink",
  "deletedir",
  "deleterecursively",
  "path(",
];

/** Whether a line in lower case may have code in it that removes something. */
export function mayDeleteByCode(plain: string): boolean {
  for (const call of DELETING_CALLS) if (plain.includes(call)) return true;
  return false;
}
