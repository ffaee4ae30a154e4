"use client";

import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { type ActTarget, nameOf } from "#components/actions/act-target.ts";
import { actionDrafts, isTicked } from "#components/actions/action-draft.ts";
import { describeActingAs, SeenFacts, WhatHappens, WhatIsSent } from "#components/actions/action-preview.tsx";
import classes from "#components/actions/actions.module.css";
import { assessAsk, findOwnApproval } from "#components/actions/assess-ask.ts";
import { FreezeNotice, Refusal, SecondPersonNotice } from "#components/actions/guards.tsx";
import { labelOf } from "#components/actions/label-of.ts";
import { isSchedulable, LaterField, mayBeLater } from "#components/actions/later-field.tsx";
import { LiveNotice, useLiveView } from "#components/actions/live-notice.tsx";
import { ParamFields } from "#components/actions/param-fields.tsx";
import { TargetEvidence } from "#components/actions/target-evidence.tsx";
import { useActionRequest } from "#components/actions/use-action-request.ts";
import { usePlannedAction } from "#components/actions/use-planned-action.ts";
import { warnOfAborted } from "#components/actions/warn-of-aborted.ts";
import { describeMissingTickets } from "#components/ui/describe-tickets.ts";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { actionHref } from "#lib/client/action-address.ts";
import { requestActionPlan } from "#lib/client/action-queries.ts";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction, Release, RolloutDetail } from "#lib/contract/rollout.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import { isBlank } from "#lib/util/text.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

type ActionDialogProps = {
  target: ActTarget;
  action: AllowedAction;
  /** For an Experiment, which has its own evidence; everything else uses its target's. */
  evidence?: React.ReactNode;
  /** Initial values of the fields, if the click already determined them. */
  startParams?: ActionParams;
  /** The release to go back to, if the dialog was opened from it. */
  release?: Release;
  onClose: () => void;
};

/**
 * Shows what will happen, then asks for confirmation. Target and action are those of the click: later updates must not
 * change what the person is confirming. If an update makes them stale, the dialog warns at once and asks again.
 */
