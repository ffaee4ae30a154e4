"use client";

import { Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { CopyText } from "#components/ui/copy-text.tsx";
import classes from "#components/ui/secret-once.module.css";

type SecretOnceProps = {
  /** Advice about the secret, below the sentence that Gatehouse cannot show it again. */
  children?: React.ReactNode;
  /** The text that is shown and copied. */
  text: string;
  /** Name of the text, for screen readers. */
  label: string;
  /** Object of the verb on the button, such as `the secret`. */
  copies: string;
  onClose: () => void;
};

/** Shows a secret that was just created: closing discards it. */
export function SecretOnce({ children, text, label, copies, onClose }: SecretOnceProps) {
  return (
    <Stack gap="md">
      <Text>Copy {copies} now: Gatehouse keeps no copy and cannot show it again.</Text>
      {children}
      <Code block className={classes.secret} aria-label={label}>
        {text}
      </Code>
      <Group justify="flex-end" gap="sm">
        <CopyText text={text} label={`Copy ${copies}`} />
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

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
