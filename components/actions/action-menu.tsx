"use client";

import { Button, Menu } from "@mantine/core";
import { Fragment, useState } from "react";
import classes from "#components/actions/actions.module.css";
import { labelOf } from "#components/actions/label-of.ts";
import { wordTimes } from "#components/ui/format-time.ts";
import { IconChevronDown, IconChevronRight } from "#components/ui/icons.tsx";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ActionMenuProps = {
  name: string;
  actions: readonly AllowedAction[];
  guardOf: (action: AllowedAction) => string | undefined;
  onChoose: (action: AllowedAction) => void;
};

/**
 * Shows the actions that the state does not call for. Below the possible ones, the others are folded; they can be
 * reached with the arrow keys and say why they are disabled. A reason that several share is shown once, below them.
 */
export function ActionMenu({ name, actions, guardOf, onChoose }: ActionMenuProps) {
  const possible = actions.filter(({ allowed }) => allowed);
  const impossible = actions.filter(({ allowed }) => !allowed);
  const [isUnfolded, setUnfolded] = useState(false);
  const refusals = isUnfolded || possible.length === 0 ? groupRefusals(impossible) : [];
  return (
    <Menu
      onClose={() => setUnfolded(false)}
      position="bottom-start"
      width={320}
      withinPortal
      shadow="md"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          aria-label={`More actions on ${name}`}
        >
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {possible.map((action) => (
          <Menu.Item key={action.action} onClick={() => onChoose(action)}>
            <ItemLabel action={action} guard={guardOf(action)} />
            <span className={classes.itemWhy}>{action.effect}</span>
          </Menu.Item>
        ))}
        {possible.length > 0 && impossible.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item
              closeMenuOnClick={false}
              aria-expanded={isUnfolded}
              leftSection={<IconChevronRight size={14} aria-hidden="true" className={classes.fold} />}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              {impossible.length === 1 ? "1 action" : `${impossible.length} actions`} not possible now
            </Menu.Item>
          </>
        )}
        {refusals.map(({ reason, actions: refused }) => (
          <Fragment key={reason}>
            {refused.map((action) => (
              <Menu.Item key={action.action} aria-disabled={true} className={classes.off} closeMenuOnClick={false}>
                <ItemLabel action={action} guard={guardOf(action)} />
                {refused.length === 1 ? (
                  <span className={classes.itemWhy}>{reason}</span>
                ) : (
                  <span className="visually-hidden">{reason}</span>
                )}
              </Menu.Item>
            ))}
            {refused.length > 1 && (
              <span className={classes.sharedWhy} aria-hidden="true">
                {reason}
              </span>
            )}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ItemLabel({ action, guard }: { action: AllowedAction; guard: string | undefined }) {
  return (
    <span className={classes.itemLabel}>
      {labelOf(action)}
      {guard !== undefined && <span className={classes.guard}> · {guard}</span>}
    </span>
  );
}

type Refusal = { reason: string; actions: AllowedAction[] };

/** Groups actions that are not possible by their reason, in the order in which the reasons first appear. */
export function groupRefusals(actions: readonly AllowedAction[]): Refusal[] {
  const byReason = Map.groupBy(actions, ({ reason }) => wordTimes(reason ?? "Not possible now."));
  return [...byReason].map(([reason, refused]) => ({ reason, actions: refused }));
}
