import { Modal, Stack, Text } from "@mantine/core";
import { DialogFoot, type DialogFootProps } from "#components/ui/dialog-parts.tsx";

type FormDialogProps = Omit<DialogFootProps, "onCancel" | "isPending" | "error"> & {
  title: React.ReactNode;
  size?: "lg";
  /** The request that the form sends: meanwhile the dialog stays, and the form is not sent again. */
  request: { isPending: boolean; error?: Error | null };
  onSubmit: () => void;
  onClose: () => void;
  children: React.ReactNode;
};

/** Asks in a dialog before something is sent. */
export function FormDialog({ title, size, request, onSubmit, onClose, children, ...foot }: FormDialogProps) {
  const { isPending, error = null } = request;

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    if (!isPending) onSubmit();
  }

  return (
    <Modal
      opened
      onClose={isPending ? () => undefined : onClose}
      {...(size === undefined ? {} : { size })}
      title={
        <Text component="span" fw={600} size="lg">
          {title}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {children}
          <DialogFoot {...foot} onCancel={onClose} isPending={isPending} error={error} />
        </Stack>
      </form>
    </Modal>
  );
}

type RemoveDialogProps = Pick<DialogFootProps, "errorTitle"> & {
  name: string;
  request: { isPending: boolean; error: Error | null };
  onRemove: () => void;
  onClose: () => void;
  /** The consequences. */
  children: React.ReactNode;
};

/** Asks before an item of a list is removed. */
export function RemoveDialog({ name, onRemove, children, ...dialog }: RemoveDialogProps) {
  return (
    <FormDialog {...dialog} title={`Remove ${name}?`} label="Remove" isDanger onSubmit={onRemove}>
      {children}
    </FormDialog>
  );
}
