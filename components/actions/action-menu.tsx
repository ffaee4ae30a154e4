"use client";

import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import classes from "#components/actions/actions.module.css";
import { wordTimes } from "#components/ui/format-time.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ActionMenuProps = {
  name: string;
  actions: readonly AllowedAction[];
  guardOf: (action: AllowedAction) => string | undefined;
  onChoose: (action: AllowedAction) => void;
};

/**
 * Shows the actions that the state does not call for. Disabled items can be reached with the arrow keys and say why
 * they are disabled.
 */
export function ActionMenu({ name, actions, guardOf, onChoose }: ActionMenuProps) {
  return (
    <Menu position="bottom-start" width={320} withinPortal shadow="md" withInitialFocusPlaceholder={false}>
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
        {actions.map((action) => {
          const { allowed, label, reason, effect } = action;
          const guard = guardOf(action);
          return (
            <Menu.Item
              key={action.action}
              aria-disabled={allowed ? undefined : true}
              className={allowed ? undefined : classes.off}
              closeMenuOnClick={allowed}
              onClick={() => {
                if (allowed) onChoose(action);
              }}
            >
              <span className={classes.itemLabel}>
                {label}
                {guard !== undefined && <span className={classes.guard}> · {guard}</span>}
              </span>
              <span className={classes.itemWhy}>{allowed ? effect : wordTimes(reason ?? "Not possible now.")}</span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
