import type { Node } from "./ast.ts";

/** Returns the children of a node in source order. */
export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  replaceChildren(node, (child) => {
    children.push(child);
    return child;
  });
  return children;
}

/** Replaces every child with `replace(child)`. */
export function replaceChildren(node: Node, replace: (child: Node) => Node): void {
  switch (node.kind) {
    case "unary":
    case "chain":
    case "predicate":
      node.node = replace(node.node);
      break;
    case "binary":
      node.left = replace(node.left);
      node.right = replace(node.right);
      break;
    case "member":
      node.node = replace(node.node);
      node.property = replace(node.property);
      break;
    case "slice":
      node.node = replace(node.node);
      if (node.from !== undefined) node.from = replace(node.from);
      if (node.to !== undefined) node.to = replace(node.to);
      break;
    case "call":
      node.callee = replace(node.callee);
      replaceAll(node.args, replace);
      break;
    case "builtin":
      replaceAll(node.args, replace);
      break;
    case "let":
      node.value = replace(node.value);
      node.body = replace(node.body);
      break;
    case "sequence":
    case "array":
      replaceAll(node.nodes, replace);
      break;
    case "conditional":
      node.condition = replace(node.condition);
      node.whenTrue = replace(node.whenTrue);
      node.whenFalse = replace(node.whenFalse);
      break;
    case "pair":
      node.key = replace(node.key);
      node.value = replace(node.value);
      break;
    case "map":
      for (const pair of node.pairs) replaceChildren(pair, replace);
      break;
    default:
      break;
  }
}

function replaceAll(nodes: Node[], replace: (child: Node) => Node): void {
  for (const [index, child] of nodes.entries()) nodes[index] = replace(child);
}

/** Returns true if a node, or one below it, passes the test. Each node is tested once, however often it appears. */
export function someNode(root: Node, test: (node: Node) => boolean): boolean {
  const seen = new Set<Node>();
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (test(node)) return true;
    pending.push(...childrenOf(node));
  }
  return false;
}

const heaviest = 1e9;

/**
 * Returns the most nodes that are evaluated for a node, itself included; one that appears in two places counts twice.
 */
export function weigh(node: Node, known: Map<Node, number> = new Map()): number {
  const weight = known.get(node);
  if (weight !== undefined) return weight;
  const sum = childrenOf(node).reduce((total, child) => total + weigh(child, known), 1);
  known.set(node, Math.min(sum, heaviest));
  return Math.min(sum, heaviest);
}
