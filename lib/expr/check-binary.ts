import type { BinaryNode } from "./ast.ts";
import { isExpressionError } from "./errors.ts";
import { anySlice, anyType, byteSlice, intType } from "./go-type.ts";
import {
  arrayOf,
  boolNature,
  type Check,
  checks,
  describeNature,
  durationNature,
  elementOf,
  floatNature,
  hasKind,
  intNature,
  isA,
  isAssignable,
  isComparable,
  isListNature,
  isNumberNature,
  isUnknown,
  mayFit,
  type Nature,
  natureOf,
  nilNature,
  promoteNumbers,
  stringNature,
  timeNature,
  unknown,
} from "./nature.ts";
import type { PatternTally } from "./regex.ts";

type Checked = { readonly nature: Nature } | { readonly error: string };

/**
 * Returns the type of `left operator right`, or upstream's error text. Mirrors expr v1.17.8 checker/checker.go
 * `binaryNode`: an operand of unknown type passes here and is checked again once it has a value.
 */
export function checkBinary(
  node: BinaryNode,
  left: Nature,
  right: Nature,
  patterns: PatternTally,
  isOlder: boolean,
): Checked {
  const special = node.operator === "in" ? checkIn(left, right, isOlder) : checkRegex(node, patterns);
  if (special !== undefined) return special;
  if (isOlder && (node.operator === "==" || node.operator === "!=") && areAlike(left, right)) {
    return { nature: boolNature };
  }
  const nature =
    binaryNature(node.operator, left, right) ??
    (isOlder ? binaryNature(node.operator, asNumber(left), asNumber(right)) : undefined);
  if (nature !== undefined) return { nature };
  return {
    error: `invalid operation: ${node.operator} (mismatched types ${describeNature(left)} and ${describeNature(right)})`,
  };
}

/** Returns whether version 1.15.5 compares values of these types: it asks only for the same kind, or two numbers. */
function areAlike(left: Nature, right: Nature): boolean {
  const kinds = [left.type?.kind, right.type?.kind];
  return kinds[0] === kinds[1] || kinds.every((kind) => numberKinds.has(kind ?? "")) || isComparable(left, right);
}

const numberKinds: ReadonlySet<string> = new Set(["int", "int64", "uint8", "float64"]);

/** Returns the type of a duration as version 1.15.5 checks it, whose operations on it then fail at run time. */
function asNumber(nature: Nature): Nature {
  return nature.type?.isNamed && numberKinds.has(nature.type.kind) ? intNature : nature;
}

function both(left: Nature, right: Nature, check: Check): boolean {
  return check(left) && check(right);
}

function binaryNature(operator: string, left: Nature, right: Nature): Nature | undefined {
  switch (operator) {
    case "==":
    case "!=":
      return isComparable(left, right) ? boolNature : undefined;
    case "or":
    case "||":
    case "and":
    case "&&":
      return both(left, right, checks.bool) || mayFit(left, right, checks.bool) ? boolNature : undefined;
    case "<":
    case ">":
    case ">=":
    case "<=":
      return isOrdered(left, right) ? boolNature : undefined;
    case "+":
    case "-":
    case "*":
      return arithmetic(operator, left, right);
    case "/":
    case "**":
    case "^":
      return both(left, right, isNumberNature) || mayFit(left, right, checks.number) ? floatNature : undefined;
    case "%":
      return both(left, right, checks.integer) || mayFit(left, right, checks.integer) ? intNature : undefined;
    case "..":
      return both(left, right, checks.integer) || mayFit(left, right, checks.integer)
        ? arrayOf(natureOf(intType))
        : undefined;
    case "in":
      return isUnknown(right) || inUnknown(left, right) ? boolNature : undefined;
    case "matches":
    case "contains":
    case "startsWith":
    case "endsWith":
      return isTextual(operator, left, right) ? boolNature : undefined;
    case "??":
      return coalesce(left, right);
    default:
      return undefined;
  }
}

