import { dataBuiltins } from "./builtins-data.ts";
import { listBuiltins } from "./builtins-list.ts";
import { mathBuiltins } from "./builtins-math.ts";
import { textBuiltins } from "./builtins-text.ts";
import { timeBuiltins } from "./builtins-time.ts";
import type { Builtin } from "./frame.ts";
import type { Language } from "./language.ts";
import { olderBuiltins } from "./older-builtins.ts";

/** The builtins without a predicate, by name (expr v1.17.8 builtin/builtin.go). */
const builtinFunctions: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...Object.entries(mathBuiltins),
  ...Object.entries(textBuiltins),
  ...Object.entries(listBuiltins),
  ...Object.entries(dataBuiltins),
  ...Object.entries(timeBuiltins),
]);

const olderFunctions: typeof builtinFunctions = new Map([...builtinFunctions, ...Object.entries(olderBuiltins)]);

/** Returns the builtins without a predicate, by name. */
export function functionsOf(language: Language): ReadonlyMap<string, Builtin> {
  return language === "1.15.5" ? olderFunctions : builtinFunctions;
}
