"use client";

import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { listSnoozeChoices, type SnoozeChoice, type SnoozeLimits, untilOf } from "#components/inbox/snooze-choices.ts";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { fromLocalInput, toLocalInput } from "#components/ui/local-input.ts";
import { useNow } from "#components/ui/use-now.ts";
import { useSnooze } from "#lib/client/inbox-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { isBlank } from "#lib/util/text.ts";

type SnoozeDialogProps = { rollout: RolloutSummary; limits: SnoozeLimits; onClose: () => void };

/** Asks until when, and why. Bound to the state that the row showed when the dialog was opened. */
export function SnoozeDialog({ rollout: live, limits, onClose }: SnoozeDialogProps) {
  const [rollout] = useState(live);
  const [choice, setChoice] = useState<SnoozeChoice>("15min");
  const [typed, setTyped] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const snooze = useSnooze();
  const nowMs = useNow();
  const { maxHours } = limits;
  const isTimeWrong = choice === "time" && untilOf("time", { nowMs, typed, maxHours }) === undefined;

  function confirm(): void {
    setSent(true);
    const until = untilOf(choice, { nowMs: serverNowMs(), typed, maxHours });
    if (isBlank(reason) || until === undefined) return;
    snooze.mutate(
      { rollout, body: { reason: reason.trim(), viewDigest: rollout.viewDigest, until } },
      { onSuccess: onClose },
    );
  }

  return (
    <FormDialog
      title={`Snooze ${rollout.namespace}/${rollout.name}`}
      request={snooze}
      onSubmit={confirm}
      onClose={onClose}
      label={`Snooze ${rollout.name}`}
      errorTitle="Not snoozed"
    >
      <Text size="sm">
        Hides it for everyone, under Snoozed at the end of the inbox. It comes back at once if it gets worse or waits
        for something else. Nothing is sent to the cluster.
      </Text>
      <Radio.Group label="How long" value={choice} onChange={(value) => setChoice(value as SnoozeChoice)}>
        <Stack gap="xs" mt="xs">
          {listSnoozeChoices(nowMs, limits).map(({ value, label, obstacle }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={obstacle}
              disabled={obstacle !== undefined}
              data-autofocus={value === "15min" || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {choice === "time" && (
        <TextInput
          type="datetime-local"
          label="Time"
          description={`In the time zone ${shownTimeZone()}, at most ${maxHours} h from now.`}
          value={typed === null ? "" : toLocalInput(typed)}
          min={toLocalInput(new Date(nowMs).toISOString())}
          max={toLocalInput(new Date(nowMs + maxHours * 3_600_000).toISOString())}
          error={isSent && isTimeWrong ? `Choose a time within the next ${maxHours} h.` : undefined}
          onChange={(event) => setTyped(fromLocalInput(event.currentTarget.value))}
        />
      )}
      <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} takesFocus={false} />
    </FormDialog>
  );
}
