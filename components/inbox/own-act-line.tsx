"use client";

import { Text, Tooltip } from "@mantine/core";
import classes from "#components/inbox/inbox.module.css";
import { wordDue } from "#components/inbox/word-turn.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { IconHourglass } from "#components/ui/icons.tsx";
import { useNow } from "#components/ui/use-now.ts";
import type { OwnAct } from "#lib/contract/inbox.ts";

/** Counts down to the controller's own next act. Screen readers get the time once, not a text that changes. */
export function OwnActLine({ ownAct: { text, at } }: { ownAct: OwnAct }) {
  const nowMs = useNow();
  const exact = formatExact(at);
  return (
    <Text size="sm" className={classes.ownAct}>
      <IconHourglass size={16} stroke={1.6} aria-hidden="true" />
      <span>
        {text}{" "}
        <Tooltip label={exact}>
          <time dateTime={at}>
            <span className="visually-hidden">at {exact}</span>
            <span aria-hidden="true">{nowMs === 0 ? `at ${exact}` : wordDue(at, nowMs)}</span>
          </time>
        </Tooltip>
        , unless someone acts first.
      </span>
    </Text>
  );
}
