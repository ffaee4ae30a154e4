"use client";

import { Alert, Skeleton, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { isNamed } from "#components/actions/action-preview.tsx";
import actionClasses from "#components/actions/actions.module.css";
import { describeAsk, explainNotAcceptable, explainNotApprovable } from "#components/actions/assess-ask.ts";
import { FreezeNotice, SecondPersonNotice } from "#components/actions/guards.tsx";
import { TargetEvidence } from "#components/actions/target-evidence.tsx";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { describeMissingTickets } from "#components/ui/describe-tickets.ts";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useActionPlan } from "#lib/client/action-queries.ts";
import { useDecideApproval } from "#lib/client/approval-queries.ts";
import { describeProgress, needsOneMore } from "#lib/client/describe-approval.ts";
import { describeVersions } from "#lib/client/describe-images.ts";
import { followedActions } from "#lib/client/followed-actions.ts";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { Approval, ApprovalDecision } from "#lib/contract/approval.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";
import { isBlank } from "#lib/util/text.ts";

type DecisionDialogProps = { approval: Approval; decision: ApprovalDecision["decision"]; onClose: () => void };

const words = {
  approve: { verb: "Approve", means: "The requester can then run it once, as long as the rollout does not change." },
  reject: { verb: "Reject", means: "The request can no longer be used." },
  withdraw: { verb: "Withdraw", means: "The request can no longer be approved or used." },
};

/** The same for an agent's proposal. */
const proposalWords: typeof words = {
  approve: {
    verb: "Accept",
    means: "You act, with your own rights. Without a reason of yours, the agent's is kept as the agent's.",
  },
  reject: { verb: "Decline", means: "The proposal can no longer be accepted." },
  withdraw: { verb: "Withdraw", means: "The proposal can no longer be accepted." },
};

const meansOwnReason = "You act, with your own rights, and a rule asks for a reason: write one of your own.";

const meansMore =
  "The requester can run it once, as soon as the others have approved it too and as long as the rollout does not change.";

/** Takes a second person's decision, based on what that person sees now. */
export function DecisionDialog({ approval: live, decision, onClose }: DecisionDialogProps) {
  const [approval] = useState(live);
  const [reason, setReason] = useState("");
  const rollout = useRollout(approval.rollout);
  const [isSent, setSent] = useState(false);
  const decide = useDecideApproval();
  const asked = useAskedAction(approval, rollout.data);
  const { action } = asked;
  const acts = approval.agent !== null && decision === "approve";
  const { tickets = [] } = acts ? (action?.needs ?? {}) : {};
  // The agent's reason satisfies no rule: whoever acts writes one.
  const needsReason = acts && (action?.needs.reason === true || tickets.length > 0);
  const { who, asks, target, detail } = describeAsk(approval);
  const { verb, means } = (approval.agent === null ? words : proposalWords)[decision];
  const progress = describeProgress(approval);
  const obstacle =
    decision === "approve" && rollout.data !== undefined
      ? (explainNotApprovable(approval, rollout.data) ?? asked.obstacle)
      : undefined;
  const isWaiting = decision === "approve" && (rollout.data === undefined || asked.isWaiting);

  function confirm(): void {
    setSent(true);
    if (obstacle !== undefined || isWaiting) return;
    if (needsReason && (isBlank(reason) || describeMissingTickets(tickets, reason) !== undefined)) return;
    const viewDigest = decision === "approve" ? { viewDigest: rollout.data?.viewDigest } : {};
    const trimmed = reason.trim();
    decide.mutate(
      { id: approval.id, body: { decision, ...(trimmed === "" ? {} : { reason: trimmed }), ...viewDigest } },
      {
        onSuccess: ({ actionId }) => {
          if (acts && actionId !== null)
            followedActions.add({
              id: actionId,
              action: approval.action,
              label: entryOf(approval.action).label,
              name: approval.rollout.name,
            });
          onClose();
        },
      },
    );
  }

  return (
    <FormDialog
      title={`${verb}: ${target}`}
      size="lg"
      request={decide}
      onSubmit={confirm}
      onClose={onClose}
      label={
        approval.own
          ? `${verb} my request`
          : `${verb} the ${approval.agent === null ? `request of ${who}` : "proposal"}`
      }
      isDisabled={obstacle !== undefined || isWaiting}
      errorTitle="Not done"
    >
      <div>
        <Text>
          <strong>{who}</strong> {asks} <strong>{target}</strong>
          {detail} in {approval.rollout.cluster}.
        </Text>
        <Text c="dimmed" size="sm">
          Reason: <HostileText text={approval.reason} />
        </Text>
        {progress !== "" && <Text size="sm">{progress}</Text>}
      </div>
      <QueryView what="The rollout" query={rollout} skeleton={<Skeleton height={90} aria-hidden="true" />}>
        {(seen) => <WhatIsSeen rollout={seen} approval={approval} action={action} />}
      </QueryView>
      {obstacle !== undefined && (
        <Alert color="orange" variant="outline" role="alert" bg="var(--gh-surface)">
          <Text size="sm">{obstacle}</Text>
        </Alert>
      )}
      <ReasonField value={reason} onChange={setReason} isRequired={needsReason} tickets={tickets} isSent={isSent} />
      <Text size="sm" c="dimmed">
        {needsReason
          ? meansOwnReason
          : decision === "approve" && approval.agent === null && !needsOneMore(approval)
            ? meansMore
            : means}
      </Text>
    </FormDialog>
  );
}