export function ActionDialog({
  target: liveTarget,
  action: liveAction,
  evidence,
  startParams,
  release,
  onClose: leave,
}: ActionDialogProps) {
  const [{ target, chosen }, setAsked] = useState({ target: liveTarget, chosen: liveAction });
  /** Absent: now. */
  const [later, setLater] = useState<{ dueAt: string | null; isSent?: boolean }>();
  const place = { target, action: chosen.action };
  const [draft] = useState(() => actionDrafts.find(place));
  const [typed, setParams] = useState<ActionParams | undefined>(draft?.params ?? startParams);
  const [typedReason, setReason] = useState<string | undefined>(draft?.reason);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [breaks, setBreaks] = useState(draft?.breaks);
  const onClose = (): void => {
    actionDrafts.drop(place);
    leave();
  };
  const { submit, askApproval, forget, isPending, conflict, error, viewDigest } = useActionRequest({
    target,
    action: chosen,
    onAccepted: onClose,
  });
  const current = conflict?.action ?? chosen;
  const live = useLiveView({ target, protective: current.protective, refusedWith: conflict?.viewDigest });
  const { shown, params, offer, isPlanned, waitsFor, problem } = usePlannedAction({ target, action: current, typed });
  const breaksGlass = isTicked(breaks, shown);
  const label = labelOf(offer, params);
  // The first page of releases may lack an old one.
  const releases = [...live.releases, ...(release === undefined ? [] : [release])];
  const approvals = useOpenApprovals(target, shown.needs.secondPerson !== null).items ?? [];
  const approval = findOwnApproval({ approvals, target: { ...target, viewDigest }, action: shown, params });
  const asked = assessAsk({ action: shown, approval, breaksGlass });
  const { kind, reasonRequired } = asked;
  // Untouched fields are not validated.
  const isUntouched = typed === undefined && !shown.allowed && shown.reasonCode === "same_image";
  // The change may be the effect of our own unanswered request: a retry is the same request by its idempotency key.
  const isUnanswered = isGatehouseError(error, "network");
  const isStale = live.verdict === "stale" && !isPending && !isUnanswered;
  const obstacle =
    (isStale ? "Review the changes first." : undefined) ??
    waitsFor ??
    // A freeze that is in force now may end before.
    (isUntouched
      ? "Choose the new image."
      : (explainLone(target, shown) ?? (later === undefined ? asked.obstacle : undefined)));
  const maySchedule = target.subject === undefined && isDeliveryKind(target.kind) && mayBeLater(shown.needs);
  const isGone = conflict !== undefined && (conflict.action === undefined || conflict.viewDigest === undefined);
  const isBlocked = isGone || !shown.allowed;
  // The person who requested approval has already given the reason.
  const reason = typedReason ?? approval?.reason ?? "";
  const { tickets = [] } = shown.needs;

  /** Switches to the same action, or to one that is possible now, on the current state; typed text stays. */
  async function turnTo(action: AllowedAction): Promise<void> {
    const next = await retarget({ target, action, now: live.now });
    setAsked(next);
    forget();
  }

  function confirm(): void {
    const isMissing = reasonRequired && (isBlank(reason) || describeMissingTickets(tickets, reason) !== undefined);
    setReasonMissing(isMissing);
    if (isMissing || isBlocked || obstacle !== undefined) return;
    if (later !== undefined) {
      const { dueAt } = later;
      if (isSchedulable(dueAt, serverNowMs())) void submit({ reason, params, dueAt });
      else setLater({ dueAt, isSent: true });
      return;
    }
    const input = {
      reason,
      params,
      blocks: breaksGlass ? (shown.needs.blocks ?? []) : undefined,
      approval: approval?.state === "approved" ? approval.id : undefined,
    };
    void (kind === "request" ? askApproval(input) : submit(input));
  }

  return (
    <FormDialog
      title={`${label}: ${target.namespace}/${nameOf(target)}`}
      size="lg"
      request={{ isPending }}
      onSubmit={confirm}
      onClose={onClose}
      label={
        later !== undefined
          ? "Schedule"
          : kind === "request"
            ? "Request approval"
            : offer.action === "undo"
              ? label
              : `${label} ${nameOf(target)}`
      }
      isDisabled={isBlocked || obstacle !== undefined}
      isDanger={current.protective}
      obstacle={obstacle}
      beside={
        maySchedule && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setLater(later === undefined ? { dueAt: null } : undefined)}
          >
            {later === undefined ? "Schedule…" : "Now"}
          </Button>
        )
      }
    >
      <LiveNotice
        live={live}
        isStale={isStale}
        conflict={conflict}
        isBlocked={isBlocked}
        asked={current}
        onTake={(action) => void turnTo(action)}
      />
      <ParamFields offer={offer} params={params} onChange={setParams} />
      <SeenFacts rollout={live.seenPage} />
      <WhatHappens
        action={withWarning(shown, warnOfAborted({ offer, params, releases }))}
        target={target}
        hidesReason={isUntouched}
      />
      {problem !== undefined && (
        <Text size="sm" c="var(--gh-orange-text)">
          No preview available: {problem} Gatehouse checks the action when you confirm.
        </Text>
      )}
      {target.subject?.kind === "Experiment" ? (
        <div className={classes.evidence}>{evidence}</div>
      ) : (
        <TargetEvidence target={target} />
      )}
      <FreezeNotice
        needs={shown.needs}
        breaksGlass={breaksGlass}
        isLater={later !== undefined}
        onBreak={(isOn) => setBreaks(isOn ? { action: shown.action, blocks: shown.needs.blocks ?? [] } : undefined)}
      />
      <SecondPersonNotice needs={shown.needs} approval={approval} />
      <ReasonField
        value={reason}
        onChange={setReason}
        isRequired={reasonRequired}
        tickets={tickets}
        isLater={later !== undefined}
        isSent={isReasonMissing}
        takesFocus={Object.keys(params).length === 0}
      />
      {later !== undefined && (
        <LaterField value={later.dueAt} onChange={(dueAt) => setLater({ dueAt })} isWrong={later.isSent === true} />
      )}
      <WhatIsSent action={shown} isPlanned={isPlanned} />
      <ActingAs cluster={target.cluster} />
      {error !== undefined && (
        <Refusal
          error={error}
          label={label}
          kubectl={shown.kubectl}
          returnTo={actionHref(target)}
          onLeave={() => actionDrafts.keep(place, { reason, breaks, params: typed })}
        />
      )}
    </FormDialog>
  );
}

function withWarning(action: AllowedAction, warning: string | undefined): AllowedAction {
  return warning === undefined ? action : { ...action, warnings: [warning, ...(action.warnings ?? [])] };
}

/** Explains that approvals are requested at a rollout. */
function explainLone({ kind }: ActTarget, { needs }: AllowedAction): string | undefined {
  if (isDeliveryKind(kind) || needs.secondPerson === null) return undefined;
  return "A rule requires approval, which is requested on the rollout, but no rollout owns this object.";
}

/** Shows in one quiet line the identity that the click uses at the cluster. */
function ActingAs({ cluster }: { cluster: string }) {
  const identity = useMe().data?.clusterIdentities.find((known) => known.cluster === cluster);
  if (identity === undefined) return null;
  const { text, isProblem } = describeActingAs(identity);
  return (
    <Text size="xs" c={isProblem ? "var(--gh-orange-text)" : "dimmed"} style={{ overflowWrap: "anywhere" }}>
      {text}
    </Text>
  );
}

type Asked = { target: ActTarget; chosen: AllowedAction };

/**
 * Binds the same question to the current state. Actions on a run or an Experiment are planned again; if that fails, the
 * old view stays and the server refuses it.
 */
async function retarget({
  target,
  action,
  now,
}: {
  target: ActTarget;
  action: AllowedAction;
  now: RolloutDetail | undefined;
}): Promise<Asked> {
  if (target.subject === undefined) return { target: now ?? target, chosen: action };
  const plan = await requestActionPlan({ target, action: action.action }).catch(() => undefined);
  if (plan === undefined) return { target, chosen: action };
  return { target: { ...target, ...plan.view }, chosen: { ...plan, label: action.label } };
}
