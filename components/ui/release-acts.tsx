import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { describeEffect } from "#components/ui/audit-items.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import classes from "#components/ui/release-acts.module.css";
import { auditHref, rolloutHref } from "#lib/client/rollout-path.ts";
import type { Release, ReleaseAct } from "#lib/contract/rollout.ts";

const shownActs = 3;

/** Shows who did what to a release, the latest first, each with its audit entry. */
export function ReleaseActs({ release: { acts, rollout } }: { release: Release }) {
  if (acts.total === 0) return null;
  const more = acts.total - Math.min(acts.latest.length, shownActs);
  return (
    <ul className={classes.acts} aria-label="Who did what">
      {acts.latest.slice(0, shownActs).map((act) => (
        <Act key={act.seq} act={act} />
      ))}
      {more > 0 && (
        <li>
          <Anchor
            component={Link}
            href={rolloutHref(rollout, "audit")}
            prefetch={false}
            className={classes.entry}
            inherit
          >
            {more} more in the audit log
          </Anchor>
        </li>
      )}
    </ul>
  );
}

function Act({ act: { seq, time, source, who, did, reason, effect, outcome } }: { act: ReleaseAct }) {
  const became = describeEffect(effect, outcome ?? undefined);
  return (
    <li data-outside={source === "cluster" || undefined}>
      <strong>
        <bdi>{who}</bdi>
      </strong>{" "}
      {did}
      {reason !== null && reason !== "" && (
        <em className={classes.reason} title={reason}>
          <bdi>{reason}</bdi>
        </em>
      )}
      <Text size="xs" c="dimmed">
        <RelativeTime at={time} />
        {became !== undefined && ` · ${became}`}
        {" · "}
        <Anchor component={Link} href={auditHref(seq)} prefetch={false} className={classes.entry} inherit>
          entry {seq}
        </Anchor>
      </Text>
    </li>
  );
}
