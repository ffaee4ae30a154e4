import { Text } from "@mantine/core";
import { type ActTarget, nameOf } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { wordTimes } from "#components/ui/format-time.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type WhatHappensProps = { action: AllowedAction; target: ActTarget; hidesReason: boolean };

/** Shows the action's effect in a sentence, what it overrides, its warnings, and why it is disabled. */
export function WhatHappens({ action, target, hidesReason }: WhatHappensProps) {
  const { label, effect, waives, warnings = [], allowed, reason } = action;
  return (
    <div>
      <Text>{effect ?? `${label} on ${nameOf(target)} in ${target.cluster}.`}</Text>
      {waives !== undefined && <Text className={classes.waives}>Overrides: {waives}</Text>}
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {!allowed && !hidesReason && reason !== undefined && <Text c="var(--gh-red-text)">{wordTimes(reason)}</Text>}
    </div>
  );
}
