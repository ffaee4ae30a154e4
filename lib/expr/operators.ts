type Operator = { readonly precedence: number; readonly rightAssociative?: true };

/** Precedences of expr v1.17.8 (parser/operator/operator.go). */
export const unaryOperators: ReadonlyMap<string, Operator> = new Map([
  ["not", { precedence: 50 }],
  ["!", { precedence: 50 }],
  ["-", { precedence: 90 }],
  ["+", { precedence: 90 }],
]);

export const binaryOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["|", { precedence: 0 }],
  ["or", { precedence: 10 }],
  ["||", { precedence: 10 }],
  ["and", { precedence: 15 }],
  ["&&", { precedence: 15 }],
  ["==", { precedence: 20 }],
  ["!=", { precedence: 20 }],
  ["<", { precedence: 20 }],
  [">", { precedence: 20 }],
  [">=", { precedence: 20 }],
  ["<=", { precedence: 20 }],
  ["in", { precedence: 20 }],
  ["matches", { precedence: 20 }],
  ["contains", { precedence: 20 }],
  ["startsWith", { precedence: 20 }],
  ["endsWith", { precedence: 20 }],
  ["..", { precedence: 25 }],
  ["+", { precedence: 30 }],
  ["-", { precedence: 30 }],
  ["*", { precedence: 60 }],
  ["/", { precedence: 60 }],
  ["%", { precedence: 60 }],
  ["**", { precedence: 100, rightAssociative: true }],
  ["^", { precedence: 100, rightAssociative: true }],
  ["??", { precedence: 500 }],
]);

/** Word operators that may follow `not`. */
export const negatableOperators: ReadonlySet<string> = new Set(["contains", "matches", "startsWith", "endsWith", "in"]);

export const comparisonOperators: ReadonlySet<string> = new Set(["<", ">", ">=", "<="]);

export const booleanOperators: ReadonlySet<string> = new Set(["and", "or", "&&", "||"]);
