import type { BinaryNode, Node } from "./ast.ts";
import { wrapInt } from "./go-number.ts";
import { power } from "./runtime-operators.ts";

/** Returns the literal result of an operation on two literals, or the rest of an `and`/`or` with a constant side. */
export function foldBinary(node: BinaryNode): Node | undefined {
  const { operator, left, right } = node;
  if (operator === "and" || operator === "&&") return foldLogic(node, true);
  if (operator === "or" || operator === "||") return foldLogic(node, false);
  if (left.kind === "string" && right.kind === "string") return foldStrings(node, left.value, right.value);
  if (left.kind === "bool" && right.kind === "bool" && operator === "==") return bool(node, left.value === right.value);
  const isNumber = (side: Node): side is Extract<Node, { kind: "integer" | "float" }> =>
    side.kind === "integer" || side.kind === "float";
  return isNumber(left) && isNumber(right) ? foldNumbers(node, left.value, right.value) : undefined;
}

/** Folds `true and x` to x whatever x would have done; folds `x and false` to false without evaluating x. */
function foldLogic(node: BinaryNode, neutral: boolean): Node | undefined {
  const { left, right } = node;
  if (left.kind === "bool" && left.value === neutral) return withNature(right, node);
  if (right.kind === "bool" && right.value === neutral) return withNature(left, node);
  return left.kind === "bool" || right.kind === "bool" ? bool(node, !neutral) : undefined;
}

function withNature(kept: Node, { nature }: BinaryNode): Node {
  return { ...kept, nature };
}

function bool({ at }: BinaryNode, value: boolean): Node {
  return { kind: "bool", value, at, height: 1 };
}

function foldStrings(node: BinaryNode, left: string, right: string): Node | undefined {
  if (node.operator === "==") return bool(node, left === right);
  if (node.operator !== "+") return undefined;
  return { kind: "string", value: left + right, at: node.at, height: 1 };
}

function foldNumbers(node: BinaryNode, left: bigint | number, right: bigint | number): Node | undefined {
  const { at, operator } = node;
  if (typeof left === "bigint" && typeof right === "bigint") {
    if (operator === "==") return bool(node, left === right);
    const value = foldIntegers(operator, left, right);
    if (value !== undefined) return { kind: "integer", value: wrapInt(value), at, height: 1 };
  }
  const value = foldFloats(operator, Number(left), Number(right));
  return value === undefined ? undefined : { kind: "float", value, at, height: 1 };
}

function foldIntegers(operator: string, left: bigint, right: bigint): bigint | undefined {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  return operator === "%" ? left % right : undefined;
}

function foldFloats(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "**":
    case "^":
      return power(left, right);
    default:
      return undefined;
  }
}
