"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ActTarget } from "#components/actions/act-target.ts";
import { type Conflict, readConflict } from "#components/actions/read-conflict.ts";
import { createRequestKeys } from "#components/actions/request-key.ts";
import { useAct } from "#lib/client/action-queries.ts";
import { followedActions } from "#lib/client/followed-actions.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { ActionRequest } from "#lib/contract/action.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";

type Input = { target: ActTarget; action: AllowedAction; onAccepted: () => void };

/** One intended action from the dialog to the server: cannot be sent twice, and survives a view that went stale. */
export function useActionRequest({ target, action, onAccepted }: Input) {
  const client = useQueryClient();
  const act = useAct();
  const [conflict, setConflict] = useState<Conflict>();
  const [error, setError] = useState<Error>();
  const isSending = useRef(false);
  const [keys] = useState(createRequestKeys);

  async function submit(reason: string): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setError(undefined);
    const body = makeBody({ target, action, conflict, reason });
    try {
      const idempotencyKey = keys.keyOf(JSON.stringify(body));
      const accepted = await act.mutateAsync({ rollout: target, request: body, idempotencyKey });
      followedActions.add({
        id: accepted.id,
        action: action.action,
        label: action.label,
        rolloutId: target.id,
        auditSeq: accepted.auditSeq,
      });
      onAccepted();
    } catch (caught) {
      keys.noteFailure(caught);
      await takeError(caught);
    } finally {
      isSending.current = false;
      void client.invalidateQueries({ queryKey: queryKeys.rollout(target) });
      void client.invalidateQueries({ queryKey: queryKeys.inbox() });
    }
  }

  async function takeError(caught: unknown): Promise<void> {
    const stale = readConflict(caught, action.action);
    if (stale === undefined) {
      setError(caught instanceof Error ? caught : new Error(String(caught)));
      return;
    }
    setConflict(stale.viewDigest === undefined ? await completeFromServer(stale) : stale);
  }

  /** Where the refusal does not carry the present view, it is fetched. */
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

  return { submit, isPending: act.isPending, conflict, error };
}

type BodyInput = { target: ActTarget; action: AllowedAction; conflict: Conflict | undefined; reason: string };

function makeBody({ target, action, conflict, reason }: BodyInput): ActionRequest {
  const trimmed = reason.trim();
  return {
    action: action.action,
    ...(trimmed === "" ? {} : { reason: trimmed }),
    expect: {
      viewDigest: conflict?.viewDigest ?? target.viewDigest,
      uid: conflict?.uid ?? target.uid,
      revisionKey: conflict?.revisionKey ?? target.revisionKey,
    },
  };
}
