import type { Function as FunctionNode, SyntaxNode } from "unbash";

const forkBombCache = new WeakMap<FunctionNode, boolean>();

/**
 * Whether every call of a function starts multiple concurrent copies of it, as in `:(){ :|:& }`. Ignores calls after
 * `&&` or `||` and calls in branches because the recursion may end there.
 */
export function isForkBomb(node: FunctionNode): boolean {
  let isKnownBomb = forkBombCache.get(node);
  if (isKnownBomb === undefined) forkBombCache.set(node, (isKnownBomb = startsItselfTwice(node)));
  return isKnownBomb;
}

function startsItselfTwice({ name, body }: FunctionNode): boolean {
  const pendingNodes: SyntaxNode[] = [body];
  let calls = 0;
  let isConcurrent = false;
  for (let node = pendingNodes.pop(); node; node = pendingNodes.pop()) {
    if (node.type === "Command" && node.name?.value === name.value) calls++;
    if (node.type === "Pipeline") isConcurrent ||= node.commands.length > 1;
    if (node.type === "Statement") isConcurrent ||= node.background === true;
    for (const part of listUnconditionalNodes(node)) pendingNodes.push(part);
  }
  return calls > 1 && isConcurrent;
}

/** Lists the child nodes that always run. */
function listUnconditionalNodes(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case "Pipeline":
    case "CompoundList":
      return node.commands;
    case "AndOr":
      return node.commands.slice(0, 1);
    case "Statement":
    case "Redirected":
      return [node.command];
    case "BraceGroup":
    case "Subshell":
    case "While":
    case "For":
    case "ArithmeticFor":
      return [node.body];
    default:
      return [];
  }
}
