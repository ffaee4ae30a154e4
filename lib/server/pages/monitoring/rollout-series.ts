import { Gauge, Registry } from "@prometheus-io/client";
import type { LiveRollout, SeriesFacts } from "./read-series-facts.ts";

const place = ["cluster", "namespace", "kind", "name"] as const;
const source = ["cluster", "kind", "namespace"] as const;

export type RolloutSeries = ReturnType<typeof createRolloutSeries>;

/** Creates the series about rollouts, which are made anew for each answer: their labels depend on the caller. */
export function createRolloutSeries() {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    registry,
    rollouts: gauge("gatehouse_rollouts", "Rollouts, with those that have no series of their own.", [
      ...(["cluster", "phase", "team"] as const),
    ]),
    waiting: gauge(
      "gatehouse_rollouts_waiting",
      "Rollouts that wait for a person, with those that have no series of their own. `handling`: `open`, `snoozed` or `answered`.",
      ["cluster", "reason", "team", "handling"],
    ),
    leftOut: gauge(
      "gatehouse_rollouts_left_out",
      "Rollouts without series of their own, because there are more than `limits.rolloutsInMetrics`.",
      [],
    ),
    waitingSince: gauge(
      "gatehouse_rollout_waiting_since_timestamp_seconds",
      "Since when a rollout has waited for a person. Snoozed and answered waits are left out.",
      [...place, "reason", "severity", "team"],
    ),
    weight: gauge(
      "gatehouse_rollout_weight_percent",
      "Share of the traffic for the new version. `of`: `set` by the strategy, or `actual`. Absent if it is not known.",
      [...place, "of"],
    ),
    step: gauge("gatehouse_rollout_step", "Completed steps. Absent without steps.", place),
    steps: gauge("gatehouse_rollout_steps", "Steps of the strategy. Absent without steps.", place),
    lastVerdict: gauge(
      "gatehouse_rollout_last_verdict_timestamp_seconds",
      "When the newest analysis run that has ended did so. `verdict`: `Successful`, `Failed`, `Error` or `Inconclusive`.",
      [...place, "verdict"],
    ),
    findings: gauge("gatehouse_findings", "Findings that are not closed. `state`: `open` or `acknowledged`.", [
      ...(["cluster", "rule", "severity", "state"] as const),
    ]),
    actions: gauge("gatehouse_actions_last_day", "Actions requested in the last 24 hours, by their present state.", [
      ...(["cluster", "action", "state"] as const),
    ]),
    historyBegins: gauge(
      "gatehouse_history_begins_timestamp_seconds",
      "Since when a source has been recorded. Absent before its first list.",
      source,
    ),
    lastContact: gauge(
      "gatehouse_record_last_contact_timestamp_seconds",
      "Up to when the record of a source is known to be complete. Absent without a contact.",
      source,
    ),
  };
}

/** Fills the series. Unknown values have no sample. */
export function fillRolloutSeries(facts: SeriesFacts): Registry {
  const series = createRolloutSeries();
  series.leftOut.set(facts.rollouts.length - facts.named.length);
  for (const { cluster, phase, team, attention_reason: reason, handling } of facts.rollouts) {
    series.rollouts.inc({ cluster, phase, team });
    if (reason !== null && handling !== null) series.waiting.inc({ cluster, reason, team, handling });
  }
  const named = new Map(facts.named.map((rollout) => [rollout.id, rollout]));
  for (const rollout of facts.named) fillOne(series, rollout);
  for (const { id, phase: verdict, at } of facts.verdicts) {
    const rollout = named.get(id);
    if (rollout !== undefined) series.lastVerdict.set({ ...placeOf(rollout), verdict }, secondsOf(at));
  }
  for (const { cluster, rule, severity, is_acknowledged: isAcknowledged, count } of facts.findings)
    series.findings.set({ cluster, rule, severity, state: isAcknowledged ? "acknowledged" : "open" }, count);
  for (const { cluster, action, state, count } of facts.actions) series.actions.set({ cluster, action, state }, count);
  for (const { cluster, kind, namespace, history_begins_at: begin, last_contact: contact } of facts.sources) {
    if (begin !== null) series.historyBegins.set({ cluster, kind, namespace }, secondsOf(begin));
    if (contact !== null) series.lastContact.set({ cluster, kind, namespace }, secondsOf(contact));
  }
  return series.registry;
}

function fillOne(series: RolloutSeries, rollout: LiveRollout): void {
  const { step, step_count: steps, weight_set: set, weight_actual: actual, team } = rollout;
  const { handling, attention_reason: reason, attention_since: since, attention_severity: severity } = rollout;
  const labels = placeOf(rollout);
  if (handling === "open" && reason !== null && since !== null)
    series.waitingSince.set({ ...labels, reason, severity: severity ?? "warning", team }, secondsOf(since));
  if (set !== null) series.weight.set({ ...labels, of: "set" }, set);
  if (actual !== null) series.weight.set({ ...labels, of: "actual" }, actual);
  if (steps > 0) series.steps.set(labels, steps);
  if (steps > 0 && step !== null) series.step.set(labels, step);
}

function placeOf({ cluster, namespace, kind, name }: LiveRollout) {
  return { cluster, namespace, kind, name };
}

function secondsOf(time: Date): number {
  return time.getTime() / 1000;
}
