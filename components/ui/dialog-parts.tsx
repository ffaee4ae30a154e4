import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import { describeMissingTickets, describeTickets, type TicketNeeds } from "#components/ui/describe-tickets.ts";
import classes from "#components/ui/dialog-parts.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { isBlank } from "#lib/util/text.ts";

export type DialogFootProps = {
  /** Label of the button that submits. */
  label: string;
  onCancel: () => void;
  isPending: boolean;
  isDisabled?: boolean;
  isDanger?: boolean;
  /** The condition to meet before the button works. */
  obstacle?: string | undefined;
  /** The error of the last attempt, under a title that says that nothing was done. */
  error?: Error | null;
  errorTitle?: string;
  /** A smaller choice, at the other end of the row. */
  beside?: React.ReactNode;
};

/** Renders the end of a form in a dialog: why it failed, Cancel, and the submit button. A long label wraps. */
export function DialogFoot({
  label,
  onCancel,
  isPending,
  isDisabled = false,
  isDanger = false,
  obstacle,
  error = null,
  errorTitle,
  beside,
}: DialogFootProps) {
  return (
    <>
      <FormError title={errorTitle} error={error} />
      <Group justify="flex-end" gap="sm">
        {beside !== undefined && beside !== false && <div className={classes.beside}>{beside}</div>}
        {obstacle !== undefined && (
          <Text size="sm" c="dimmed" flex="1 1 12rem">
            {obstacle}
          </Text>
        )}
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={isPending}
          disabled={isDisabled}
          className={isDanger ? `${classes.confirm} ${classes.danger}` : classes.confirm}
        >
          {label}
        </Button>
      </Group>
    </>
  );
}

type ReasonFieldProps = {
  value: string;
  onChange: (reason: string) => void;
  isRequired: boolean;
  /** The tickets that it has to name. */
  tickets?: TicketNeeds;
  /** The action is scheduled: tickets are checked at its time. */
  isLater?: boolean;
  /** The form was submitted: the field reports what it lacks. */
  isSent?: boolean;
  takesFocus?: boolean;
};

/** Takes the reason for an action, for the audit log. */
export function ReasonField({
  value,
  onChange,
  isRequired,
  tickets = [],
  isLater = false,
  isSent = false,
  takesFocus = true,
}: ReasonFieldProps) {
  const lack = isBlank(value) ? "Enter a reason." : describeMissingTickets(tickets, value);
  const description = [
    isRequired ? "Required." : "Optional.",
    ...(tickets.length === 0 ? [] : [describeTickets(tickets, value, { isLater })]),
    "Recorded in the audit log.",
  ];
  return (
    <Textarea
      label="Reason"
      description={description.join(" ")}
      withAsterisk={isRequired}
      aria-required={isRequired}
      autosize
      minRows={2}
      maxRows={6}
      maxLength={2000}
      data-autofocus={takesFocus ? true : undefined}
      value={value}
      error={isRequired && isSent ? lack : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Says why the last attempt of a form failed, under a title that says that nothing was done; nothing without an error. */
export function FormError({ title, error }: { title: string | undefined; error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" variant="outline" role="alert" title={title} bg="var(--gh-surface)">
      <Text size="sm">
        <HostileText text={error.message} />
      </Text>
    </Alert>
  );
}
