import { Button, Tooltip } from "@mantine/core";
import classes from "#components/actions/actions.module.css";
import { labelOf } from "#components/actions/label-of.ts";
import { wordTimes } from "#components/ui/format-time.ts";
import { IconCheck, IconPlayerSkipForward } from "#components/ui/icons.tsx";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ActionButtonProps = {
  action: Pick<AllowedAction, "action" | "label" | "allowed" | "protective" | "reason" | "waives" | "revisions">;
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

/** The difference between the two actions that settle an Inconclusive result. */
const hints: Partial<Record<AllowedAction["action"], string>> = {
  "accept-step": "Counts the step's Inconclusive analysis as passed. It is not repeated.",
  "continue-waive": "Sets the Inconclusive background analysis aside. A new run starts measuring.",
};
const signs: Partial<Record<AllowedAction["action"], typeof IconCheck>> = {
  "accept-step": IconCheck,
  "continue-waive": IconPlayerSkipForward,
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
  const words = labelOf(action);
  const label = guard === undefined ? words : `${words} · ${guard},`;
  const hint = hints[action.action];
  const Sign = signs[action.action];
  // No filled button overrides a contrary result, or runs a failed version again.
  const mayFill = action.waives === undefined && !isRerun(action.action);
  const isFilled = isFirst && !isQuiet && mayFill;
  // The tooltip is always there: a button that stays the same element keeps the focus when its action becomes possible.
  return (
    <Tooltip
      label={action.allowed ? hint : wordTimes(action.reason ?? "Not possible now.")}
      disabled={action.allowed && hint === undefined}
      multiline
      maw={320}
    >
      <Button
        size="xs"
        variant={isPlain ? "subtle" : isFilled ? "filled" : "default"}
        leftSection={Sign === undefined ? undefined : <Sign size={14} stroke={1.8} aria-hidden="true" />}
        data-lead={isFirst && isQuiet ? true : undefined}
        data-unfilled={mayFill ? undefined : true}
        className={action.protective ? classes.protective : undefined}
        aria-label={about === undefined ? undefined : `${label} ${about}`}
        data-disabled={action.allowed ? undefined : true}
        aria-disabled={action.allowed ? undefined : true}
        onClick={(event) => {
          event.preventDefault();
          if (action.allowed) onChoose();
        }}
      >
        {words}
        {guard !== undefined && <span className={classes.guard}> · {guard}</span>}
      </Button>
    </Tooltip>
  );
}

function isRerun(action: AllowedAction["action"]): boolean {
  return action === "retry" || action === "retrigger";
}
