"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { ActionButton } from "#components/actions/action-button.tsx";
import { describeGuard } from "#components/actions/assess-ask.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";

const ActionDialog = dynamic(
  () => import("#components/actions/action-dialog.tsx").then((module) => module.ActionDialog),
  { ssr: false },
);

type UndoToRevisionProps = {
  rollout: RolloutDetail;
  revision: number | null;
  /** Says so if the cluster no longer has the revision; in a list, most rows would say it. */
  showsMissing?: boolean;
};

/** Offers to go back to one revision; renders nothing for the revision that is wanted now, and to viewers. */
export function UndoToRevision({ rollout, revision, showsMissing = false }: UndoToRevisionProps) {
  const role = useMe().data?.role;
  const [isOpen, setOpen] = useState(false);
  const undo = rollout.allowedActions.find(({ action }) => action === "undo");
  if (role === undefined || role === "viewer" || rollout.presence !== "live") return null;
  if (undo === undefined || revision === null) return null;
  const offer = offerRevision(undo, revision);
  if (offer === undefined || (offer.reasonCode === "no_revision" && !showsMissing)) return null;
  return (
    <>
      <ActionButton
        action={offer}
        guard={describeGuard(offer, undefined)}
        isFirst={false}
        onChoose={() => setOpen(true)}
      />
      {isOpen && (
        <ActionDialog
          target={rollout}
          action={undo}
          startParams={{ toRevision: revision }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Narrows the undo to one revision; undefined if that is the one that the rollout wants. */
export function offerRevision(undo: AllowedAction, revision: number): AllowedAction | undefined {
  const choice = undo.revisions?.find((each) => each.revision === revision);
  const version = choice?.images.map(shortenImage).join(", ") ?? "";
  const label = `Roll back to ${version === "" ? `revision ${revision}` : version}`;
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
