import { goQuote } from "../go-quote.ts";
import type { BuiltinNode, MemberNode, Node, SliceNode } from "./ast.ts";
import { isValidIdentifier } from "./characters.ts";

/** Writes a syntax tree as source text that parses to the same tree; everything compound stands in parentheses. */
export function printExpression(node: Node): string {
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
      return goQuote(node.value);
    case "bytes":
      return printBytes(node.value);
    case "constant":
      return "<constant>";
    case "unary":
      return `(${node.operator === "not" ? "not " : node.operator}${printExpression(node.node)})`;
    case "binary":
      return `(${printExpression(node.left)} ${node.operator} ${printExpression(node.right)})`;
    case "chain":
      return printExpression(node.node);
    case "member":
      return printMember(node);
    case "slice":
      return printSlice(node);
    case "call":
      return `${printExpression(node.callee)}(${printAll(node.args)})`;
    case "builtin":
      return printBuiltin(node);
    case "predicate":
      return `{ ${printExpression(node.node)} }`;
    case "pointer":
      return `#${node.name}`;
    case "let":
      return `(let ${node.name} = ${printExpression(node.value)}; ${printExpression(node.body)})`;
    case "sequence":
      return `(${node.nodes.map(printExpression).join("; ")})`;
    case "conditional":
      return printConditional(node.condition, node.whenTrue, node.whenFalse);
    case "array":
      return `[${printAll(node.nodes)}]`;
    case "pair":
      return `${printKey(node.key)}: ${printExpression(node.value)}`;
    case "map":
      return `{${printAll(node.pairs)}}`;
  }
}

function printAll(nodes: readonly Node[]): string {
  return nodes.map(printExpression).join(", ");
}

function printFloat(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function printBytes(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return `b"${hex.join("")}"`;
}

/** Literals take no postfix in the grammar unless they stand in parentheses. */
function printBase(node: Node): string {
  const isLiteral = node.kind === "integer" || node.kind === "float" || node.kind === "bool" || node.kind === "nil";
  return isLiteral ? `(${printExpression(node)})` : printExpression(node);
}

function printMember({ node, property, optional }: MemberNode): string {
  const base = printBase(node);
  if (property.kind === "string" && isValidIdentifier(property.value)) {
    return `${base}${optional ? "?." : "."}${property.value}`;
  }
  return `${base}${optional ? "?." : ""}[${printExpression(property)}]`;
}

function printSlice({ node, from, to }: SliceNode): string {
  const start = from === undefined ? "" : printExpression(from);
  return `${printBase(node)}[${start}:${to === undefined ? "" : printExpression(to)}]`;
}

function printBuiltin({ name, args }: BuiltinNode): string {
  return `${name}(${printAll(args)})`;
}

function printConditional(condition: Node, whenTrue: Node, whenFalse: Node): string {
  return `(${printExpression(condition)} ? ${printExpression(whenTrue)} : ${printExpression(whenFalse)})`;
}

function printKey(key: Node): string {
  return key.kind === "string" ? goQuote(key.value) : `(${printExpression(key)})`;
}
