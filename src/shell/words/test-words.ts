import type { PipelineNode, TestExpression, Word as Source } from "unbash";
import type { ShellScope } from "../scope.ts";
import { expandSingleWord } from "./words.ts";
import type { Word } from "./word.ts";

/** Lists the words of `[[ … ]]` in order. */
export function listTestWords(node: TestExpression, scope: ShellScope): Word[] {
  const word = (source: Source) => expandSingleWord(source, scope);
  switch (node.type) {
    case "TestUnary":
      return [{ text: node.operator }, word(node.operand)];
    case "TestBinary":
      return [word(node.left), { text: node.operator }, word(node.right)];
    case "TestLogical":
      return node.operands.flatMap((operand, at) => [
        ...(at > 0 ? [{ text: node.operator }] : []),
        ...listTestWords(operand, scope),
      ]);
    case "TestNot":
      return [...node.negations.map(() => ({ text: "!" })), ...listTestWords(node.operand, scope)];
    case "TestGroup":
      return [{ text: "(" }, ...listTestWords(node.expression, scope), { text: ")" }];
  }
}

/** Whether a command is a test, other than one for the existence of a path (`-d`, `-e`). */
export function isTest(node: PipelineNode): boolean {
  if (node.type === "TestCommand")
    return node.expression.type !== "TestUnary" || !/^-[de]$/.test(node.expression.operator);
  if (node.type === "ArithmeticCommand") return true;
  if (node.type !== "Command" || !/^(?:test|\[)$/.test(node.name?.text ?? "")) return false;
  return !node.args.some(({ text }) => /^-[de]$/.test(text));
}
