"use client";

import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useAcknowledge } from "#lib/client/inbox-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

type AcknowledgeDialogProps = { rollout: RolloutSummary; onClose: () => void };

/** Asks for a reason. Bound to the state that the row showed when the dialog was opened. */
export function AcknowledgeDialog({ rollout: live, onClose }: AcknowledgeDialogProps) {
  const [rollout] = useState(live);
  const [reason, setReason] = useState("");
  const acknowledge = useAcknowledge();
  const isEmpty = reason.trim() === "";

  function confirm(event: React.FormEvent): void {
    event.preventDefault();
    if (isEmpty || acknowledge.isPending) return;
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
            It leaves everybody's inbox until its state changes. Nothing is sent to the cluster. Find it with "Show:
            acknowledged or aborted".
          </Text>
          <Textarea
            label="Reason"
            description="Required. Recorded in the audit log."
            autosize
            minRows={2}
            maxRows={6}
            maxLength={2000}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {acknowledge.error !== null && (
            <Alert color="red" variant="outline" role="alert" title="Not acknowledged" bg="var(--gh-surface)">
              <Text size="sm">{acknowledge.error.message}</Text>
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={acknowledge.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={acknowledge.isPending} disabled={isEmpty}>
              Acknowledge {rollout.name}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
