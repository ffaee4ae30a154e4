"use client";

import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ReasonField } from "#components/ui/reason-field.tsx";
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

  function confirm(event: React.FormEvent): void {
    event.preventDefault();
    setSent(true);
    if (isBlank(reason) || acknowledge.isPending) return;
    acknowledge.mutate(
      { rollout, body: { reason: reason.trim(), viewDigest: rollout.viewDigest } },
      { onSuccess: onClose },
    );
  }

  return (
    <Modal
      opened
      onClose={acknowledge.isPending ? () => undefined : onClose}
      title={
        <Text component="span" fw={600} size="lg">
          Acknowledge {rollout.namespace}/{rollout.name}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={confirm} noValidate>
        <Stack gap="md">
          <Text size="sm">
            Hides it for everyone until its state changes, under Acknowledged at the end of the inbox. Nothing is sent
            to the cluster.
          </Text>
          <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} />
          <DialogFoot
            label={`Acknowledge ${rollout.name}`}
            onCancel={onClose}
            isPending={acknowledge.isPending}
            error={acknowledge.error}
            errorTitle="Not acknowledged"
          />
        </Stack>
      </form>
    </Modal>
  );
}