function isOrdered(left: Nature, right: Nature): boolean {
  const ordered = [checks.number, checks.string, checks.time, checks.duration];
  return ordered.some((check) => both(left, right, check)) || mayFit(left, right, ...ordered);
}

function isTextual(operator: string, left: Nature, right: Nature): boolean {
  const isBytes = operator === "matches" && isA(left, byteSlice);
  return (hasKind(right, "string") && (hasKind(left, "string") || isBytes)) || mayFit(left, right, checks.string);
}

function arithmetic(operator: "+" | "-" | "*", left: Nature, right: Nature): Nature | undefined {
  if (both(left, right, isNumberNature)) return promoteNumbers(left, right);
  const { number, string, time, duration } = checks;
  if (operator === "+") {
    if (both(left, right, string)) return stringNature;
    if ((time(left) && duration(right)) || (duration(left) && time(right))) return timeNature;
    if (both(left, right, duration)) return durationNature;
    return mayFit(left, right, number, string, time, duration) ? unknown : undefined;
  }
  if (operator === "-") {
    if (both(left, right, time) || both(left, right, duration)) return durationNature;
    if (time(left) && duration(right)) return timeNature;
    return mayFit(left, right, number, time, duration) ? unknown : undefined;
  }
  const isProduct = (number(left) || duration(left)) && (number(right) || duration(right));
  if (isProduct) return durationNature;
  return mayFit(left, right, number, duration) ? unknown : undefined;
}

function checkIn(left: Nature, right: Nature, isOlder: boolean): Checked | undefined {
  if ((hasKind(left, "string") || isUnknown(left)) && hasKind(right, "struct")) return { nature: boolNature };
  if (right.type?.kind === "map") {
    const key = natureOf(right.type.key ?? anyType);
    if (isUnknown(left) || isAssignable(left, key) || (isOlder && left.isNil)) return { nature: boolNature };
    return { error: `cannot use ${describeNature(left)} as type ${describeNature(key)} in map key` };
  }
  if (isListNature(right)) {
    const element = elementOf(right);
    if (isComparable(left, element) || (isOlder && areAlike(left, element))) return { nature: boolNature };
    return { error: `cannot use ${describeNature(left)} as type ${describeNature(element)} in array` };
  }
  return undefined;
}

function inUnknown(left: Nature, right: Nature): boolean {
  return isUnknown(left) && (hasKind(right, "string") || isListNature(right) || hasKind(right, "map"));
}

/** Compiles a literal pattern now, so that a bad one fails at once. */
function checkRegex(node: BinaryNode, patterns: PatternTally): Checked | undefined {
  if (node.operator !== "matches" || node.right.kind !== "string") return undefined;
  try {
    node.pattern = patterns.compile(node.right.value);
    return undefined;
  } catch (error) {
    if (isExpressionError(error) && error.kind === "runtime") return { error: error.message };
    throw error;
  }
}

function coalesce(left: Nature, right: Nature): Nature {
  if (left.isNil) return right.isNil ? nilNature : right;
  if (right.isNil) return left;
  return isAssignable(right, left) ? left : unknown;
}

/** Returns the type of `c ? a : b`. Version 1.15.5 takes that of the first branch if the second may be anything. */
export function joinBranches(whenTrue: Nature, whenFalse: Nature, isOlder: boolean): Nature {
  if (whenTrue.isNil) return whenFalse;
  if (whenFalse.isNil || (isOlder && isUnknown(whenFalse))) return whenTrue;
  if (!isAssignable(whenTrue, whenFalse)) return unknown;
  if (!isListNature(whenTrue) || !isListNature(whenFalse)) return whenTrue;
  const left = elementOf(whenTrue);
  const right = elementOf(whenFalse);
  return isAssignable(left, right) && isAssignable(right, left) ? whenTrue : natureOf(anySlice);
}
