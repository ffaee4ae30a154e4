import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import type { Rule } from "#lib/domain/oversight/rule.ts";
import { controllerDown } from "./controller-down.ts";
import { knownDefect } from "./known-defect.ts";
import { prowConfigLoadFailing } from "./prow-config-load-failing.ts";
import { prowContextsRetired } from "./prow-contexts-retired.ts";
import { prowPresubmitsCollapsed } from "./prow-presubmits-collapsed.ts";
import { reconcileErrors } from "./reconcile-errors.ts";

/** All rules about controllers. */
export const controllerRules: readonly Rule<ControllerFacts>[] = [
  controllerDown,
  knownDefect,
  reconcileErrors,
  prowPresubmitsCollapsed,
  prowContextsRetired,
  prowConfigLoadFailing,
];
