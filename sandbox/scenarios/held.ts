import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";
import { singleReplica } from "./single-replica.ts";

/**
 * The same as `singleReplica`, for a rollout that Gatehouse holds in the demo: without it, the controller promotes in
 * spite of the Inconclusive run, as `expected` says. Its pause is longer, because a busy machine records late: the hold
 * must be placed before the pause is over.
 */
export const held: Scenario = {
  ...singleReplica,
  key: "held",
  name: "planner",
  image: "registry.internal/platform/planner",
  strategy: {
    ...singleReplica.strategy,
    ...istio("planner"),
    steps: (singleReplica.strategy?.steps ?? []).with(3, { pause: { duration: "28s" } }),
    analysis: { ...analysisOf("planner", "planner-signals"), startingStep: 1 },
  },
  templates: singleReplica.templates.map((template) => ({ ...template, name: "planner-signals" })),
};
