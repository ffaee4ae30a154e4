import {
  anySlice,
  anyType,
  boolType,
  durationType,
  floatType,
  type GoType,
  intType,
  isInteger,
  isList,
  isNumber,
  sameType,
  sliceOf,
  stringType,
  timeType,
} from "./go-type.ts";

/**
 * The checker's information about a node: its type, that it is nil, or nothing (neither field set). `element` refines
 * the element type of a list whose Go type is []any; `returns` is set for predicates. Mirrors expr v1.17.8
 * checker/nature/nature.go `Nature`.
 */
export type Nature = {
  readonly type?: GoType;
  readonly isNil?: true;
  readonly element?: Nature;
  readonly returns?: Nature;
};

export const unknown: Nature = {};
export const nilNature: Nature = { isNil: true };
export const boolNature: Nature = { type: boolType };
export const intNature: Nature = { type: intType };
export const floatNature: Nature = { type: floatType };
export const stringNature: Nature = { type: stringType };
export const durationNature: Nature = { type: durationType };
export const timeNature: Nature = { type: timeType };

export function isUnknown(nature: Nature): boolean {
  return nature.type === undefined ? nature.isNil === undefined : nature.type.kind === "interface";
}

export function describeNature(nature: Nature): string {
  return nature.type?.name ?? "unknown";
}

export function deref(nature: Nature): Nature {
  return nature.type?.kind === "ptr" && nature.type.elem !== undefined ? { type: nature.type.elem } : nature;
}

export function elementOf(nature: Nature): Nature {
  const { type } = nature;
  if (type === undefined) return unknown;
  if (isList(type) && nature.element !== undefined) return nature.element;
  return type.elem === undefined ? unknown : { type: type.elem };
}

/** Makes a list of these elements; its Go type is always []any. */
export function arrayOf(element: Nature): Nature {
  return { type: anySlice, element };
}

/** Returns a list with the Go type that version 1.15.5 gives it: that of its elements. */
export function plainList(list: Nature): Nature {
  return isListNature(list) ? natureOf(sliceOf(elementOf(list).type ?? anyType)) : list;
}

export function isA(nature: Nature, type: GoType): boolean {
  return nature.type !== undefined && sameType(nature.type, type);
}

export function isIntegerNature(nature: Nature): boolean {
  return nature.type !== undefined && isInteger(nature.type);
}

export function isNumberNature(nature: Nature): boolean {
  return nature.type !== undefined && isNumber(nature.type);
}

export function isListNature(nature: Nature): boolean {
  return nature.type !== undefined && isList(nature.type);
}

export function hasKind(nature: Nature, kind: GoType["kind"]): boolean {
  return nature.type?.kind === kind;
}

const nillableKinds: ReadonlySet<string> = new Set(["ptr", "interface", "func", "map", "slice"]);

export function isAssignable(nature: Nature, to: Nature): boolean {
  if (nature.isNil && to.type !== undefined && nillableKinds.has(to.type.kind)) return true;
  if (nature.type === undefined || to.type === undefined) return false;
  return to.type.kind === "interface" || sameType(nature.type, to.type);
}

export function isComparable(left: Nature, right: Nature): boolean {
  if (isUnknown(left) || isUnknown(right) || left.isNil || right.isNil) return true;
  if (isNumberNature(left) && isNumberNature(right)) return true;
  if (isListNature(left) && isListNature(right)) return true;
  return isAssignable(left, right);
}

export type Check = (nature: Nature) => boolean;

export const checks = {
  bool: (nature) => hasKind(nature, "bool"),
  string: (nature) => hasKind(nature, "string"),
  integer: isIntegerNature,
  number: isNumberNature,
  time: (nature) => isA(nature, timeType),
  duration: (nature) => isA(nature, durationType),
} as const satisfies Record<string, Check>;

/** Returns true if an operator may still succeed because one or both sides are unknown until run time. */
export function mayFit(left: Nature, right: Nature, ...allowed: readonly Check[]): boolean {
  const leftUnknown = isUnknown(left);
  const rightUnknown = isUnknown(right);
  if (leftUnknown && rightUnknown) return true;
  if (leftUnknown) return allowed.some((check) => check(right));
  return rightUnknown && allowed.some((check) => check(left));
}

export function promoteNumbers(left: Nature, right: Nature): Nature {
  if (isUnknown(left) || isUnknown(right)) return unknown;
  return isA(left, floatType) || isA(right, floatType) ? floatNature : intNature;
}

/** Returns the nature of a type, which may be any. */
export function natureOf(type: GoType): Nature {
  return { type };
}

export const anyNature: Nature = { type: anyType };
