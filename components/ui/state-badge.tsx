import type { ShownState } from "#components/ui/classify-state.ts";
import classes from "#components/ui/state-badge.module.css";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { stateTokens } from "#components/ui/state-tokens.ts";

type StateBadgeProps = {
  shown: ShownState;
  /** `plain` has no background, for dense rows and running text. */
  variant?: "tinted" | "plain";
  size?: "sm" | "md";
};

/** Shows a state as icon, word and colour, the same everywhere. */
export function StateBadge({ shown, variant = "tinted", size = "md" }: StateBadgeProps) {
  return (
    <span className={classes.badge} data-hue={stateTokens[shown.state].hue} data-variant={variant} data-size={size}>
      <StateIcon state={shown.state} size={size === "sm" ? 14 : 16} />
      <span>{shown.word}</span>
    </span>
  );
}
