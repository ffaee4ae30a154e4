"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { ActionButton } from "#components/actions/action-button.tsx";
import { describeGuard } from "#components/actions/assess-ask.ts";
import { labelOf } from "#components/actions/label-of.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { AllowedAction, Release, RolloutDetail } from "#lib/contract/rollout.ts";

const ActionDialog = dynamic(
  () => import("#components/actions/action-dialog.tsx").then((module) => module.ActionDialog),
  { ssr: false },
);

type UndoToRevisionProps = {
  rollout: RolloutDetail;
  release: Release;
  /**
   * In a list of releases: a quiet button, none for a revision that the cluster no longer has, and none for the stable
   * one while an abort returns to it.
   */
  isListed?: boolean;
};

/** Offers to go back to one release; renders nothing for the revision that is wanted now, and to viewers. */
export function UndoToRevision({ rollout, release, isListed = false }: UndoToRevisionProps) {
  const { revision } = release;
  const role = useMe().data?.role;
  const [isOpen, setOpen] = useState(false);
  const undo = rollout.allowedActions.find(({ action }) => action === "undo");
  if (role === undefined || role === "viewer" || rollout.presence !== "live") return null;
  if (undo === undefined || revision === null) return null;
  const offer = offerRevision(undo, revision);
  if (offer === undefined || (isListed && (offer.reasonCode === "no_revision" || isAbortTarget(rollout, revision))))
    return null;
  return (
    <>
      <ActionButton
        action={isListed ? { ...offer, label: "Roll back" } : offer}
        about={isListed ? offer.label.replace("Roll back ", "") : undefined}
        guard={describeGuard(offer, undefined)}
        isFirst={false}
        isPlain={isListed}
        onChoose={() => setOpen(true)}
      />
      {isOpen && (
        <ActionDialog
          target={rollout}
          action={undo}
          startParams={{ toRevision: revision }}
          release={release}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Returns whether an abort, which is possible now, returns to this revision. */
export function isAbortTarget({ allowedActions }: Pick<RolloutDetail, "allowedActions">, revision: number): boolean {
  const mayAbort = allowedActions.some(({ action, allowed }) => action === "abort" && allowed);
  const choices = allowedActions.find(({ action }) => action === "undo")?.revisions ?? [];
  return mayAbort && choices.some((each) => each.revision === revision && each.stable);
}

/** Narrows the undo to one revision; undefined if that is the one that the rollout wants. */
export function offerRevision(undo: AllowedAction, revision: number): AllowedAction | undefined {
  const choice = undo.revisions?.find((each) => each.revision === revision);
  const label = labelOf(undo, { toRevision: revision });
  if (choice?.current === true) return undefined;
  if (!undo.allowed || choice !== undefined) return { ...undo, label };
  return {
    ...undo,
    label,
    allowed: false,
    reasonCode: "no_revision",
    reason: `The cluster no longer has the ReplicaSet of revision ${revision}.`,
  };
}
