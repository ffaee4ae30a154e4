import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import { sumIncreases } from "#lib/domain/controllers/increases.ts";
import type { Found, Rule } from "#lib/domain/oversight/rule.ts";
import { controllerEvidence } from "./controller-evidence.ts";
import { isStatusReconciler, retirements } from "./prow-series.ts";

/**
 * Finds a status-reconciler whose config does not load. No metric says it: since pull request 628 its liveness probe
 * does. Without a probe it is not available; a probe that nothing answers says nothing.
 */
export const prowConfigLoadFailing: Rule<ControllerFacts> = {
  id: "prow-config-load-failing",
  about: "controller",
  severity: "critical",
  name: "Config does not load",
  explanation:
    "Prow's status-reconciler should stop when its config does not load. Its probe fails then, and Kubernetes starts it again. If contexts are retired nevertheless, it acts on a config that nobody can trust.",
  advice:
    "Stop status-reconciler (scale it to 0) if it goes on retiring contexts. Then repair its config directory; often git-sync could not fetch.",
  find(facts): Found[] {
    const probe = facts.scrape?.probe;
    if (!isStatusReconciler(facts) || facts.scrape === undefined || probe?.state !== "failing") return [];
    // The probe failed at some time after the scrape before.
    const from = Date.parse(probe.since) - facts.scrape.everySeconds * 1000;
    const acted = Math.round(sumIncreases(retirements(facts), from));
    return [
      {
        key: "config-load",
        severity: acted > 0 ? "critical" : "warning",
        title:
          acted > 0 ? `The config does not load, and ${acted} contexts were retired since` : "The config does not load",
        since: probe.since,
        evidence: [
          { label: "Probe", value: probe.message ?? "it fails", at: probe.since },
          { label: "Contexts retired since", value: String(acted) },
          controllerEvidence(facts),
        ],
      },
    ];
  },
};
