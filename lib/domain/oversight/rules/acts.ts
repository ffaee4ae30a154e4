import { entryOf } from "#lib/domain/acting/action-catalogue.ts";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { isGitOpsManager } from "#lib/domain/kube/find-field-holders.ts";
import { findEndByAge, findEndOfConcern, nameVersion } from "#lib/domain/oversight/end-of-concern.ts";
import type { ChangeAction } from "#lib/domain/oversight/provider-reports.ts";
import type { FactAct, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";

/** An action was sent, and its effect has not been seen by its deadline. */
export const actionWithoutEffect: Rule<RolloutFacts> = {
  id: "action-without-effect",
  about: "rollout",
  severity: "warning",
  name: "Action without effect",
  explanation:
    "The cluster accepted an action, but the controller has not done what was asked. It may be down, refuse the spec, or have ignored the request.",
  advice: "Look at the rollout's state and the controller. Do not repeat the action before you know why.",
  find: (facts) =>
    facts.actions
      .filter(({ state, effectWhy }) => state === "not-effective" && effectWhy !== "superseded")
      .map(({ id, action, label, requestedAt, actor, auditSeq }): Found => {
        const later = facts.actions.find(
          (other) => other.action === action && other.state === "effective" && other.requestedAt > requestedAt,
        );
        const over =
          later === undefined
            ? findEndByAge(facts, requestedAt)
            : { at: later.requestedAt, why: "It was asked for again, and took effect." };
        const link: Pick<Evidence, "link"> = auditSeq === null ? {} : { link: { to: "audit", seq: auditSeq } };
        const evidence = [{ label: "Asked for", value: `${label} by ${actor}`, at: requestedAt, ...link }];
        const title = `${label} has had no effect`;
        return { key: id, severity: "warning", title, since: requestedAt, evidence, ...(over && { over }) };
      }),
};

/** How serious it is if somebody does this without Gatehouse. Others are ordinary work. */
const outside: Readonly<Partial<Record<ChangeAction, "info" | "warning">>> = {
  abort: "info",
  undo: "info",
  rollback: "info",
  "skip-step": "warning",
  "skip-all": "warning",
  "promote-full": "warning",
  "skip-analysis": "warning",
  "accept-step": "warning",
  "continue-waive": "warning",
};

/** Somebody aborted, promoted, undid or skipped without Gatehouse, and so without its guards. */
export const outOfBandAct: Rule<RolloutFacts> = {
  id: "out-of-band-act",
  about: "rollout",
  severity: "warning",
  name: "Acted on outside Gatehouse",
  explanation:
    "A person or program aborted, undid, promoted or skipped in the cluster itself, without the guards, reason and approval that Gatehouse requires. A return to an earlier version from Git by Argo CD or Flux does not count.",
  advice:
    "Ask who did it and why. The audit log has the same facts, with the person if API server audit events are set up.",
  find: (facts) =>
    facts.acts.flatMap((act) => {
      const severity = outside[act.action];
      const isFromGit = act.action === "undo" && isGitOpsManager(act.client);
      return severity === undefined || isFromGit ? [] : [describeAct(act, severity, facts)];
    }),
};

function describeAct(
  { action, client, at, auditSeq }: FactAct,
  severity: "info" | "warning",
  facts: RolloutFacts,
): Found {
  const { label } = entryOf(action);
  const state = facts.observations.findLast(({ observedAt }) => Date.parse(observedAt) <= Date.parse(at))?.state;
  const runKey = state?.runKey;
  const isBack = action === "abort" || action === "undo" || action === "rollback";
  // Going back ends the release, so the act matters until the next one begins.
  const over =
    runKey === undefined || isBack ? findEndByAge(facts, at) : findEndOfConcern(facts, { runKey, since: at });
  return {
    key: `${action} ${auditSeq}`,
    severity,
    title: `${label} was done outside Gatehouse${client === null ? "" : ` with ${client}`}`,
    since: at,
    evidence: [
      {
        label: "Audit entry",
        value: `${label}, ${client ?? "client unknown"}`,
        at,
        link: { to: "audit", seq: auditSeq },
      },
    ],
    ...(runKey === undefined ? {} : { runKey }),
    ...(over && { over }),
  };
}

/** The version or its steps changed while a release was under way. */
export const changedMidRelease: Rule<RolloutFacts> = {
  id: "changed-mid-release",
  about: "rollout",
  severity: "warning",
  name: "Changed in mid-release",
  explanation:
    "The image, the template or the steps changed while a release was under way with traffic on it. The analyses so far say nothing about what runs now, and the steps begin again.",
  advice:
    "Judge the new version by its own analyses. Ask who pushed it, and whether two pipelines work on this rollout.",
  find: (facts) =>
    facts.observations.flatMap((next, index): Found[] => {
      const previous = facts.observations[index - 1]?.state;
      const { state, observedAt: since } = next;
      if (previous === undefined || state.isDeleted || previous.runKey === "" || state.runKey === "") return [];
      const wasUnderWay = previous.runKey !== previous.stableKey && previous.stableKey !== "" && !previous.isAborted;
      if (!wasUnderWay || previous.isAbortAsked || (previous.weight ?? 0) === 0) return [];
      const isOther = state.runKey !== previous.runKey;
      const isOtherSteps = !isOther && previous.stepsKey !== "" && state.stepsKey !== previous.stepsKey;
      // Back to the stable version ends the release: it is no other one.
      if ((!isOther && !isOtherSteps) || state.runKey === state.stableKey) return [];
      const former = nameVersion(previous.runKey, facts);
      const place = describePlace(previous);
      const title = isOther
        ? `${former} was replaced${place}, before it was decided`
        : `The steps of ${former} were changed${place}`;
      const over = findEndOfChange(facts, { runKey: state.runKey, since });
      const evidence: Evidence[] = [
        { label: "Before", value: `${former}: ${previous.images.join(", ")}` },
        { label: "After", value: `${nameVersion(state.runKey, facts)}: ${state.images.join(", ")}`, at: since },
        { label: "Weight set", value: `${previous.weight} %` },
        ...(next.client === null ? [] : [{ label: "Written by", value: next.client }]),
      ];
      return [
        {
          key: `${previous.runKey} ${state.runKey} ${since}`,
          severity: "warning",
          title: title.charAt(0).toUpperCase() + title.slice(1),
          since,
          evidence,
          runKey: state.runKey,
          ...(over && { over }),
        },
      ];
    }),
};

/** Formats " at step 2 of 5"; empty for a strategy without steps. */
function describePlace({ step, stepCount }: Pick<DeliveryState, "step" | "stepCount">): string {
  if (step === null || stepCount === 0) return "";
  return step < stepCount ? ` at step ${step + 1} of ${stepCount}` : " after its last step";
}

/** It is over as soon as the new version was decided. */
function findEndOfChange(facts: RolloutFacts, { runKey, since }: { runKey: string; since: string }): Found["over"] {
  const end = findEndOfConcern(facts, { runKey, since });
  const promoted = facts.observations.find(
    ({ observedAt, state }) => Date.parse(observedAt) > Date.parse(since) && state.stableKey === runKey,
  );
  if (promoted === undefined || (end !== undefined && end.at < promoted.observedAt)) return end;
  return { at: promoted.observedAt, why: "The new version was promoted." };
}
