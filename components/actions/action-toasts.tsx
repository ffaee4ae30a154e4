"use client";

import { Anchor, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import Link from "next/link";
import { useEffect, useSyncExternalStore } from "react";
import { classifyAction } from "#components/ui/classify-state.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useAction } from "#lib/client/action-queries.ts";
import { type FollowedAction, followedActions } from "#lib/client/followed-actions.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { Action } from "#lib/contract/action.ts";

const none: readonly FollowedAction[] = [];

/** Shows one toast per requested action until its effect is known. */
export function ActionToasts() {
  const followed = useSyncExternalStore(followedActions.subscribe, followedActions.snapshot, () => none);
  return followed.map((action) => <FollowedToast key={action.id} followed={action} />);
}

function FollowedToast({ followed }: { followed: FollowedAction }) {
  const { data: action } = useAction(followed.id);
  useEffect(() => {
    const isAwaited = action?.state === "not-effective" && !action.final;
    const toast = {
      id: followed.id,
      title: `${followed.label}: ${followed.name}`,
      message: <ToastBody followed={followed} action={action} />,
      withBorder: true,
      color: isAwaited ? "yellow" : action?.final ? (action.state === "effective" ? "green" : "red") : "gray",
      autoClose: action?.state === "effective" ? 6_000 : (false as const),
      closeButtonProps: { "aria-label": "Close" },
      onClose: () => followedActions.remove(followed.id),
    };
    notifications.show(toast);
    notifications.update(toast);
  }, [followed, action]);
  return null;
}

function ToastBody({ followed, action }: { followed: FollowedAction; action: Action | undefined }) {
  const seq = action?.outcomeSeq ?? action?.auditSeq ?? followed.auditSeq;
  return (
    <>
      <Group gap="xs">
        <StateBadge shown={classifyAction(action ?? { state: "applied", final: false })} size="sm" />
        {action?.effectiveAt != null && (
          <Text size="xs" c="dimmed">
            after {formatSeconds((Date.parse(action.effectiveAt) - Date.parse(action.requestedAt)) / 1000)}
          </Text>
        )}
      </Group>
      {action !== undefined && action.message !== "" && action.state !== "effective" && (
        <Text size="sm" mt={4}>
          {action.message}
          {action.state === "not-effective" && !action.final && " Gatehouse is still watching it."}
        </Text>
      )}
      {seq !== undefined && (
        <Anchor component={Link} href={auditHref(seq)} size="sm">
          Audit entry {seq}
        </Anchor>
      )}
    </>
  );
}
