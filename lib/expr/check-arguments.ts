import type { Node } from "./ast.ts";
import { type GoType, sameType } from "./go-type.ts";
import { deref, describeNature, floatNature, isAssignable, isUnknown, type Nature, natureOf } from "./nature.ts";

/** Returns why a value of this type cannot be passed to a parameter, or undefined. */
export function argumentMisfit(name: string, param: GoType, given: Nature): string | undefined {
  if (given.isNil) {
    if (param.kind === "ptr" || param.kind === "interface") return undefined;
    return `cannot use nil as argument (type ${param.name}) to call ${name}`;
  }
  const to = natureOf(param);
  if (isAssignable(given, to) || isAssignable(deref(given), to) || isUnknown(given)) return undefined;
  return `cannot use ${describeNature(given)} as argument (type ${param.name}) to call ${name} `;
}

/** Returns the name that error texts use for a function. */
export function calleeName(callee: Node): string {
  if (callee.kind === "identifier") return callee.name;
  return callee.kind === "member" && callee.property.kind === "string" ? callee.property.value : "function";
}

/** Turns whole-number literals inside + - * and signs into floats (checker.go `traverseAndReplaceIntegerNodes...`). */
export function toFloatLiterals(node: Node): Node {
  if (node.kind === "integer") {
    return { kind: "float", value: Number(node.value), at: node.at, height: node.height, nature: floatNature };
  }
  if (node.kind === "unary") node.node = toFloatLiterals(node.node);
  if (node.kind === "binary" && ["+", "-", "*"].includes(node.operator)) {
    node.left = toFloatLiterals(node.left);
    node.right = toFloatLiterals(node.right);
  }
  return node;
}

/** Returns true if the checker found the same type for two nodes. */
export function haveSameType(left: Node, right: Node): boolean {
  const [a, b] = [left.nature?.type, right.nature?.type];
  return a === undefined || b === undefined ? a === b : sameType(a, b);
}
