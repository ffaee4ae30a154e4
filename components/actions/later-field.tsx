import { TextInput } from "@mantine/core";
import { fromLocalInput, toLocalInput } from "#components/ui/local-input.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { longestScheduleDays } from "#lib/domain/acting/schedule.ts";

type LaterFieldProps = {
  /** ISO 8601; null if none was typed. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** The form was sent: the field reports a time that is missing or out of bounds. */
  isWrong: boolean;
};

/** Takes the time for which an action is scheduled, in the zone in which times are shown. */
export function LaterField({ value, onChange, isWrong }: LaterFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label="Schedule for"
      description={`In the time zone ${shownTimeZone()}. Only if nothing has changed by then.`}
      value={value === null ? "" : toLocalInput(value)}
      error={isWrong ? `Choose a time within the next ${longestScheduleDays} days.` : undefined}
      onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
    />
  );
}

/** Returns whether an action can be scheduled for the time. */
export function isSchedulable(dueAt: string | null, nowMs: number): dueAt is string {
  const at = dueAt === null ? Number.NaN : Date.parse(dueAt);
  return at > nowMs && at <= nowMs + longestScheduleDays * 86_400_000;
}

/** Returns whether an action can be scheduled: approvals are used at once. Freezes and sets are judged at its time. */
export function mayBeLater({ secondPerson }: AllowedAction["needs"]): boolean {
  return secondPerson === null;
}
