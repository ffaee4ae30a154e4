import type { RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Found, Rule } from "#lib/domain/oversight/rule.ts";

/**
 * Problems that the rollout's provider reports about its promotion, such as a primary that fails as it takes the
 * version.
 */
export const promotionTrouble: Rule<RolloutFacts> = {
  id: "promotion-trouble",
  about: "rollout",
  severity: "critical",
  name: "Promotion in trouble",
  badge: "Promotion in trouble",
  explanation:
    "The controller promotes, or failed to promote, and what serves the users is not what its status says: the primary is not ready, all traffic is on the canary, or a noted version was never analysed.",
  advice:
    "Read what serves now on the rollout's page before you act. A rollback may send users to pods that are broken.",
  find: ({ troubles, now, observations }) =>
    troubles.map(({ since, advice, ...trouble }): Found => {
      const runKey = observations.at(-1)?.state.runKey ?? "";
      return {
        ...trouble,
        since: since ?? now,
        ...(advice === undefined ? {} : { advice }),
        ...(runKey === "" ? {} : { runKey }),
      };
    }),
};
