import type { BinaryNode, BuiltinNode, Node } from "./ast.ts";
import { Budget } from "./budget.ts";
import { haveSameType } from "./check-arguments.ts";
import { ExpressionError, positionOf } from "./errors.ts";
import { foldBinary } from "./fold.ts";
import { wrapInt } from "./go-number.ts";
import { boolType, intType, mapOf, stringType } from "./go-type.ts";
import { anyList, GoMap, type GoValue, mapKey } from "./go-value.ts";
import { type Language, newestLanguage } from "./language.ts";
import { booleanOperators } from "./operators.ts";
import { printExpression } from "./print.ts";
import { replaceChildren, someNode } from "./walk.ts";

/**
 * Rewrites a checked tree as expr v1.17.8's optimizer does (optimizer/*.go). The rewrites affect results: an error on
 * the other side of `&& false` disappears, `filter(x, p)[0]` fails with a different message, `sum(1..n)` needs no
 * memory. Rewrites without a visible effect are left out. Throws ExpressionError for `% 0` between literals. Version
 * 1.15.5 has only the first few rewrites.
 */
export function optimize(root: Node, characters: readonly string[], language: Language = newestLanguage): Node {
  const printing = new Budget();
  const isOlder = language === "1.15.5";
  let node = rewrite(root, inLiterals);
  node = foldAll(node, characters);
  for (const pass of [inRange, (each: Node) => filterMap(each, isOlder), filterLength, filterEnd]) {
    node = rewrite(node, pass);
  }
  if (isOlder) return node;
  for (const pass of [(each: Node) => combinePredicates(each, printing), sumRange, sumArray, sumMap, countAny]) {
    node = rewrite(node, pass);
  }
  return rewrite(node, countThreshold);
}

type Pass = (node: Node) => Node;

/** Applies a pass to every node, children first; a node that appears in two places is rewritten once. */
function rewrite(root: Node, pass: Pass): Node {
  const done = new Map<Node, Node>();
  const visit = (node: Node): Node => {
    const known = done.get(node);
    if (known !== undefined) return known;
    replaceChildren(node, visit);
    const result = pass(node);
    if (result !== node && result.nature === undefined) result.nature = node.nature;
    done.set(node, result);
    return result;
  };
  return visit(root);
}

function foldAll(root: Node, characters: readonly string[]): Node {
  let node = root;
  for (let round = 0; round < 1000; round++) {
    let hasChanged = false;
    node = rewrite(node, (candidate) => {
      const folded = foldNode(candidate, characters);
      if (folded === undefined) return candidate;
      hasChanged = true;
      return folded;
    });
    if (!hasChanged) break;
  }
  return node;
}

/** Folds constants; returns undefined if there is nothing to do. */
function foldNode(node: Node, characters: readonly string[]): Node | undefined {
  if (node.kind === "unary") return foldUnary(node.operator, node.node);
  if (node.kind === "binary") {
    const { left, right, operator } = node;
    if (operator === "%" && left.kind === "integer" && right.kind === "integer" && right.value === 0n) {
      throw new ExpressionError("type", "integer divide by zero", positionOf(characters, node.at));
    }
    return foldBinary(node);
  }
  if (node.kind === "builtin") return foldFilters(node);
  if (node.kind !== "array" || node.nodes.length === 0) return undefined;
  const values = node.nodes.map(literalValue);
  if (values.some((value) => value === undefined)) return undefined;
  const items = values.filter((value) => value !== undefined);
  return { kind: "constant", value: anyList(items), at: node.at, height: 1, nature: node.nature };
}

/** Merges a filter of a filter: both predicates run on each element in turn. */
function foldFilters(node: BuiltinNode): Node | undefined {
  const inner = asFilter(node)?.args[0];
  const [list, first] = asFilter(inner)?.args ?? [];
  const [, second] = node.args;
  if (list === undefined || first?.kind !== "predicate" || second?.kind !== "predicate") return undefined;
  const { at, height } = node;
  const both: Node = { kind: "binary", operator: "&&", left: first.node, right: second.node, at, height };
  return { ...node, args: [list, { kind: "predicate", node: both, at, height }] };
}

function literalValue(node: Node): GoValue | undefined {
  const isLiteral = node.kind === "integer" || node.kind === "float" || node.kind === "string" || node.kind === "bool";
  return isLiteral ? node.value : undefined;
}

function foldUnary(operator: string, operand: Node): Node | undefined {
  const { at } = operand;
  if (operator === "-" || operator === "+") {
    const isMinus = operator === "-";
    if (operand.kind === "integer") {
      return { kind: "integer", value: isMinus ? wrapInt(-operand.value) : operand.value, at, height: 1 };
    }
    if (operand.kind === "float") {
      return { kind: "float", value: isMinus ? -operand.value : operand.value, at, height: 1 };
    }
    return undefined;
  }
  return operand.kind === "bool" ? { kind: "bool", value: !operand.value, at, height: 1 } : undefined;
}

