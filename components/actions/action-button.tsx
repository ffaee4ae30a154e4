import { Button, Tooltip } from "@mantine/core";
import classes from "#components/actions/actions.module.css";
import { wordTimes } from "#components/ui/format-time.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ActionButtonProps = {
  action: Pick<AllowedAction, "label" | "allowed" | "protective" | "reason">;
  /** The guard between the click and its effect, in a word or two. */
  guard: string | undefined;
  isFirst: boolean;
  /** Drawn as plain text: one of many equal buttons in a list. */
  isPlain?: boolean;
  /** Drawn as an outline; `data-lead` lets a list fill the one of its row in focus. */
  isQuiet?: boolean;
  /** In a list of rows, its target: "payments/checkout". For screen readers only, since the row itself shows it. */
  about?: string;
  onChoose: () => void;
};

/** Renders an action. A blocked one stays focusable, because its reason must be readable without a mouse. */
export function ActionButton({
  action,
  guard,
  isFirst,
  isPlain = false,
  isQuiet = false,
  about,
  onChoose,
}: ActionButtonProps) {
  const label = guard === undefined ? action.label : `${action.label} · ${guard},`;
  // The tooltip is always there: a button that stays the same element keeps the focus when its action becomes possible.
  return (
    <Tooltip label={wordTimes(action.reason ?? "Not possible now.")} disabled={action.allowed}>
      <Button
        size="xs"
        variant={isPlain ? "subtle" : isFirst && !isQuiet ? "filled" : "default"}
        data-lead={isFirst && isQuiet ? true : undefined}
        className={action.protective ? classes.protective : undefined}
        aria-label={about === undefined ? undefined : `${label} ${about}`}
        data-disabled={action.allowed ? undefined : true}
        aria-disabled={action.allowed ? undefined : true}
        onClick={(event) => {
          event.preventDefault();
          if (action.allowed) onChoose();
        }}
      >
        {action.label}
        {guard !== undefined && <span className={classes.guard}> · {guard}</span>}
      </Button>
    </Tooltip>
  );
}
