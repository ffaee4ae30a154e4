"use client";

import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { type ActTarget, nameOf } from "#components/actions/act-target.ts";
import { ActingAs } from "#components/actions/acting-as.tsx";
import { actionDrafts } from "#components/actions/action-draft.ts";
import classes from "#components/actions/actions.module.css";
import { assessAsk, findOwnApproval } from "#components/actions/assess-ask.ts";
import { FreezeNotice, SecondPersonNotice } from "#components/actions/guards.tsx";
import { ParamFields } from "#components/actions/param-fields.tsx";
import { Refusal } from "#components/actions/refusal.tsx";
import { SeenAndNow } from "#components/actions/seen-and-now.tsx";
import { useActionRequest } from "#components/actions/use-action-request.ts";
import { usePlannedAction } from "#components/actions/use-planned-action.ts";
import { WhatIsSent } from "#components/actions/what-is-sent.tsx";
import { actionHref } from "#lib/client/action-address.ts";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { isBlank } from "#lib/util/is-blank.ts";

type ActionDialogProps = { target: ActTarget; action: AllowedAction; evidence?: React.ReactNode; onClose: () => void };

/**
 * Says what will happen, then asks. Target and action are those of the click: updates that arrive meanwhile must not
 * change what the person is confirming.
 */
export function ActionDialog({ target: liveTarget, action: liveAction, evidence, onClose: leave }: ActionDialogProps) {
  const [target] = useState(liveTarget);
  const [chosen] = useState(liveAction);
  const place = { target, action: chosen.action };
  const [draft] = useState(() => actionDrafts.find(place));
  const [typed, setParams] = useState<ActionParams | undefined>(draft?.params);
  const [typedReason, setReason] = useState<string | undefined>(draft?.reason);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [breaksGlass, setBreaksGlass] = useState(draft?.breaksGlass ?? false);
  const onClose = (): void => {
    actionDrafts.drop(place);
    leave();
  };
  const { submit, askApproval, isPending, conflict, error, viewDigest } = useActionRequest({
    target,
    action: chosen,
    onAccepted: onClose,
  });
  const current = conflict?.action ?? chosen;
  const { shown, params, offer, isPlanned, waitsFor, problem } = usePlannedAction({ target, action: current, typed });
  const approvals = useOpenApprovals(target, shown.needs.secondPerson !== null).items ?? [];
  const approval = findOwnApproval({ approvals, target: { ...target, viewDigest }, action: chosen.action, params });
  const asked = assessAsk({ action: shown, approval, breaksGlass });
  const { kind, reasonRequired } = asked;
  // An offer that nobody has touched is no mistake yet.
  const isUntouched = typed === undefined && !shown.allowed && shown.reasonCode === "same_image";
  const obstacle =
    waitsFor ??
    (isUntouched ? "Say which image it is to run instead." : (explainLone(target, shown) ?? asked.obstacle));
  const isGone = conflict !== undefined && (conflict.action === undefined || conflict.viewDigest === undefined);
  const isBlocked = isGone || !shown.allowed;
  // Who asked for approval has said why already.
  const reason = typedReason ?? approval?.reason ?? "";

  function confirm(event: React.FormEvent): void {
    event.preventDefault();
    const isMissing = reasonRequired && isBlank(reason);
    setReasonMissing(isMissing);
    if (isMissing || isBlocked || obstacle !== undefined) return;
    const wish = {
      reason,
      params,
      breakGlass: breaksGlass,
      approval: approval?.state === "approved" ? approval.id : undefined,
    };
    void (kind === "request" ? askApproval(wish) : submit(wish));
  }

  return (
    <Modal
      opened
      onClose={isPending ? () => undefined : onClose}
      size="lg"
      title={
        <Text component="span" fw={600} size="lg">
          {current.label}: {target.namespace}/{nameOf(target)}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={confirm} noValidate>
        <Stack gap="md">
          {conflict !== undefined && <SeenAndNow conflict={conflict} isBlocked={isBlocked} />}
          <ParamFields offer={offer} params={params} onChange={setParams} />
          <WhatHappens action={shown} target={target} hidesReason={isUntouched} />
          {problem !== undefined && (
            <Text size="sm" c="var(--gh-orange-text)">
              What this would do is not known: {problem} It is judged at the click.
            </Text>
          )}
          {evidence !== undefined && <div className={classes.evidence}>{evidence}</div>}
          <FreezeNotice needs={shown.needs} breaksGlass={breaksGlass} onBreak={setBreaksGlass} />
          <SecondPersonNotice needs={shown.needs} approval={approval} />
          <Textarea
            label="Reason"
            description={
              reasonRequired ? "Required. It stands in the audit log." : "Optional. It stands in the audit log."
            }
            withAsterisk={reasonRequired}
            aria-required={reasonRequired}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={2000}
            data-autofocus={Object.keys(params).length === 0 ? true : undefined}
            value={reason}
            error={isReasonMissing && isBlank(reason) ? "Say why; this action needs a reason." : undefined}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <WhatIsSent action={shown} isPlanned={isPlanned} />
          <ActingAs cluster={target.cluster} />
          {error !== undefined && (
            <Refusal
              error={error}
              label={current.label}
              kubectl={shown.kubectl}
              returnTo={actionHref(target)}
              onLeave={() => actionDrafts.keep(place, { reason, breaksGlass, params: typed })}
            />
          )}
          <Group justify="flex-end" gap="sm">
            {obstacle !== undefined && (
              <Text size="sm" c="dimmed" flex="1 1 12rem">
                {obstacle}
              </Text>
            )}
            <Button variant="default" onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={isBlocked || obstacle !== undefined}
              className={current.protective ? `${classes.confirm} ${classes.danger}` : classes.confirm}
            >
              {kind === "request" ? "Ask for approval" : `${current.label} ${nameOf(target)}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Approvals are asked for at a rollout. */
function explainLone({ kind }: ActTarget, { needs }: AllowedAction): string | undefined {
  if (kind === "Rollout" || kind === "Canary" || needs.secondPerson === null) return undefined;
  return "A rule asks for a second person, who is asked at the rollout: none owns this one.";
}

type WhatHappensProps = { action: AllowedAction; target: ActTarget; hidesReason: boolean };

function WhatHappens({ action, target, hidesReason }: WhatHappensProps) {
  const { label, effect, waives, warnings = [], allowed, reason } = action;
  return (
    <div>
      <Text>{effect ?? `${label} on ${nameOf(target)} in ${target.cluster}.`}</Text>
      {waives !== undefined && <Text className={classes.waives}>Waives: {waives}</Text>}
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {!allowed && !hidesReason && reason !== undefined && <Text c="var(--gh-red-text)">{reason}</Text>}
    </div>
  );
}
