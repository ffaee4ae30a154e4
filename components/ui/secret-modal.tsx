"use client";

import { Modal, Text } from "@mantine/core";

type SecretModalProps = {
  title: string;
  isPending: boolean;
  /** It shows a secret: a stray click outside the dialog must not lose it. */
  hasSecret: boolean;
  onClose: () => void;
  children: React.ReactNode;
};

/** Frames a dialog that creates a secret and then shows it once. */
export function SecretModal({ title, isPending, hasSecret, onClose, children }: SecretModalProps) {
  return (
    <Modal
      opened
      onClose={isPending ? () => undefined : onClose}
      size="lg"
      closeOnClickOutside={!hasSecret}
      title={
        <Text component="span" fw={600} size="lg">
          {title}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {children}
    </Modal>
  );
}
