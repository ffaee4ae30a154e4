"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { ClaimButtons } from "#components/actions/claim.tsx";
import { AcknowledgeButton } from "#components/inbox/acknowledge-button.tsx";
import classes from "#components/inbox/inbox.module.css";
import { SnoozeButton } from "#components/inbox/snooze-button.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { findingHref } from "#lib/client/finding-queries.ts";
import { rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const mostLinks = 3;

/** Shows where to read more, and what can be done about the wait without acting on the cluster. */
export function RowFoot({ item, isGone }: { item: InboxItem; isGone: boolean }) {
  const { rollout, evidence, answer, handling, links, finding } = item;
  const runUid = evidence[0]?.runUid;
  return (
    <div className={classes.foot}>
      <span className={classes.links}>
        {finding !== null && (
          <Anchor
            component={Link}
            href={findingHref(finding.id)}
            size="sm"
            aria-label={`Finding about ${rollout.name}: ${finding.title}`}
          >
            Finding
          </Anchor>
        )}
        {runUid !== undefined && (
          <Anchor
            component={Link}
            href={runHref(runUid)}
            size="sm"
            aria-label={`Evidence: analysis of ${rollout.name}`}
          >
            Evidence
          </Anchor>
        )}
        <Anchor
          component={Link}
          href={rolloutHref(rollout, "releases")}
          size="sm"
          aria-label={`Releases of ${rollout.name}`}
        >
          Releases
        </Anchor>
        <LinkList links={links} about={rollout.name} most={mostLinks} />
      </span>
      {!isGone && (
        <span className={classes.handling}>
          {(answer === null || handling.claim !== null) && <ClaimButtons rollout={rollout} handling={handling} />}
          <SnoozeButton item={item} />
          <AcknowledgeButton item={item} />
        </span>
      )}
    </div>
  );
}
