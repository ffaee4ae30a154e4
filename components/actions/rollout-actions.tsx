"use client";

import { Text } from "@mantine/core";
import { parseAsString, useQueryState } from "nuqs";
import { ActionButtons } from "#components/actions/action-buttons.tsx";
import classes from "#components/actions/actions.module.css";
import { RolloutApprovals } from "#components/actions/approvals-box.tsx";
import { ScheduledLines } from "#components/actions/scheduled-lines.tsx";
import { wordTimes } from "#components/ui/format-time.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/**
 * Shows requests that wait for a second person, those for a later time, and the actions allowed now; the others stay visible with their reason.
 */
export function RolloutActions({ rollout }: { rollout: RolloutDetail }) {
  if (rollout.presence !== "live") return null;
  return (
    <>
      <RolloutApprovals rollout={rollout} />
      <ScheduledLines rollout={rollout} />
      <Actions rollout={rollout} />
    </>
  );
}

function Actions({ rollout }: { rollout: RolloutDetail }) {
  const me = useMe().data;
  // A link may ask for an action's dialog: the palette's "abort checkout".
  const [wanted, setWanted] = useQueryState("do", parseAsString.withOptions({ history: "replace" }));
  const { allowedActions, access, source } = rollout;
  if (me?.role === "viewer") {
    return (
      <Text size="sm" c="dimmed">
        You are signed in as a viewer, with read-only access.
      </Text>
    );
  }
  if (access === "read") {
    return (
      <Text size="sm" c="dimmed">
        Read-only: Gatehouse watches cluster {rollout.cluster} and does not act on it.
      </Text>
    );
  }
  if (allowedActions.length === 0) return null;
  return (
    <div className={classes.ofRollout} ref={reserveStickyRoom}>
      <ActionButtons
        target={rollout}
        actions={allowedActions}
        showsAll
        opens={wanted ?? undefined}
        onOpened={() => void setWanted(null)}
      />
      {!source.fresh && (
        <Text size="xs" c="var(--gh-orange-text)">
          {wordTimes(source.reason ?? "This data is stale, so only protective actions are available.")}
        </Text>
      )}
    </div>
  );
}

const properties = { sticky: "--gh-sticky-height", fixed: "--gh-foot-height" } as const;

/**
 * A ref for a bar that sticks to the top of the page, or to its foot on a narrow screen: passes the covered height to
 * `global.css`, so that nothing with the keyboard focus comes to rest below the bar. If the bar grows over the focused
 * element, scrolls that into view.
 */
function reserveStickyRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const root = document.documentElement;
  const reserve = (): void => {
    // On a low screen the bar scrolls away with the page.
    const { position } = getComputedStyle(bar);
    for (const [where, property] of Object.entries(properties))
      root.style.setProperty(property, `${position === where ? bar.offsetHeight : 0}px`);
    if (position in properties) uncoverFocus(bar);
  };
  const observer = new ResizeObserver(reserve);
  observer.observe(bar);
  return () => {
    observer.disconnect();
    for (const property of Object.values(properties)) root.style.removeProperty(property);
  };
}

function uncoverFocus(bar: HTMLElement): void {
  const focused = document.activeElement;
  if (focused === null || bar.contains(focused) || !focused.matches(":focus-visible")) return;
  const [over, own] = [bar.getBoundingClientRect(), focused.getBoundingClientRect()];
  if (own.top < over.bottom && own.bottom > over.top) focused.scrollIntoView({ block: "nearest" });
}
