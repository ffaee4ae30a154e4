"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { type ActTarget, arrangeActions, blockAdvancing, nameOf } from "#components/actions/act-target.ts";
import { ActionButton } from "#components/actions/action-button.tsx";
import classes from "#components/actions/actions.module.css";
import { describeGuard, findOwnApproval } from "#components/actions/assess-ask.ts";
import { defaultParams } from "#components/actions/param-fields.tsx";
import { useFreshness } from "#components/ui/use-freshness.ts";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

const ActionDialog = dynamic(
  () => import("#components/actions/action-dialog.tsx").then((module) => module.ActionDialog),
  {
    ssr: false,
  },
);

const ActionMenu = dynamic(() => import("#components/actions/action-menu.tsx").then((module) => module.ActionMenu), {
  ssr: false,
  loading: () => (
    <Button size="xs" variant="default" disabled={true}>
      More
    </Button>
  ),
});

type ActionButtonsProps = {
  target: ActTarget;
  actions: readonly AllowedAction[];
  /**
   * Shows disabled buttons with their reason, and the menu. Otherwise only allowed actions that answer the wait, or that
   * restore an earlier version.
   */
  showsAll?: boolean;
  /** One of many rows: no button is filled by itself. */
  isQuiet?: boolean;
  /** The row no longer waits: an open dialog stays and says what happened. */
  isGone?: boolean;
  /** Opens the dialog of this action, if it is allowed. */
  opens?: string | undefined;
  onOpened?: () => void;
};

/**
 * Shows a rollout's actions: those that answer its state or its critical finding as buttons, abort apart, the rest in a
 * menu; none to viewers.
 */
export function ActionButtons({
  target,
  actions,
  showsAll = false,
  isQuiet = false,
  isGone = false,
  opens,
  onOpened,
}: ActionButtonsProps) {
  const role = useMe().data?.role;
  const [chosen, setChosen] = useState<AllowedAction>();
  useEffect(() => {
    if (opens === undefined || role === undefined) return;
    setChosen(actions.find(({ action, allowed }) => action === opens && allowed));
    onOpened?.();
  }, [opens, role, actions, onOpened]);
  const isUnanswered = useFreshness().words === "no answer";
  const asksSecond = actions.some(({ needs }) => needs.secondPerson !== null);
  // The rows of a list share one query.
  const approvals = useOpenApprovals(showsAll ? target : undefined, asksSecond && role !== "viewer").items ?? [];
  if (role === undefined || role === "viewer") return null;
  const dialog = chosen !== undefined && (
    <ActionDialog
      target={target}
      action={chosen}
      startParams={findNamed(chosen)}
      onClose={() => setChosen(undefined)}
    />
  );
  if (isGone) return dialog;

  const known = isUnanswered ? actions.map(blockAdvancing) : actions;
  const arranged = arrangeActions(showsAll ? known : known.filter(({ allowed }) => allowed));
  const { apart } = arranged;
  const restoring = showsAll && target.attention?.reason !== "finding" ? [] : arranged.more.filter(isRestoring);
  const answers = [...arranged.answers, ...restoring];
  const more = arranged.more.filter((action) => !restoring.includes(action));
  const firstAllowed = answers.find(({ allowed }) => allowed);
  const guardOf = (action: AllowedAction) => describeGuard(action, findOwnApproval({ approvals, target, action }));
  const toButton = (action: AllowedAction) => (
    <ActionButton
      key={action.action}
      action={action}
      guard={guardOf(action)}
      isFirst={action === firstAllowed}
      isQuiet={isQuiet}
      about={isQuiet ? `${target.namespace}/${nameOf(target)}` : undefined}
      onChoose={() => setChosen(action)}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form.
    <div className={classes.buttons} role="group" aria-label={`Actions on ${target.name}`}>
      {answers.map(toButton)}
      {showsAll && more.length > 0 && (
        <ActionMenu name={target.name} actions={more} guardOf={guardOf} onChoose={setChosen} />
      )}
      {apart.length > 0 && <span className={classes.apart}>{apart.map(toButton)}</span>}
      {isUnanswered && <WithKubectl actions={actions} isOpen={showsAll} />}
      {dialog}
    </div>
  );
}

/** Shows the equivalent commands while Gatehouse does not answer, for the actions allowed at its last answer. */
export function WithKubectl({ actions, isOpen }: { actions: readonly AllowedAction[]; isOpen: boolean }) {
  const commands = actions.filter(({ allowed, kubectl }) => allowed && kubectl !== undefined);
  if (commands.length === 0) return null;
  return (
    <details open={isOpen} className={classes.kubectl}>
      <summary>Without Gatehouse, based on its last answer</summary>
      {commands.some(({ protective }) => !protective) && (
        <p>
          These commands match what this page shows. Check the rollout first: if it has moved on, a command that
          continues or skips sets it back.
        </p>
      )}
      <dl>
        {commands.map(({ action, label, kubectl }) => (
          <div key={action}>
            <dt>{label}</dt>
            <dd>
              <code className={classes.code}>{kubectl}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What answers a critical finding: going back to the version before. */
function isRestoring({ action, allowed }: AllowedAction): boolean {
  return action === "undo" && allowed;
}

/** Returns the revision that the button of an undo names: the cluster may offer others, such as an aborted one. */
function findNamed(action: AllowedAction): ActionParams | undefined {
  const named = action.action === "undo" ? defaultParams(action) : {};
  return named.toRevision === undefined ? undefined : named;
}
