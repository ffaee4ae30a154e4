"use client";

import { Text, Title, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import type { InboxGroup } from "#components/inbox/group-by-state.ts";
import classes from "#components/inbox/inbox.module.css";
import { InboxRow } from "#components/inbox/inbox-row.tsx";

/** Shows the rows of one group. Snoozed ones are shown on demand. `isCut`: there are more than those loaded. */
export function InboxGroupView({ group: { reason, title, rows }, isCut }: { group: InboxGroup; isCut: boolean }) {
  const isFolded = reason === "snoozed";
  const [isOpen, setOpen] = useState(!isFolded);
  const count = `${rows.length}${isCut ? "+" : ""}`;
  return (
    <section aria-labelledby={`group-${reason}`} className={classes.group}>
      <Title order={2} id={`group-${reason}`} className={classes.groupTitle}>
        {isFolded ? (
          <UnstyledButton
            className={classes.groupButton}
            aria-expanded={isOpen}
            aria-controls={`rows-${reason}`}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
            {title} ({count})
          </UnstyledButton>
        ) : (
          <>
            {title}{" "}
            <Text span c="dimmed" inherit>
              {count}
            </Text>
          </>
        )}
      </Title>
      <ul id={`rows-${reason}`} className={classes.list}>
        {isOpen && rows.map(({ key, item, isGone }) => <InboxRow key={key} item={item} isGone={isGone} />)}
      </ul>
    </section>
  );
}
