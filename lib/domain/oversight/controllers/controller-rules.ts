import { assessController, type StateReason } from "#lib/domain/controllers/assess-controller.ts";
import { type ControllerFacts, defectsOf, ruleSamplesMs, versionOf } from "#lib/domain/controllers/facts.ts";
import { type Increase, sumIncreases } from "#lib/domain/controllers/increases.ts";
import { listIncreases } from "#lib/domain/controllers/list-increases.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";
import { statusReconciler } from "#lib/domain/prow/components.ts";
import { controllerEvidence, formatTime } from "./controller-evidence.ts";
import { prowConfigLoadFailing, prowContextsRetired, prowPresubmitsCollapsed } from "./prow-rules.ts";

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

/** Finds a controller whose version is known to do something wrong. */
export const knownDefect: Rule<ControllerFacts> = {
  id: "controller-known-defect",
  about: "controller",
  severity: "warning",
  name: "Controller version with a known defect",
  explanation:
    "Some controller versions have defects that decide about releases. Gatehouse has a list of them, each with its source. Unknown versions are not judged.",
  advice: "Upgrade the controller, or act as the finding says.",
  find(facts): Found[] {
    return defectsOf(facts).map(({ id, severity, title, advice, source }) => ({
      // A later version with the same defect is another finding: the upgrade was not enough.
      key: `${id} ${versionOf(facts)}`,
      severity,
      title,
      advice,
      since: facts.scrape?.startedAt ?? facts.scrape?.upSince ?? facts.now,
      evidence: [controllerEvidence(facts), { label: "Source", value: source }],
    }));
  },
};

const windowMs = 300_000;
const fewestErrors = 10;
const leastShare = 0.2;

/** Finds a controller that fails at a large part of its work. */
export const reconcileErrors: Rule<ControllerFacts> = {
  id: "controller-reconcile-errors",
  about: "controller",
  severity: "warning",
  name: "Burst of reconcile errors",
  explanation:
    "A controller that fails to reconcile does not move its rollouts, although its pods are ready. Found if at least 10 reconciles fail within five minutes, and at least a fifth of all, if the controller counts all.",
  advice: "Read the controller's log for the objects that it fails at. Often the API server or a webhook refuses it.",
  find(facts): Found[] {
    const { component, now } = facts;
    const since = Date.parse(now) - windowMs;
    const errors = component.series.find(({ shows }) => shows === "errors");
    if (errors === undefined) return [];
    const increases = listRecent(facts, errors.key).flatMap((each) => each.increases);
    const failed = Math.round(sumIncreases(increases, since));
    const all = countWork(facts, since);
    if (failed < fewestErrors || (all !== undefined && failed < all * leastShare)) return [];
    return [
      {
        key: "errors",
        severity: "warning",
        title: `${errors.label}: at least ${fewestErrors} within five minutes`,
        since: formatTime(findBeginning(increases, since)),
        evidence: [
          controllerEvidence(facts),
          { label: errors.label, value: all === undefined ? `${failed}` : `${failed} of ${Math.round(all)}` },
        ],
      },
    ];
  },
};

/**
 * Returns when the errors began that count now: those before belong to them as long as no window without errors is in
 * between. An increase that took longer counts from the window's beginning on.
 */
function findBeginning(increases: readonly Increase[], since: number): number {
  const last = increases.filter(({ value }) => value > 0).toSorted((one, other) => other.to - one.to);
  let beginning = Number.POSITIVE_INFINITY;
  for (const { from, to } of last) {
    if (to <= Math.min(beginning, since + windowMs) - windowMs) break;
    beginning = Math.min(beginning, Math.max(from, to - windowMs));
  }
  return beginning;
}

/** Counts all reconciles; undefined if the controller does not. */
function countWork(facts: ControllerFacts, since: number): number | undefined {
  const work = facts.component.series.find(({ shows, kind }) => shows === "latency" && kind === "histogram");
  const counts = work === undefined ? [] : listRecent(facts, work.key).filter(({ labels }) => labels.of === "count");
  if (counts.length === 0) return undefined;
  return counts.reduce((sum, { increases }) => sum + sumIncreases(increases, since), 0);
}

function listRecent({ samples, now }: ControllerFacts, key: string) {
  return listIncreases(samples, key, { from: Date.parse(now) - ruleSamplesMs.others });
}

/** All rules about controllers. */
export const controllerRules: readonly Rule<ControllerFacts>[] = [
  controllerDown,
  knownDefect,
  reconcileErrors,
  prowPresubmitsCollapsed,
  prowContextsRetired,
  prowConfigLoadFailing,
];
