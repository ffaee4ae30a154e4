"use client";

import { Button, Group } from "@mantine/core";
import { useState } from "react";

type ConfirmButtonProps = {
  label: string;
  /** What will be ended, for people who cannot see the row. */
  what: string;
  isPending: boolean;
  onConfirm: () => void;
};

/** Asks for a second click, in the same place, before something that cannot be undone. */
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