/**
 * Turns `x in ["a", "b"]` into a map lookup: a value that is not text then causes an error instead of being absent.
 * Does the same for whole numbers if the type of x is int.
 */
function inLiterals(node: Node): Node {
  if (node.kind !== "binary" || node.operator !== "in" || node.right.kind !== "array") return node;
  const { nodes, at } = node.right;
  const isInt = node.left.nature?.type?.kind === "int";
  const kind = isInt && nodes[0]?.kind === "integer" ? "integer" : "string";
  const keys = nodes.flatMap((item) => (item.kind === kind ? [item.value] : []));
  if (nodes.length === 0 || keys.length !== nodes.length) return node;
  const entries = keys.map((key) => [mapKey(key) ?? "", [key, true]] as const);
  const value = new GoMap(mapOf(kind === "integer" ? intType : stringType, boolType), new Map(entries));
  return { ...node, right: { kind: "constant", value, at, height: 1 } };
}

function inRange(node: Node): Node {
  if (node.kind !== "binary" || node.operator !== "in" || node.left.nature?.type?.kind !== "int") return node;
  const { left, right, at, height } = node;
  if (right.kind !== "binary" || right.operator !== "..") return node;
  if (right.left.kind !== "integer" || right.right.kind !== "integer") return node;
  const compare = (operator: string, bound: Node): Node => ({
    kind: "binary",
    operator,
    left,
    right: bound,
    at,
    height,
  });
  return {
    kind: "binary",
    operator: "and",
    left: compare(">=", right.left),
    right: compare("<=", right.right),
    at,
    height: height + 1,
  };
}

function asFilter(node: Node | undefined): BuiltinNode | undefined {
  return node?.kind === "builtin" && node.name === "filter" && node.args.length === 2 ? node : undefined;
}

/** Merges a map over a filter into the filter, unless the map uses the index; 1.15.5 gives it that of the list. */
function filterMap(node: Node, isOlder: boolean): Node {
  if (node.kind !== "builtin" || node.name !== "map") return node;
  const [list, predicate] = node.args;
  if (list?.kind !== "builtin" || list.name !== "filter" || list.mapTo !== undefined) return node;
  if (predicate?.kind !== "predicate" || (!isOlder && asksForIndex(predicate.node))) return node;
  return { ...list, mapTo: predicate.node, nature: node.nature };
}

function asksForIndex(node: Node): boolean {
  return someNode(node, (each) => isPointer(each, "index"));
}

function filterLength(node: Node): Node {
  if (node.kind !== "builtin" || node.name !== "len" || node.args.length !== 1) return node;
  const filter = asFilter(node.args[0]);
  return filter === undefined ? node : { ...node, name: "count", args: filter.args };
}

/** Makes the first or last match of a filter stop there; with an index, a missing match is an error of its own. */
function filterEnd(node: Node): Node {
  if (node.kind === "member" && !node.optional && node.property.kind === "integer") {
    const filter = asFilter(node.node);
    const { value } = node.property;
    if (filter === undefined || (value !== 0n && value !== -1n)) return node;
    return { ...filter, name: value === 0n ? "find" : "findLast", throws: true, nature: node.nature };
  }
  if (node.kind !== "builtin" || node.args.length !== 1) return node;
  const filter = node.name === "first" || node.name === "last" ? asFilter(node.args[0]) : undefined;
  if (filter === undefined) return node;
  return { ...filter, name: node.name === "first" ? "find" : "findLast", nature: node.nature };
}

const combinations: ReadonlyMap<string, string> = new Map([
  ["all and", "and"],
  ["all &&", "&&"],
  ["any or", "or"],
  ["any ||", "||"],
  ["none and", "or"],
  ["none &&", "||"],
]);

function combinePredicates(node: Node, printing: Budget): Node {
  if (node.kind !== "binary" || !booleanOperators.has(node.operator)) return node;
  const { left, right } = node;
  if (left.kind !== "builtin" || right.kind !== "builtin" || left.name !== right.name) return node;
  const operator = combinations.get(`${left.name} ${node.operator}`);
  const [leftList, leftPredicate] = left.args;
  const [rightList, rightPredicate] = right.args;
  if (operator === undefined || leftPredicate?.kind !== "predicate" || rightPredicate?.kind !== "predicate")
    return node;
  if (leftList === undefined || rightList === undefined || !haveSameType(leftList, rightList)) return node;
  if (printExpression(leftList, printing) !== printExpression(rightList, printing)) return node;
  const { at, height } = node;
  const both: Node = { kind: "binary", operator, left: leftPredicate.node, right: rightPredicate.node, at, height };
  const body = combinePredicates(both, printing);
  return { ...left, args: [leftList, { kind: "predicate", node: body, at, height }], nature: node.nature };
}

