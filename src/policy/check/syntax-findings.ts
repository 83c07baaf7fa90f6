import { type Node, parseTree } from "jsonc-parser";
import { type ConfigFinding, FIX_FILE_ADVICE, type UnplacedFinding } from "./finding.ts";

/** Converts a parse error to a finding, taking the position from the error message. */
export function toSyntaxFinding(file: string, error: Error): ConfigFinding {
  const [, line, column, message] = /^:(\d+):(\d+): (.*)$/s.exec(error.message.slice(file.length)) ?? [];
  const plain = error.message.startsWith(file)
    ? error.message.slice(file.length).replace(/^: ?| (?=can't)/, "")
    : error.message;
  return {
    kind: "unreadable",
    level: "red",
    path: "",
    line: Number(line ?? 1),
    column: Number(column ?? 1),
    message: message ?? plain,
    impact: "every hook with settings fails; if it is a project's file, it is ignored instead",
    fix: FIX_FILE_ADVICE,
  };
}

/** Finds repeated keys in JSON. Only the last occurrence counts, but readers may notice only the first. */
export function findRepeatedKeys(text: string): UnplacedFinding[] {
  const plain = text.replace(/^\ufeff/, "");
  const root = parseTree(plain, [], { allowTrailingComma: true });
  const findings: UnplacedFinding[] = [];
  const visit = (node: Node, path: readonly (string | number)[]) => {
    if (node.type === "array") for (const [at, child] of (node.children ?? []).entries()) visit(child, [...path, at]);
    if (node.type !== "object") return;
    const seenNames = new Set<string>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      const name = String(key?.value);
      if (seenNames.has(name))
        findings.push({
          kind: "key-twice",
          level: "red",
          path: [...path, name],
          message: `"${name}" is repeated on line ${plain.slice(0, key?.offset).split("\n").length}`,
          impact: "only the last value applies; all others are ignored",
          fix: "merge the values into one",
        });
      seenNames.add(name);
      if (value) visit(value, [...path, name]);
    }
  };
  if (root) visit(root, []);
  return findings;
}
