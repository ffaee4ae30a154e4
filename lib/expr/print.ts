import type { BuiltinNode, ConditionalNode, MemberNode, Node, SliceNode } from "./ast.ts";
import { Budget } from "./budget.ts";
import { isValidIdentifier } from "./characters.ts";
import { goQuote } from "./go-quote.ts";

/**
 * Prints a syntax tree as source text that parses to the same tree, with parentheses around everything compound. A node
 * that appears in two places is printed twice, so the work is charged.
 */
export function printExpression(node: Node, budget: Budget = new Budget()): string {
  return print(node, budget);
}

function print(node: Node, budget: Budget): string {
  budget.spend(1);
  switch (node.kind) {
    case "nil":
      return "nil";
    case "identifier":
      return node.name;
    case "integer":
    case "bool":
      return String(node.value);
    case "float":
      return printFloat(node.value);
    case "string":
      budget.read(node.value.length);
      return goQuote(node.value);
    case "bytes":
      budget.spend(node.value.length);
      return printBytes(node.value);
    case "constant":
      return "<constant>";
    case "unary":
      return `(${node.operator === "not" ? "not " : node.operator}${print(node.node, budget)})`;
    case "binary":
      return `(${print(node.left, budget)} ${node.operator} ${print(node.right, budget)})`;
    case "chain":
      return print(node.node, budget);
    case "member":
      return printMember(node, budget);
    case "slice":
      return printSlice(node, budget);
    case "call":
      return `${print(node.callee, budget)}(${printAll(node.args, budget)})`;
    case "builtin":
      return printBuiltin(node, budget);
    case "predicate":
      return `{ ${print(node.node, budget)} }`;
    case "pointer":
      return `#${node.name}`;
    case "let":
      return `(let ${node.name} = ${print(node.value, budget)}; ${print(node.body, budget)})`;
    case "sequence":
      return `(${node.nodes.map((each) => print(each, budget)).join("; ")})`;
    case "conditional":
      return printConditional(node, budget);
    case "array":
      return `[${printAll(node.nodes, budget)}]`;
    case "pair":
      return `${printKey(node.key, budget)}: ${print(node.value, budget)}`;
    case "map":
      return `{${printAll(node.pairs, budget)}}`;
  }
}

function printAll(nodes: readonly Node[], budget: Budget): string {
  return nodes.map((each) => print(each, budget)).join(", ");
}

function printFloat(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function printBytes(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return `b"${hex.join("")}"`;
}

/** Prints a base; the grammar allows no postfix on literals without parentheses. */
function printBase(node: Node, budget: Budget): string {
  const isLiteral = node.kind === "integer" || node.kind === "float" || node.kind === "bool" || node.kind === "nil";
  return isLiteral ? `(${print(node, budget)})` : print(node, budget);
}

function printMember({ node, property, optional }: MemberNode, budget: Budget): string {
  const base = printBase(node, budget);
  if (property.kind === "string" && isValidIdentifier(property.value)) {
    return `${base}${optional ? "?." : "."}${property.value}`;
  }
  return `${base}${optional ? "?." : ""}[${print(property, budget)}]`;
}

function printSlice({ node, from, to }: SliceNode, budget: Budget): string {
  const start = from === undefined ? "" : print(from, budget);
  return `${printBase(node, budget)}[${start}:${to === undefined ? "" : print(to, budget)}]`;
}

function printBuiltin({ name, args }: BuiltinNode, budget: Budget): string {
  return `${name}(${printAll(args, budget)})`;
}

function printConditional({ condition, whenTrue, whenFalse }: ConditionalNode, budget: Budget): string {
  return `(${print(condition, budget)} ? ${print(whenTrue, budget)} : ${print(whenFalse, budget)})`;
}

function printKey(key: Node, budget: Budget): string {
  return key.kind === "string" ? goQuote(key.value) : `(${print(key, budget)})`;
}
