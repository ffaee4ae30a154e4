"use client";

import { Accordion, Alert, Button, Code, Group, Modal, Stack, Table, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { ActTarget } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { formatViewValue } from "#components/actions/format-change.ts";
import type { Conflict } from "#components/actions/read-conflict.ts";
import { useActionRequest } from "#components/actions/use-action-request.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ApiError } from "#lib/client/api-error.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ActionDialogProps = { target: ActTarget; action: AllowedAction; evidence?: React.ReactNode; onClose: () => void };

/**
 * Says what will happen, then asks. Target and action are those of the click: updates that arrive meanwhile must not
 * change what the person is confirming.
 */
export function ActionDialog({ target: liveTarget, action: liveAction, evidence, onClose }: ActionDialogProps) {
  const [target] = useState(liveTarget);
  const [chosen] = useState(liveAction);
  const [reason, setReason] = useState("");
  const [isReasonMissing, setReasonMissing] = useState(false);
  const { submit, isPending, conflict, error } = useActionRequest({ target, action: chosen, onAccepted: onClose });
  const action = conflict?.action ?? chosen;
  const isBlocked = conflict !== undefined && (!action.allowed || conflict.viewDigest === undefined);

  function confirm(event: React.FormEvent): void {
    event.preventDefault();
    const isMissing = action.needs.reason && reason.trim() === "";
    setReasonMissing(isMissing);
    if (!isMissing && !isBlocked) void submit(reason);
  }

  return (
    <Modal
      opened
      onClose={isPending ? () => undefined : onClose}
      size="lg"
      title={
        <Text component="span" fw={600} size="lg">
          {action.label}: {target.namespace}/{target.name}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={confirm} noValidate>
        <Stack gap="md">
          {conflict !== undefined && <SeenAndNow conflict={conflict} isBlocked={isBlocked} />}
          <div>
            <Text>{action.effect ?? `${action.label} on ${target.name} in ${target.cluster}.`}</Text>
            {action.waives !== undefined && <Text className={classes.waives}>Waives: {action.waives}</Text>}
            {isBlocked && action.reason !== undefined && <Text c="var(--gh-red-text)">{action.reason}</Text>}
          </div>
          {evidence !== undefined && <div className={classes.evidence}>{evidence}</div>}
          <Textarea
            label="Reason"
            description={
              action.needs.reason ? "Required. It stands in the audit log." : "Optional. It stands in the audit log."
            }
            withAsterisk={action.needs.reason}
            aria-required={action.needs.reason}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={2000}
            data-autofocus
            value={reason}
            error={isReasonMissing && reason.trim() === "" ? "Say why; this action needs a reason." : undefined}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <WhatIsSent action={action} />
          {error !== undefined && <Refusal error={error} label={action.label} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={isBlocked}
              className={action.protective ? `${classes.confirm} ${classes.danger}` : classes.confirm}
            >
              {action.label} {target.name}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function SeenAndNow({ conflict, isBlocked }: { conflict: Conflict; isBlocked: boolean }) {
  return (
    <Alert
      color="orange"
      variant="outline"
      role="alert"
      title="The rollout changed while you were looking"
      bg="var(--gh-surface)"
    >
      <Stack gap="xs">
        <Text size="sm">
          {conflict.detail} Nothing was done. {isBlocked ? "" : "Check what changed, then confirm again or cancel."}
        </Text>
        {conflict.changes.length > 0 && (
          <Table className={classes.seenNow} verticalSpacing={4}>
            <Table.Caption>What you saw, and what is there now</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">What</Table.Th>
                <Table.Th scope="col">Seen</Table.Th>
                <Table.Th scope="col">Now</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {conflict.changes.map(({ field, seen, now }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{field}</Table.Th>
                  <Table.Td>{seen === null ? "not known" : formatViewValue(seen)}</Table.Td>
                  <Table.Td className={classes.now}>{formatViewValue(now)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Alert>
  );
}

function WhatIsSent({ action }: { action: AllowedAction }) {
  const patches = action.patches ?? [];
  if (patches.length === 0 && action.kubectl === undefined) return null;
  return (
    <Accordion
      variant="default"
      chevronPosition="left"
      styles={{ content: { padding: 0 }, control: { paddingInline: 0 } }}
    >
      <Accordion.Item value="sent" style={{ border: 0 }}>
        <Accordion.Control>
          <Text size="sm">What is sent to the cluster</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            {action.kubectl !== undefined && (
              <Code block className={classes.code}>
                {action.kubectl}
              </Code>
            )}
            {patches.map(({ subresource, body }) => (
              <div key={subresource + JSON.stringify(body)}>
                <Text size="xs" c="dimmed">
                  {subresource === "" ? "Merge patch of the object" : `Merge patch of its ${subresource}`}
                </Text>
                <Code block className={classes.code}>
                  {JSON.stringify(body, null, 2)}
                </Code>
              </div>
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function Refusal({ error, label }: { error: Error; label: string }) {
  const isUnanswered = error instanceof ApiError && error.code === "network";
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={isUnanswered ? "No answer" : `${label} was refused`}
      bg="var(--gh-surface)"
    >
      <Text size="sm">
        <HostileText text={error.message} />
        {isUnanswered && " It may or may not have been done; asking again is safe, it is the same request."}
      </Text>
      {error instanceof ApiError && error.requestId !== undefined && (
        <Text size="xs" c="dimmed">
          Request {error.requestId}
        </Text>
      )}
    </Alert>
  );
}
