import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { ShownRun } from "#components/rollouts/prepare-release-runs.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { runHref } from "#lib/client/rollout-path.ts";

/** Says which role a run has and when it ended or started: "blocking the rollout · ended 5 min ago". */
export function RunTimes({ run: { note, startedAt, endedAt } }: { run: ShownRun }) {
  const time = endedAt ?? startedAt;
  return (
    <>
      {note}
      {time !== null && (
        <>
          {note === undefined ? "" : " · "}
          {endedAt === null ? "started" : "ended"} <RelativeTime at={time} />
        </>
      )}
    </>
  );
}

/** Leads to the page of a run; nothing for a run that is not recorded yet. */
export function MeasurementsLink({ run: { uid, name } }: { run: ShownRun }) {
  if (uid === undefined) return null;
  return (
    <Anchor
      component={Link}
      href={runHref(uid)}
      size="sm"
      lh="24px"
      display="inline-block"
      className="screen-only"
      aria-label={`Every measurement of ${name}`}
    >
      Every measurement
    </Anchor>
  );
}
