"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { type ActTarget, blockAdvancing, type NamedSubject } from "#components/actions/act-target.ts";
import { ActionButton } from "#components/actions/action-button.tsx";
import classes from "#components/actions/actions.module.css";
import { describeGuard, findOwnApproval } from "#components/actions/assess-ask.ts";
import { makeSubjectTarget, offerOf, type SubjectPlace } from "#components/actions/subject-target.ts";
import { useFreshness } from "#components/ui/use-freshness.ts";
import { useActionPlan } from "#lib/client/action-queries.ts";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

const ActionDialog = dynamic(
  () => import("#components/actions/action-dialog.tsx").then((module) => module.ActionDialog),
  { ssr: false },
);

type SubjectActionsProps = {
  subject: NamedSubject;
  place: SubjectPlace;
  /** Its phase and what else determines its actions: if this changes, the actions are planned again. */
  state: string;
  actions: readonly ("terminate" | "retry")[];
  /** For an Experiment: the evidence for the decision. For a run, the dialog finds the evidence itself. */
  evidence?: React.ReactNode;
};

/** Shows the actions on a run or an Experiment itself, planned from the live object. Viewers get none. */
export function SubjectActions({ subject, place, actions, ...rest }: SubjectActionsProps) {
  const role = useMe().data?.role;
  if (role === undefined || role === "viewer" || actions.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form.
    <div className={`${classes.buttons} ${classes.ofSubject}`} role="group" aria-label={`Actions on ${subject.name}`}>
      {actions.map((action) => (
        <SubjectAction key={action} action={action} target={makeSubjectTarget({ subject, place })} {...rest} />
      ))}
    </div>
  );
}

type SubjectActionProps = {
  action: "terminate" | "retry";
  target: ActTarget;
  state: string;
  evidence?: React.ReactNode;
};

function SubjectAction({ action, target: unseen, state, evidence }: SubjectActionProps) {
  const [chosen, setChosen] = useState<AllowedAction>();
  const isUnanswered = useFreshness().words === "no answer";
  const plan = useActionPlan({ target: unseen, action, state, enabled: true });
  const { target, offer } = offerOf({ target: unseen, action, plan: plan.data, error: plan.error });
  const shown = isUnanswered ? blockAdvancing(offer) : offer;
  const approvals = useOpenApprovals(target, offer.needs.secondPerson !== null).items ?? [];
  return (
    <>
      <ActionButton
        action={shown}
        guard={describeGuard(shown, findOwnApproval({ approvals, target, action: { action } }))}
        isFirst={false}
        onChoose={() => setChosen(shown)}
      />
      {chosen !== undefined && (
        <ActionDialog target={target} action={chosen} evidence={evidence} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}
