import { Button, Group, Text } from "@mantine/core";
import classes from "#components/ui/dialog-foot.module.css";
import { FormError } from "#components/ui/form-error.tsx";

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
}: DialogFootProps) {
  return (
    <>
      <FormError title={errorTitle} error={error} />
      <Group justify="flex-end" gap="sm">
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
