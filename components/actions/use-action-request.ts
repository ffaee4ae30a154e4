"use client";

import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type ActTarget, nameOf } from "#components/actions/act-target.ts";
import { type Conflict, readConflict } from "#components/actions/live-changes.ts";
import { formatClock } from "#components/ui/format-time.ts";
import { requestActionPlan, useAct } from "#lib/client/action-queries.ts";
import { useRequestApproval } from "#lib/client/approval-queries.ts";
import { followedActions } from "#lib/client/followed-actions.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { ActionParams, Expectation, RolloutActionRequest } from "#lib/contract/action.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

type Input = { target: ActTarget; action: AllowedAction; onAccepted: () => void };

/** The person's input in the dialog. */
export type ActionInput = {
  reason: string;
  params: ActionParams;
  /** The freezes and sets that break-glass overrides, as shown; absent without break-glass. */
  blocks?: AllowedAction["needs"]["blocks"];
  approval?: string | undefined;
  /** The time for which it is scheduled, in ISO 8601; absent for now. */
  dueAt?: string | undefined;
};

/** Carries one intended action from the dialog to the server: it cannot be sent twice, and survives a stale view. */
export function useActionRequest({ target, action, onAccepted }: Input) {
  const client = useQueryClient();
  const act = useAct();
  const ask = useRequestApproval();
  const [conflict, setConflict] = useState<Conflict>();
  const [error, setError] = useState<Error>();
  const isSending = useRef(false);
  const [keys] = useState(createRequestKeys);
  const expect = expectationOf({ target, action, conflict });

  async function send(work: () => Promise<void>): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setError(undefined);
    try {
      await work();
      onAccepted();
    } catch (caught) {
      await takeError(caught);
    } finally {
      isSending.current = false;
      void client.invalidateQueries({ queryKey: queryKeys.rollout(target) });
      void client.invalidateQueries({ queryKey: queryKeys.inbox() });
      void client.invalidateQueries({ queryKey: queryKeys.subjectPlans() });
    }
  }

  const submit = (input: ActionInput): Promise<void> =>
    send(async () => {
      const body = makeBody({ action, expect, input });
      const idempotencyKey = keys.keyOf(JSON.stringify(body));
      const accepted = await act.mutateAsync({ target, request: body, idempotencyKey }).catch((caught) => {
        keys.noteFailure(caught);
        throw caught;
      });
      if ("dueAt" in accepted) {
        void client.invalidateQueries({ queryKey: queryKeys.scheduledActions() });
        notifications.show({
          title: "Scheduled",
          message: `${action.label} ${nameOf(target)} at ${formatClock(Date.parse(accepted.dueAt), Date.now())}, if nothing has changed by then.`,
          withBorder: true,
          color: "gray",
          closeButtonProps: { "aria-label": "Close" },
        });
        return;
      }
      followedActions.add({
        id: accepted.id,
        action: action.action,
        label: action.label,
        name: nameOf(target),
        auditSeq: accepted.auditSeq,
      });
    });

  const askApproval = ({ reason, params }: ActionInput): Promise<void> =>
    send(async () => {
      const { subject } = target;
      const about = subject === undefined ? {} : { subject: { kind: subject.kind, uid: subject.uid } };
      const body = { action: action.action, ...params, ...about, reason: reason.trim(), expect };
      const { expiresAt, rules } = await ask.mutateAsync({ rollout: target, body });
      const who = rules.some(({ approvers }) => approvers > 1) ? "Other people have" : "Another person has";
      notifications.show({
        title: "Approval requested",
        message: `${who} until ${formatClock(Date.parse(expiresAt), Date.now())} to approve: ${action.label} ${nameOf(target)}.`,
        withBorder: true,
        color: "gray",
        closeButtonProps: { "aria-label": "Close" },
      });
    });

  async function takeError(caught: unknown): Promise<void> {
    const stale = readConflict(caught, action.action);
    if (stale === undefined) {
      setError(caught instanceof Error ? caught : new Error(String(caught)));
      return;
    }
    if (target.subject !== undefined) setConflict(await replan(stale));
    else setConflict(stale.viewDigest === undefined ? await completeFromServer(stale) : stale);
  }

  /** Plans again: the refusal lists the rollout's actions, not those of the run or Experiment. */
  async function replan(stale: Conflict): Promise<Conflict> {
    const plan = await requestActionPlan({ target, action: action.action }).catch(() => undefined);
    if (plan === undefined) return { ...stale, action: undefined };
    return { ...stale, ...plan.view, action: { ...plan, label: action.label } };
  }

  /** Fetches the current view if the refusal does not contain it. */
  async function completeFromServer(stale: Conflict): Promise<Conflict> {
    const current = await request<RolloutDetail>({ path: rolloutApiPath(target) }).catch(() => undefined);
    if (current === undefined) return stale;
    const { viewDigest, uid, revisionKey, allowedActions } = current;
    return {
      ...stale,
      viewDigest,
      uid,
      revisionKey,
      action: allowedActions.find((item) => item.action === action.action),
    };
  }

  return {
    submit,
    askApproval,
    /** Clears the earlier answer, because the dialog switches to another state or action. */
    forget: () => {
      setConflict(undefined);
      setError(undefined);
    },
    isPending: act.isPending || ask.isPending,
    conflict,
    error,
    viewDigest: expect.viewDigest,
  };
}

type Seen = Pick<Input, "target" | "action"> & { conflict: Conflict | undefined };

function expectationOf({ target, action, conflict }: Seen): Expectation {
  // The fields of the action that is shown: Gatehouse refuses the request if they differ by then.
  const { passesPauses, targetVersion } = conflict?.action ?? action;
  return {
    viewDigest: conflict?.viewDigest ?? target.viewDigest,
    uid: conflict?.uid ?? target.uid,
    revisionKey: conflict?.revisionKey ?? target.revisionKey,
    passesPauses,
    targetVersion,
  };
}

type BodyInput = { action: AllowedAction; expect: Expectation; input: ActionInput };

/** Makes the body of a request: of what is in force, it overrides only what was shown. */
export function makeBody({
  action,
  expect,
  input: { reason, params, blocks, approval, dueAt },
}: BodyInput): RolloutActionRequest {
  const trimmed = reason.trim();
  return {
    action: action.action,
    ...params,
    ...(trimmed === "" ? {} : { reason: trimmed }),
    ...(blocks === undefined ? {} : { breakGlass: true }),
    ...(approval === undefined ? {} : { approval }),
    ...(dueAt === undefined ? {} : { dueAt }),
    expect: blocks === undefined ? expect : { ...expect, blocks },
  };
}

type RequestKeys = {
  /** Returns the same key for the same body, so a retry after a broken connection is the same request. */
  keyOf(body: string): string;
  /** Retires a key that the server itself refused: a retry with it would only replay the old refusal. */
  noteFailure(error: unknown): void;
};

/** Creates the idempotency keys of one dialog. */
export function createRequestKeys(): RequestKeys {
  let sent: { body: string; key: string } | undefined;
  return {
    keyOf: (body) => {
      if (sent?.body !== body) sent = { body, key: randomId() };
      return sent.key;
    },
    noteFailure: (error) => {
      if (isGatehouseError(error) && error.problem !== undefined) sent = undefined;
    },
  };
}

/**
 * Returns 128 random bits as hex. `crypto.randomUUID` exists only in secure contexts; this also works over plain HTTP.
 */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
