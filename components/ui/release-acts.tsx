import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { describeEffect } from "#components/ui/audit-items.tsx";
import { CutText } from "#components/ui/hostile-text.tsx";
import classes from "#components/ui/release-acts.module.css";
import { auditHref, releaseHref } from "#lib/client/rollout-path.ts";
import type { Release, ReleaseAct } from "#lib/contract/rollout.ts";

/** Shows the last act on a release, with its audit entry; the release's page lists all. */
export function ReleaseActs({ release: { id, acts } }: { release: Release }) {
  const [act] = acts.latest;
  if (act === undefined) return null;
  return (
    <ul className={classes.acts} aria-label="Who did what">
      <Act act={act} releaseId={id} more={acts.total - 1} />
    </ul>
  );
}

type ActProps = { act: ReleaseAct; releaseId: string; more: number };

function Act({ act, releaseId, more }: ActProps) {
  const { seq, source, who, did, effect, outcome } = act;
  const reason = act.reason ?? "";
  const became = effect?.state === "effective" ? undefined : describeEffect(effect, outcome ?? undefined);
  return (
    <li data-outside={source === "cluster" || undefined}>
      <span className={classes.text}>
        <CutText
          title={[
            `${who} ${did}${became === undefined ? "" : ` (${became})`}`,
            ...(reason === "" ? [] : [`“${reason}”`]),
          ].join(": ")}
          lines={2}
        >
          <strong>
            <bdi>{who}</bdi>
          </strong>{" "}
          {did}
          {became !== undefined && ` (${became})`}
          {reason !== "" && (
            <>
              : “<bdi>{reason}</bdi>”
            </>
          )}
        </CutText>
      </span>{" "}
      <Text span size="xs" c="dimmed" className={classes.proof}>
        <Anchor component={Link} href={auditHref(seq)} prefetch={false} className={classes.entry} inherit>
          entry {seq}
        </Anchor>
        {more > 0 && (
          <>
            {" "}
            <Anchor
              component={Link}
              href={releaseHref(releaseId)}
              prefetch={false}
              className={classes.entry}
              aria-label={`${more} more in the release`}
              inherit
            >
              +{more} more
            </Anchor>
          </>
        )}
      </Text>
    </li>
  );
}
