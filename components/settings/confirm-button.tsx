"use client";

import { Button, Group } from "@mantine/core";
import { useState } from "react";

type ConfirmButtonProps = {
  label: string;
  /** What is ended, for who does not see the row. */
  what: string;
  isPending: boolean;
  onConfirm: () => void;
};

/** Two clicks for what cannot be undone, in the place of the first. */
export function ConfirmButton({ label, what, isPending, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button size="compact-sm" variant="default" aria-label={`${label} ${what}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        color="red"
        variant="outline"
        aria-label={`Really ${label.toLowerCase()} ${what}`}
        data-autofocus
        autoFocus
        loading={isPending}
        onClick={onConfirm}
      >
        Really {label.toLowerCase()}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setAsking(false)} disabled={isPending}>
        Keep
      </Button>
    </Group>
  );
}
