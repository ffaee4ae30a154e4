import { Anchor } from "@mantine/core";
import type { Ref } from "react";

type LineButtonProps = {
  /** Names the button's target, since many rows have the same words. */
  label: string;
  onClick: () => void;
  /** A request is pending: the button keeps its place and the focus, and ignores clicks. */
  isBusy?: boolean;
  /** The keyboard shortcut for claiming presses it. */
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
