"use client";

import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import classes from "#components/ui/secret-once.module.css";

type SecretOnceProps = {
  /** What to know about it, after the sentence that nobody can show it again. */
  children?: React.ReactNode;
  /** What is shown and copied. */
  text: string;
  /** What it is, for people who cannot see it. */
  label: string;
  /** What the button copies, such as `the secret`. */
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
        <CopyButton value={text} timeout={4000}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? "Copied" : `Copy ${copies}`}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
