import { Text } from "@mantine/core";
import { explainHold } from "#components/actions/act-target.ts";
import { wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/** Shows the freeze or the set that keeps a rollout where it is; nothing without one. */
export function HeldBackLine({ actions }: { actions: readonly AllowedAction[] }) {
  const why = explainHold(actions);
  if (why === undefined) return null;
  return (
    <Text size="sm" c="var(--gh-amber-text)">
      <HostileText text={wordTimes(why)} />
    </Text>
  );
}
