import type { BinaryNode, Node } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { assertBool, assertInt, assertString, isNil } from "./conversion.ts";
import { type Evaluate, leftOperand } from "./frame.ts";
import { GoInteger, GoList, type GoValue } from "./go-value.ts";
import type { Language } from "./language.ts";
import { type CompiledRegex, compileRegex, matchesRegex } from "./regex.ts";
import { isIn, range } from "./runtime-access.ts";
import {
  add,
  type Comparison,
  compare,
  divide,
  equal,
  equalDeeply,
  equalTexts,
  modulo,
  multiply,
  power,
  subtract,
} from "./runtime-operators.ts";
import { firstIndexOf } from "./search-text.ts";

type Operation = (left: GoValue, right: GoValue, budget: Budget) => GoValue;

const operations: Readonly<Partial<Record<string, Operation>>> = {
  "==": equal,
  "!=": (left, right, budget) => !equal(left, right, budget),
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": modulo,
  "**": power,
  "^": power,
  "..": range,
  in: isIn,
  matches: (left, right, budget) => matches(left, right, budget),
  contains: textual((text, part, budget) => firstIndexOf(text, part, budget) >= 0),
  startsWith: textual((text, part) => text.startsWith(part)),
  endsWith: textual((text, part) => text.endsWith(part)),
};

/** Where expr v1.15.5 differs: lists of different types are never equal, and nil is no text. */
const olderOperations: typeof operations = {
  ...operations,
  "==": equalDeeply,
  "!=": (left, right, budget) => !equalDeeply(left, right, budget),
  in: (left, right, budget) => isIn(left, right, budget, equalDeeply),
  matches: (left, right, budget) => matches(assertString(left), assertString(right), budget),
  contains: ofTexts(operations.contains),
  startsWith: ofTexts(operations.startsWith),
  endsWith: ofTexts(operations.endsWith),
};

/** Compiles `left operator right` from its compiled sides. */
export function compileBinary(node: BinaryNode, left: Evaluate, right: Evaluate, language: Language): Evaluate {
  const { operator, at } = node;
  switch (operator) {
    case "and":
    case "&&":
      return (frame) => {
        const value = left(frame);
        frame.at = at;
        return assertBool(value) ? right(frame) : false;
      };
    case "or":
    case "||":
      return (frame) => {
        const value = left(frame);
        frame.at = at;
        return assertBool(value) ? true : right(frame);
      };
    case "??":
      return (frame) => {
        const value = left(frame);
        return isNil(value) ? right(frame) : value;
      };
    case "<":
    case ">":
    case "<=":
    case ">=":
      return compileComparison({ operator, node, left, right });
    default:
      return compileOperation(node, left, right, language === "1.15.5");
  }
}

function compileOperation(node: BinaryNode, left: Evaluate, right: Evaluate, isOlder: boolean): Evaluate {
  const { operator, at, pattern } = node;
  if (pattern !== undefined) return constantMatch({ regex: pattern, left, at, isOlder });
  const isTyped = !isOlder || operator === "==";
  const operation = (isTyped ? typedEquality(node) : undefined) ?? (isOlder ? olderOperations : operations)[operator];
  if (operation === undefined) throw new Error(`operator ${operator} has no implementation`);
  return (frame) => {
    const value = left(frame);
    const mark = frame.leftovers.length;
    const rightValue = right(frame);
    const leftValue = leftOperand(frame, value, mark);
    frame.at = at;
    return operation(leftValue, rightValue, frame.budget);
  };
}

/**
 * Compiles equality of two operands whose types are int or string. Upstream does not check them again, so a nil (an
 * element that was not found) is an error here (compiler/compiler.go `equalBinaryNode`).
 */
function typedEquality({ operator, left, right }: BinaryNode): Operation | undefined {
  const [leftType, rightType] = [left.nature?.type, right.nature?.type];
  if ((operator !== "==" && operator !== "!=") || leftType?.isNamed || rightType?.isNamed) return undefined;
  if (leftType?.kind !== rightType?.kind) return undefined;
  const isEqual = operator === "==";
  if (leftType?.kind === "int") return (a, b) => (assertInt(a) === assertInt(b)) === isEqual;
  if (leftType?.kind !== "string") return undefined;
  return (a, b, budget) => equalTexts(assertString(a), assertString(b), budget) === isEqual;
}

/** Compiles a comparison. Against a literal number, the float case is decided at compile time. */
function compileComparison(input: {
  readonly operator: Comparison;
  readonly node: BinaryNode;
  readonly left: Evaluate;
  readonly right: Evaluate;
}): Evaluate {
  const { operator, node, left, right } = input;
  const limit = literalNumber(node.right);
  const { at } = node;
  if (limit !== undefined) {
    const decide = floatComparisons[operator];
    return (frame) => {
      const value = left(frame);
      if (typeof value === "number") return decide(value, limit);
      frame.at = at;
      return compare(operator, value, right(frame), frame.budget);
    };
  }
  return (frame) => {
    const value = left(frame);
    const mark = frame.leftovers.length;
    const rightValue = right(frame);
    const leftValue = leftOperand(frame, value, mark);
    frame.at = at;
    return compare(operator, leftValue, rightValue, frame.budget);
  };
}

const floatComparisons: Readonly<Record<Comparison, (left: number, right: number) => boolean>> = {
  "<": (left, right) => left < right,
  ">": (left, right) => left > right,
  "<=": (left, right) => left <= right,
  ">=": (left, right) => left >= right,
};

/** Returns a literal as a float: Go converts an int to a float before it compares the two. */
function literalNumber(node: Node): number | undefined {
  return node.kind === "float" || node.kind === "integer" ? Number(node.value) : undefined;
}

function textual(test: (text: string, part: string, budget: Budget) => boolean): Operation {
  return (left, right, budget) => {
    if (isNil(left) || isNil(right)) return false;
    const [text, part] = [assertString(left), assertString(right)];
    budget.text(text.length);
    budget.read(part.length);
    return test(text, part, budget);
  };
}

function ofTexts(operation: Operation | undefined): Operation {
  return (left, right, budget) => operation?.(assertString(left), assertString(right), budget) ?? false;
}

function constantMatch(match: {
  readonly regex: CompiledRegex;
  readonly left: Evaluate;
  readonly at: number;
  readonly isOlder: boolean;
}): Evaluate {
  const { regex, left, at, isOlder } = match;
  return (frame) => {
    const value = left(frame);
    frame.at = at;
    if (isOlder) assertString(value);
    return isNil(value) ? false : matchesRegex(regex, textOf(value, frame.budget), frame.budget);
  };
}

function matches(left: GoValue, right: GoValue, budget: Budget): boolean {
  if (isNil(left) || isNil(right)) return false;
  const text = textOf(left, budget);
  const source = assertString(right);
  const regex = compileRegex(source);
  budget.spend(300 + source.length * 40 + regex.size * 40);
  return matchesRegex(regex, text, budget);
}

/** Returns the text for `matches`, which also takes bytes. */
function textOf(value: GoValue, budget: Budget): string {
  if (value instanceof GoList && value.type.elem?.kind === "uint8") {
    budget.spend(value.items.length);
    const bytes = value.items.map((item) => (item instanceof GoInteger ? Number(item.value) : 0));
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
  return assertString(value);
}
