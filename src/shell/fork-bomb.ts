import type { Function as FunctionNode, SyntaxNode } from "unbash";

const found = new WeakMap<FunctionNode, boolean>();

/**
 * Whether a function starts itself several times at once whatever happens: `:(){ :|:& }`. What it calls behind `&&` or
 * `||` or in a branch may end.
 */
export function isForkBomb(node: FunctionNode): boolean {
  let known = found.get(node);
  if (known === undefined) found.set(node, (known = startsItselfTwice(node)));
  return known;
}

function startsItselfTwice({ name, body }: FunctionNode): boolean {
  const left: SyntaxNode[] = [body];
  let calls = 0;
  let isConcurrent = false;
  for (let node = left.pop(); node; node = left.pop())
    switch (node.type) {
      case "Command":
        if (node.name?.value === name.value) calls++;
        break;
      case "Pipeline":
        isConcurrent ||= node.commands.length > 1;
        for (const command of node.commands) left.push(command);
        break;
      case "Statement":
        isConcurrent ||= node.background === true;
        left.push(node.command);
        break;
      case "CompoundList":
        for (const command of node.commands) left.push(command);
        break;
      case "AndOr":
        if (node.commands[0]) left.push(node.commands[0]);
        break;
      case "BraceGroup":
      case "Subshell":
      case "While":
      case "For":
      case "ArithmeticFor":
        left.push(node.body);
        break;
      case "Redirected":
        left.push(node.command);
        break;
      default:
    }
  return calls > 1 && isConcurrent;
}
