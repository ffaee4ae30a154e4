"use client";

import { Button, Tooltip } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { type ActTarget, blockAdvancing, sortActions } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { useFreshness } from "#components/ui/use-freshness.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

const ActionDialog = dynamic(
  () => import("#components/actions/action-dialog.tsx").then((module) => module.ActionDialog),
  {
    ssr: false,
  },
);

type ActionButtonsProps = {
  target: ActTarget;
  actions: readonly AllowedAction[];
  /** Greyed buttons with their reason; without it only what is allowed is shown. */
  showsBlocked?: boolean;
  /** What the decision rests on, repeated in the dialog. */
  evidence?: React.ReactNode;
};

/** The actions of a rollout as buttons. Who may only look gets none. */
export function ActionButtons({ target, actions, showsBlocked = false, evidence }: ActionButtonsProps) {
  const role = useMe().data?.role;
  const [chosen, setChosen] = useState<AllowedAction>();
  const isUnanswered = useFreshness().words === "no answer";
  if (role === undefined || role === "viewer") return null;

  const known = isUnanswered ? actions.map(blockAdvancing) : actions;
  const { advancing, protective } = sortActions(showsBlocked ? known : known.filter(({ allowed }) => allowed));
  const firstAllowed = advancing.find(({ allowed }) => allowed);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form.
    <div className={classes.buttons} role="group" aria-label={`Actions on ${target.name}`}>
      {advancing.map((action) => (
        <ActionButton key={action.action} action={action} isFirst={action === firstAllowed} onChoose={setChosen} />
      ))}
      {protective.length > 0 && (
        <span className={classes.apart}>
          {protective.map((action) => (
            <ActionButton key={action.action} action={action} isFirst={false} onChoose={setChosen} />
          ))}
        </span>
      )}
      {chosen !== undefined && (
        <ActionDialog target={target} action={chosen} evidence={evidence} onClose={() => setChosen(undefined)} />
      )}
    </div>
  );
}

type ActionButtonProps = { action: AllowedAction; isFirst: boolean; onChoose: (action: AllowedAction) => void };

/** A blocked action stays focusable, because the reason why it is blocked must be readable without a mouse. */
function ActionButton({ action, isFirst, onChoose }: ActionButtonProps) {
  const button = (
    <Button
      size="xs"
      variant={isFirst ? "filled" : "default"}
      className={action.protective ? classes.protective : undefined}
      data-disabled={action.allowed ? undefined : true}
      aria-disabled={action.allowed ? undefined : true}
      onClick={(event) => {
        event.preventDefault();
        if (action.allowed) onChoose(action);
      }}
    >
      {action.label}
    </Button>
  );
  if (action.allowed) return button;
  return <Tooltip label={action.reason ?? "Not possible now."}>{button}</Tooltip>;
}