type Asked = { action: AllowedAction | undefined; isWaiting: boolean; obstacle: string | undefined };

/**
 * Returns the requested action, whether it is still being planned, and why a proposal cannot be accepted now. Actions on
 * runs or Experiments, or with parameters, are planned from the live object. For another person's request, it does not
 * matter whether the reader may act.
 */
function useAskedAction(
  { agent, action: name, params, subject, rollout: of }: Approval,
  rollout: RolloutDetail | undefined,
): Asked {
  const isPlanned = subject !== null || Object.keys(params).length > 0;
  const target = subject === null ? of : { ...of, subject };
  const plan = useActionPlan({ target, action: name, params, enabled: isPlanned && rollout !== undefined });
  const action = isPlanned ? plan.data : rollout?.allowedActions.find((item) => item.action === name);
  const isWaiting = isPlanned && plan.isPending;
  if (agent === null) return { action, isWaiting, obstacle: undefined };
  const unknown = plan.error === null ? undefined : `No preview available: ${plan.error.message}`;
  return { action, isWaiting, obstacle: action === undefined ? unknown : explainNotAcceptable(action) };
}

/** Shows the effect, and the state that the decision is based on. */
function WhatIsSeen({
  rollout,
  approval,
  action,
}: {
  rollout: RolloutDetail;
  approval: Approval;
  action: Asked["action"];
}) {
  const { weight, stepCount } = rollout;
  const number = currentStepNumber(rollout);
  return (
    <Stack gap="xs">
      {action?.effect !== undefined && <Text>{action.effect}</Text>}
      {action?.waives !== undefined && !isNamed(action.waives, action.effect) && (
        <Text className={actionClasses.waives}>{`Overrides ${action.waives}.`}</Text>
      )}
      {(action?.warnings ?? []).map((warning) => (
        <Text key={warning} size="sm">
          {warning}
        </Text>
      ))}
      {approval.agent !== null && action !== undefined && (
        <>
          <FreezeNotice needs={{ ...action.needs, breakGlass: false }} breaksGlass={false} onBreak={() => undefined} />
          <SecondPersonNotice needs={action.needs} approval={undefined} />
        </>
      )}
      <Text size="sm" component="div">
        <StateBadge shown={classifyRollout(rollout)} size="sm" variant="plain" />
        {`, ${describeVersions(rollout)}`}
        {number !== null && `, step ${number} of ${stepCount}`}
        {weight !== null && weight.actual !== null && `, ${weight.actual} % of traffic on the new version`}
        {rollout.message !== "" && (
          <div>
            <HostileText text={rollout.message} />
          </div>
        )}
      </Text>
      <TargetEvidence
        target={approval.subject === null ? approval.rollout : { ...approval.rollout, subject: approval.subject }}
      />
    </Stack>
  );
}
