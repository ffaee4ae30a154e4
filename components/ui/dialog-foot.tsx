import { Alert, Button, Group, Text } from "@mantine/core";
import classes from "#components/ui/dialog-foot.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";

type DialogFootProps = {
  /** The words of the button that does it. */
  label: string;
  onCancel: () => void;
  isPending: boolean;
  isDisabled?: boolean;
  isDanger?: boolean;
  /** What must happen before the button works. */
  obstacle?: string | undefined;
  /** What the last attempt was answered, under a title that says that nothing was done. */
  error?: Error | null;
  errorTitle?: string;
};

/** The end of a form in a dialog: why it failed, Cancel, and the button that sends it. A long label breaks. */
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
      {error !== null && (
        <Alert color="red" variant="outline" role="alert" title={errorTitle} bg="var(--gh-surface)">
          <Text size="sm">
            <HostileText text={error.message} />
          </Text>
        </Alert>
      )}
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
