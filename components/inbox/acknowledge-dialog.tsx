"use client";

import { Text } from "@mantine/core";
import { useState } from "react";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { useAcknowledge } from "#lib/client/inbox-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { isBlank } from "#lib/util/text.ts";

type AcknowledgeDialogProps = { rollout: RolloutSummary; onClose: () => void };

/** Asks for a reason. Bound to the state that the row showed when the dialog was opened. */
export function AcknowledgeDialog({ rollout: live, onClose }: AcknowledgeDialogProps) {
  const [rollout] = useState(live);
  const [reason, setReason] = useState("");
  const acknowledge = useAcknowledge();
  const [isSent, setSent] = useState(false);

  function confirm(): void {
    setSent(true);
    if (isBlank(reason)) return;
    acknowledge.mutate(
      { rollout, body: { reason: reason.trim(), viewDigest: rollout.viewDigest } },
      { onSuccess: onClose },
    );
  }

  return (
    <FormDialog
      title={`Acknowledge ${rollout.namespace}/${rollout.name}`}
      request={acknowledge}
      onSubmit={confirm}
      onClose={onClose}
      label={`Acknowledge ${rollout.name}`}
      errorTitle="Not acknowledged"
    >
      <Text size="sm">
        Hides it for everyone until its state changes, under Acknowledged at the end of the inbox. Nothing is sent to
        the cluster.
      </Text>
      <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} />
    </FormDialog>
  );
}
