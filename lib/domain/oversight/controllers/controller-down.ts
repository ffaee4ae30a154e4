import { assessController, type StateReason } from "#lib/domain/controllers/assess-controller.ts";
import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";
import { statusReconciler } from "#lib/domain/prow/components.ts";
import { controllerEvidence } from "./controller-evidence.ts";

/** The reasons that are neither a deliberate choice nor missing knowledge. */
const titles: { readonly [Reason in StateReason]?: string } = {
  "not-answering": "Its metrics endpoint does not answer",
  "no-pods": "None of its pods is ready",
  "probe-failing": "Its probe says that it is not well",
  "not-in-prometheus": "Its metrics are no longer in the Prometheus that had them",
};

/**
 * A new pod is in a Prometheus only after its first scrape there, often a minute later. Until then it is no finding that
 * the old one is gone.
 */
const replacementMs = 180_000;

/** Finds a controller that does not answer, or that cannot be judged any more. */
export const controllerDown: Rule<ControllerFacts> = {
  id: "controller-down",
  about: "controller",
  severity: "critical",
  name: "Controller down or not scraped",
  explanation:
    "Without its controller no rollout moves, no analysis is measured, and an abort has no effect. A controller counts as down if two scrapes in a row fail or none of its pods is ready. If Gatehouse cannot ask, because the Prometheus does not answer or its own credentials are wrong, nothing is known of the controller, and nothing is found.",
  advice: "Look at the controller's pods and logs. Until it is back, expect actions to have no effect.",
  find(facts): Found[] {
    const { state, reason, since } = assessController(facts);
    const title = titles[reason];
    // The probe of status-reconciler reports how its config loads, which has a rule of its own.
    if (title === undefined || (reason === "probe-failing" && facts.component.name === statusReconciler)) return [];
    const awayMs = Date.parse(facts.now) - Date.parse(since ?? facts.now);
    if (reason === "not-in-prometheus" && awayMs < replacementMs) return [];
    const hasNoPods =
      facts.workloads.length > 0 && facts.workloads.every(({ desired, ready }) => desired > 0 && ready === 0);
    return [
      {
        key: "down",
        severity: state === "down" && hasNoPods ? "critical" : "warning",
        title,
        since: since ?? facts.now,
        evidence: [controllerEvidence(facts), ...scrapeEvidence(facts), ...podEvidence(facts)],
      },
    ];
  },
};

/** Leaves out values that change with each scrape: an open finding is stored again only if there is news. */
function scrapeEvidence({ scrape }: ControllerFacts): Evidence[] {
  if (scrape === undefined) return [];
  const { error, probe, lastOkAt } = scrape;
  return [
    ...(error === null ? [] : [{ label: "Scrapes fail", value: error.message }]),
    ...(error === null || lastOkAt === null
      ? []
      : [{ label: "Last successful scrape", value: lastOkAt, at: lastOkAt }]),
    ...(probe?.state === "failing" ? [{ label: "Probe", value: probe.message ?? "it fails", at: probe.since }] : []),
  ];
}

function podEvidence({ workloads }: ControllerFacts): Evidence[] {
  return workloads.map(({ namespace, name, ready, desired }) => ({
    label: "Pods",
    value: `${ready} of ${desired} ready in ${namespace}/${name}`,
  }));
}
