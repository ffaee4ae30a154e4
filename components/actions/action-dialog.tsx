"use client";

import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { ActTarget } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { assessAsk, findOwnApproval } from "#components/actions/assess-ask.ts";
import { FreezeNotice, SecondPersonNotice } from "#components/actions/guards.tsx";
import { areParamsComplete, defaultParams, ParamFields } from "#components/actions/param-fields.tsx";
import { Refusal } from "#components/actions/refusal.tsx";
import { SeenAndNow } from "#components/actions/seen-and-now.tsx";
import { useActionRequest } from "#components/actions/use-action-request.ts";
import { WhatIsSent } from "#components/actions/what-is-sent.tsx";
import { useActionPlan } from "#lib/client/action-queries.ts";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ActionDialogProps = { target: ActTarget; action: AllowedAction; evidence?: React.ReactNode; onClose: () => void };

/**
 * Says what will happen, then asks. Target and action are those of the click: updates that arrive meanwhile must not
 * change what the person is confirming.
 */
export function ActionDialog({ target: liveTarget, action: liveAction, evidence, onClose }: ActionDialogProps) {
  const [target] = useState(liveTarget);
  const [chosen] = useState(liveAction);
  const [params, setParams] = useState(() => defaultParams(chosen));
  const [typedReason, setReason] = useState<string>();
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [breaksGlass, setBreaksGlass] = useState(false);
  const { submit, askApproval, isPending, conflict, error, viewDigest } = useActionRequest({
    target,
    action: chosen,
    onAccepted: onClose,
  });
  const current = conflict?.action ?? chosen;
  const { shown, isReady } = usePlannedAction({ target, action: current, params });
  const approvals = useOpenApprovals(target, shown.needs.secondPerson !== null).items ?? [];
  const approval = findOwnApproval({ approvals, rolloutId: target.id, viewDigest, action: chosen.action, params });
  const { kind, reasonRequired, obstacle } = assessAsk({ action: shown, approval, breaksGlass });
  const isGone = conflict !== undefined && (conflict.action === undefined || conflict.viewDigest === undefined);
  const isBlocked = isGone || !shown.allowed || !isReady;
  // Who asked for approval has said why already.
  const reason = typedReason ?? approval?.reason ?? "";

  function confirm(event: React.FormEvent): void {
    event.preventDefault();
    const isMissing = reasonRequired && reason.trim() === "";
    setReasonMissing(isMissing);
    if (isMissing || isBlocked || obstacle !== undefined) return;
    const wish = { reason, params, breakGlass: breaksGlass, approval: approval?.id };
    void (kind === "request" ? askApproval(wish) : submit(wish));
  }

  return (
    <Modal
      opened
      onClose={isPending ? () => undefined : onClose}
      size="lg"
      title={
        <Text component="span" fw={600} size="lg">
          {current.label}: {target.namespace}/{target.name}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={confirm} noValidate>
        <Stack gap="md">
          {conflict !== undefined && <SeenAndNow conflict={conflict} isBlocked={isBlocked} />}
          <ParamFields offer={current} params={params} onChange={setParams} />
          <WhatHappens action={shown} target={target} />
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
            data-autofocus
            value={reason}
            error={isReasonMissing && reason.trim() === "" ? "Say why; this action needs a reason." : undefined}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <WhatIsSent action={shown} />
          {error !== undefined && <Refusal error={error} label={current.label} returnTo={rolloutHref(target)} />}
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
              {kind === "request" ? "Ask for approval" : `${current.label} ${target.name}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function WhatHappens({ action, target }: { action: AllowedAction; target: ActTarget }) {
  const { label, effect, waives, warnings = [], allowed, reason } = action;
  return (
    <div>
      <Text>{effect ?? `${label} on ${target.name} in ${target.cluster}.`}</Text>
      {waives !== undefined && <Text className={classes.waives}>Waives: {waives}</Text>}
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {!allowed && reason !== undefined && <Text c="var(--gh-red-text)">{reason}</Text>}
    </div>
  );
}

type PlannedInput = { target: ActTarget; action: AllowedAction; params: ActionParams };

/** With parameters, what happens depends on them: the server plans it from the live object while they are chosen. */
function usePlannedAction({ target, action, params }: PlannedInput): { shown: AllowedAction; isReady: boolean } {
  const isPlanned = action.action === "undo" || action.action === "set-image";
  const isComplete = areParamsComplete(action.action, params);
  const [settled] = useDebouncedValue(params, 300);
  const plan = useActionPlan({
    rollout: target,
    action: action.action,
    params: settled,
    enabled: isPlanned && isComplete && areParamsComplete(action.action, settled),
  });
  if (!isPlanned || !isComplete || plan.data === undefined || settled !== params) {
    return { shown: action, isReady: !isPlanned || isComplete };
  }
  // A refusal has no effect to tell: then the general words stay.
  const { effect = action.effect } = plan.data;
  return { shown: { ...plan.data, ...(effect === undefined ? {} : { effect }) }, isReady: true };
}
