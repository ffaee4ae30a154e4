import { dataBuiltins } from "./builtins-data.ts";
import { listBuiltins } from "./builtins-list.ts";
import { mathBuiltins } from "./builtins-math.ts";
import { textBuiltins } from "./builtins-text.ts";
import { timeBuiltins } from "./builtins-time.ts";
import type { Builtin } from "./frame.ts";

/** The builtins without a predicate, by name (expr v1.17.8 builtin/builtin.go). */
export const builtinFunctions: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...Object.entries(mathBuiltins),
  ...Object.entries(textBuiltins),
  ...Object.entries(listBuiltins),
  ...Object.entries(dataBuiltins),
  ...Object.entries(timeBuiltins),
]);
