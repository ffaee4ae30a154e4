import type { ActTarget, NamedSubject } from "#components/actions/act-target.ts";
import type { ActionPlanAnswer } from "#lib/contract/action.ts";
import type { RolloutRef } from "#lib/contract/common.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";

export type SubjectPlace = { cluster: string; namespace: string; rollout: Omit<RolloutRef, "id"> | null };

/** Makes the target before its view is known: the rollout that owns the subject, or else the subject itself. */
export function makeSubjectTarget({ subject, place }: { subject: NamedSubject; place: SubjectPlace }): ActTarget {
  const { cluster, namespace, rollout } = place;
  const address = rollout ?? { cluster, namespace, kind: subject.kind, name: subject.name };
  return { ...address, id: formatObjectRef(address), viewDigest: "", uid: subject.uid, subject };
}

const labels = {
  terminate: { AnalysisRun: "Terminate run", Experiment: "Terminate experiment" },
  retry: { AnalysisRun: "Retry run", Experiment: "Retry experiment" },
} as const;

type OfferInput = {
  target: ActTarget;
  action: "terminate" | "retry";
  plan: ActionPlanAnswer | undefined;
  error: Error | null;
};

/** Turns the plan into a button and a target, bound to the view that the plan was made for. Disabled without a plan. */
export function offerOf({ target, action, plan, error }: OfferInput): { target: ActTarget; offer: AllowedAction } {
  const label = labels[action][target.subject?.kind ?? "AnalysisRun"];
  if (plan !== undefined && error === null) return { target: { ...target, ...plan.view }, offer: { ...plan, label } };
  const needs = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
  const reason = error?.message ?? "Gatehouse is asking the cluster what this would do.";
  return { target, offer: { action, label, protective: false, allowed: false, reason, needs } };
}
