import type { Threshold, ThresholdOperator, ThresholdRegion, Thresholds } from "#lib/domain/delivery/explaining.ts";
import type { Node } from "#lib/expr/ast.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import { parseExpression } from "#lib/expr/parser.ts";
import { printExpression } from "#lib/expr/print.ts";
import { someNode } from "#lib/expr/walk.ts";

const mirrored: Readonly<Record<ThresholdOperator, ThresholdOperator>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  "==": "==",
  "!=": "!=",
};

const regions: Readonly<Record<ThresholdOperator, ThresholdRegion>> = {
  "<": "below",
  "<=": "below",
  ">": "above",
  ">=": "above",
  "==": "at",
  "!=": "other",
};

/**
 * Returns the limits that two conditions set, from their syntax trees: comparisons of something that depends on
 * `result` with a number literal, single or joined by and/or. Empty conditions set none and are complete.
 */
export function thresholdsOf(successCondition = "", failureCondition = ""): Thresholds {
  const success = thresholdsIn("success", successCondition);
  const failure = thresholdsIn("failure", failureCondition);
  return {
    thresholds: [...success.thresholds, ...failure.thresholds],
    isComplete: success.isComplete && failure.isComplete,
  };
}

function thresholdsIn(condition: Threshold["condition"], source: string): Thresholds {
  if (source.trim() === "") return { thresholds: [], isComplete: true };
  try {
    return collect(condition, parseExpression(source).root);
  } catch (error) {
    if (isExpressionError(error)) return { thresholds: [], isComplete: false };
    throw error;
  }
}

function collect(condition: Threshold["condition"], node: Node): Thresholds {
  if (node.kind !== "binary") return { thresholds: [], isComplete: false };
  if (["and", "&&", "or", "||"].includes(node.operator)) {
    const left = collect(condition, node.left);
    const right = collect(condition, node.right);
    return {
      thresholds: [...left.thresholds, ...right.thresholds],
      isComplete: left.isComplete && right.isComplete,
    };
  }
  const threshold = comparison(condition, node);
  return { thresholds: threshold === undefined ? [] : [threshold], isComplete: threshold !== undefined };
}

function comparison(condition: Threshold["condition"], node: Extract<Node, { kind: "binary" }>): Threshold | undefined {
  if (!isThresholdOperator(node.operator)) return undefined;
  const right = literal(node.right);
  const number = right ?? literal(node.left);
  const accessed = right === undefined ? node.right : node.left;
  if (number === undefined || !dependsOnResult(accessed)) return undefined;
  const operator = right === undefined ? mirrored[node.operator] : node.operator;
  return {
    condition,
    accessor: printExpression(accessed).replace(/^\((.*)\)$/s, (whole, inner: string) =>
      isBalanced(inner) ? inner : whole,
    ),
    operator,
    ...number,
    inclusive: operator === "<=" || operator === ">=" || operator === "==",
    region: regions[operator],
  };
}

function isThresholdOperator(operator: string): operator is ThresholdOperator {
  return Object.hasOwn(mirrored, operator);
}

/** Reads a number, perhaps with signs before it. */
function literal(node: Node): { readonly value: number; readonly text: string } | undefined {
  if (node.kind === "integer" || node.kind === "float") {
    return { value: Number(node.value), text: node.text ?? String(node.value) };
  }
  if (node.kind !== "unary" || (node.operator !== "-" && node.operator !== "+")) return undefined;
  const inner = literal(node.node);
  if (inner === undefined) return undefined;
  return node.operator === "-" ? { value: -inner.value, text: `-${inner.text}` } : inner;
}

function dependsOnResult(node: Node): boolean {
  return someNode(node, (each) => each.kind === "identifier" && each.name === "result");
}

/** Returns whether a text closes only brackets that it has opened. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}
