"use client";

import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ReasonField } from "#components/ui/reason-field.tsx";
import { useAcknowledgeFinding } from "#lib/client/finding-queries.ts";
import { isBlank } from "#lib/util/text.ts";

type AcknowledgeFindingDialogProps = { finding: { id: string; title: string }; onClose: () => void };

/** Asks for a reason. Nothing is sent to the cluster. */
export function AcknowledgeFindingDialog({ finding, onClose }: AcknowledgeFindingDialogProps) {
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const acknowledge = useAcknowledgeFinding();

  function confirm(event: React.FormEvent): void {
    event.preventDefault();
    setSent(true);
    if (isBlank(reason) || acknowledge.isPending) return;
    acknowledge.mutate({ id: finding.id, reason: reason.trim() }, { onSuccess: onClose });
  }

  return (
    <Modal
      opened
      onClose={acknowledge.isPending ? () => undefined : onClose}
      title={
        <Text component="span" fw={600} size="lg">
          Acknowledge the finding
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={confirm} noValidate>
        <Stack gap="md">
          <Text size="sm">
            <HostileText text={finding.title} />
          </Text>
          <Text size="sm" c="dimmed">
            It no longer counts as open for anyone until it becomes more severe or comes back. Nothing is sent to the
            cluster.
          </Text>
          <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} />
          <DialogFoot
            label="Acknowledge"
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