/** Folds sums over a range of literals. */
function sumRange(node: Node): Node {
  if (node.kind !== "builtin" || (node.name !== "sum" && node.name !== "reduce")) return node;
  const [list, predicate, initial] = node.args;
  if (list?.kind !== "binary" || list.operator !== "..") return node;
  if (list.left.kind !== "integer" || list.right.kind !== "integer") return node;
  const [from, to] = [list.left.value, list.right.value];
  if (to < from) return node;
  const count = wrapInt(to - from + 1n);
  const sum = wrapInt(count * (from + to)) / 2n;
  const value = node.name === "sum" ? applyToSum(sum, count, predicate) : reduceSum(sum, predicate, initial);
  if (value === undefined) return node;
  return { kind: "integer", value: wrapInt(value), at: node.at, height: 1, nature: node.nature };
}

function isPointer(node: Node, name: string): boolean {
  return node.kind === "pointer" && node.name === name;
}

function reduceSum(sum: bigint, predicate: Node | undefined, initial: Node | undefined): bigint | undefined {
  if (predicate?.kind !== "predicate" || predicate.node.kind !== "binary") return undefined;
  const { left, right, operator } = predicate.node;
  const isSum = (isPointer(left, "") && isPointer(right, "acc")) || (isPointer(left, "acc") && isPointer(right, ""));
  if (operator !== "+" || !isSum) return undefined;
  if (initial === undefined) return sum;
  return initial.kind === "integer" ? initial.value + sum : undefined;
}

function applyToSum(sum: bigint, count: bigint, predicate: Node | undefined): bigint | undefined {
  if (predicate === undefined) return sum;
  if (predicate.kind !== "predicate") return undefined;
  const body = predicate.node;
  if (isPointer(body, "")) return sum;
  if (body.kind !== "binary") return undefined;
  const pointerFirst = isPointer(body.left, "");
  if (!pointerFirst && !isPointer(body.right, "")) return undefined;
  const constant = pointerFirst ? body.right : body.left;
  if (constant.kind !== "integer") return undefined;
  if (body.operator === "*") return constant.value * sum;
  if (body.operator === "+") return sum + count * constant.value;
  if (body.operator !== "-") return undefined;
  return pointerFirst ? sum - count * constant.value : count * constant.value - sum;
}

/** Rewrites `sum([a, b, c])` to add from the right without starting at 0, so it also joins texts. */
function sumArray(node: Node): Node {
  if (node.kind !== "builtin" || node.name !== "sum" || node.args.length !== 1) return node;
  const [list] = node.args;
  if (list?.kind !== "array" || list.nodes.length < 2) return node;
  const { at, height, nature } = node;
  const last = list.nodes.at(-1) ?? node;
  const sum = list.nodes
    .slice(0, -1)
    .reduceRight<Node>((right, left): BinaryNode => ({ kind: "binary", operator: "+", left, right, at, height }), last);
  return { ...sum, nature };
}

function sumMap(node: Node): Node {
  if (node.kind !== "builtin" || node.name !== "sum" || node.args.length !== 1) return node;
  const [list] = node.args;
  return list?.kind === "builtin" && list.name === "map" && list.args.length === 2
    ? { ...node, args: list.args }
    : node;
}

function asCount(node: Node): { count: BuiltinNode; limit: bigint; operator: string } | undefined {
  if (node.kind !== "binary" || node.left.kind !== "builtin" || node.right.kind !== "integer") return undefined;
  const isCount = node.left.name === "count" && node.left.args.length === 2;
  return isCount ? { count: node.left, limit: node.right.value, operator: node.operator } : undefined;
}

function countAny(node: Node): Node {
  const found = asCount(node);
  if (found === undefined) return node;
  const isAny = (found.operator === ">" && found.limit === 0n) || (found.operator === ">=" && found.limit === 1n);
  return isAny ? { ...found.count, name: "any", nature: node.nature } : node;
}

function countThreshold(node: Node): Node {
  const found = asCount(node);
  if (found === undefined || node.kind !== "binary" || found.limit < 0n) return node;
  const isStrict = found.operator === ">=" || found.operator === "<";
  if (!isStrict && found.operator !== ">" && found.operator !== "<=") return node;
  const threshold = Number(found.limit) + (isStrict ? 0 : 1);
  return threshold <= 1 ? node : { ...node, left: { ...found.count, threshold } };
}
