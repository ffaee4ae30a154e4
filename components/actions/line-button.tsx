import { Anchor } from "@mantine/core";
import type { Ref } from "react";

type LineButtonProps = {
  /** Names what it is about, since many rows have the same words. */
  label: string;
  onClick: () => void;
  /** A request is on its way: it stays where it is and keeps the focus, and does nothing. */
  isBusy?: boolean;
  /** The key for claiming presses it. */
  isClaim?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: React.ReactNode;
};

/** Renders a button that looks like the links beside it. */
export function LineButton({ label, onClick, isBusy = false, isClaim = false, ref, children }: LineButtonProps) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ref={ref}
      aria-disabled={isBusy || undefined}
      aria-label={label}
      data-claim={isClaim || undefined}
      onClick={isBusy ? undefined : onClick}
    >
      {children}
    </Anchor>
  );
}
