export type Kind =
  | "bool"
  | "int"
  | "int64"
  | "uint8"
  | "float64"
  | "string"
  | "slice"
  | "array"
  | "map"
  | "struct"
  | "func"
  | "interface"
  | "ptr";

/**
 * A Go type, as far as conditions use them. `name` is what reflect prints and decides identity. `isNamed` types
 * (time.Duration) are not builtin numbers, although their kind is.
 */
export type GoType = {
  readonly kind: Kind;
  readonly name: string;
  readonly isNamed?: true;
  readonly elem?: GoType;
  readonly key?: GoType;
  readonly fields?: ReadonlyMap<string, GoType>;
  readonly params?: readonly GoType[];
  readonly result?: GoType;
  readonly isVariadic?: boolean;
};

export const anyType: GoType = { kind: "interface", name: "interface {}" };
export const boolType: GoType = { kind: "bool", name: "bool" };
export const intType: GoType = { kind: "int", name: "int" };
export const int64Type: GoType = { kind: "int64", name: "int64" };
export const uint8Type: GoType = { kind: "uint8", name: "uint8" };
export const floatType: GoType = { kind: "float64", name: "float64" };
export const stringType: GoType = { kind: "string", name: "string" };
export const durationType: GoType = { kind: "int64", name: "time.Duration", isNamed: true };
export const monthType: GoType = { kind: "int", name: "time.Month", isNamed: true };
export const weekdayType: GoType = { kind: "int", name: "time.Weekday", isNamed: true };
export const timeType: GoType = { kind: "struct", name: "time.Time", isNamed: true, fields: new Map() };
export const locationType: GoType = {
  kind: "ptr",
  name: "*time.Location",
  elem: { kind: "struct", name: "time.Location", isNamed: true, fields: new Map() },
};

export function sliceOf(elem: GoType): GoType {
  return { kind: "slice", name: `[]${elem.name}`, elem };
}

export function mapOf(key: GoType, elem: GoType): GoType {
  return { kind: "map", name: `map[${key.name}]${elem.name}`, key, elem };
}

export function funcOf(params: readonly GoType[], result: GoType, isVariadic = false): GoType {
  const names = params.map((param, index) =>
    isVariadic && index === params.length - 1 ? `...${param.elem?.name ?? ""}` : param.name,
  );
  return { kind: "func", name: `func(${names.join(", ")}) ${result.name}`, params, result, isVariadic };
}

export const anySlice = sliceOf(anyType);
export const floatSlice = sliceOf(floatType);
export const intSlice = sliceOf(intType);
export const stringSlice = sliceOf(stringType);
export const byteSlice = sliceOf(uint8Type);
export const stringMap = mapOf(stringType, anyType);
export const anyMap = mapOf(anyType, anyType);
export const groupMap = mapOf(anyType, anySlice);
/** Result type of `toPairs`: arrays of two. */
export const pairType: GoType = { kind: "array", name: "[2]interface {}", elem: anyType };
export const pairSlice = sliceOf(pairType);
/** The part of cloudWatch's result that a recorded value retains. */
export const metricDataResult: GoType = {
  kind: "struct",
  name: "types.MetricDataResult",
  isNamed: true,
  fields: new Map([["Values", floatSlice]]),
};

export function sameType(left: GoType, right: GoType): boolean {
  return left === right || left.name === right.name;
}

export function isInteger(type: GoType): boolean {
  return type.isNamed === undefined && (type.kind === "int" || type.kind === "int64" || type.kind === "uint8");
}

export function isNumber(type: GoType): boolean {
  return type.kind === "float64" || isInteger(type);
}

export function isList(type: GoType): boolean {
  return type.kind === "slice" || type.kind === "array";
}
