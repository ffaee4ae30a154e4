import { Anchor, Group, Text, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/releases/releases.module.css";
import { summariseRelease } from "#components/releases/summarise-release.ts";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { FindingMark } from "#components/ui/finding-severity.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { RelativeTime, useTimeForm } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { VersionLink } from "#components/ui/version-link.tsx";
import { createZonedFormat } from "#components/ui/zoned-format.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { nameRelease, wordReleaseMessage } from "#lib/client/record-names.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

/** Shows the rollout, both versions, the reason of the state or how it went, the period and the last act. */
export function ReleaseHeader({ course, actions }: { course: ReleaseCourse; actions: React.ReactNode }) {
  const { release, base, from, to } = course;
  const { rollout, acts } = release;
  const last = acts.latest[0];
  const message = wordReleaseMessage(release);
  const summary = summariseRelease(course);
  return (
    <header>
      <div className={classes.titleLine}>
        <StateBadge shown={classifyRelease(release)} />
        <Title order={1} className={classes.title}>
          <Anchor component={Link} href={rolloutHref(rollout)} inherit underline="hover">
            <span className={classes.quiet}>{rollout.namespace}/</span>
            {rollout.name}
          </Anchor>
        </Title>
        <Text span className={classes.versions}>
          <Versions from={base?.images ?? null} to={release.images} hasBase={base !== null} />{" "}
          <VersionLink image={release.images[0]} />
        </Text>
        <FindingMark findings={release.findings} />
      </div>
      <Text className={classes.summary} mt={4}>
        {message === "" ? summary : <HostileText text={message} />}
      </Text>
      <Text size="sm" c="dimmed">
        {nameRelease(release)} · {rollout.cluster} · <Period from={from} to={to} />
        {message !== "" && ` · ${summary.charAt(0).toLowerCase()}${summary.slice(1, -1)}`}
        {" · "}
        {last === undefined ? (
          "no manual actions"
        ) : (
          <>
            <bdi>{last.who}</bdi> {last.did}
          </>
        )}
      </Text>
      <Group gap="0.375rem 0.875rem" mt={6}>
        <div className={classes.actions}>{actions}</div>
        <LinkList links={release.links} about={`${rollout.name}, ${nameRelease(release)}`} />
      </Group>
    </header>
  );
}

function Versions({ from, to, hasBase }: { from: readonly string[] | null; to: readonly string[]; hasBase: boolean }) {
  const target = to.map(shortenImage).join(", ") || "unknown version";
  const origin = from?.map(shortenImage).join(", ");
  return (
    <>
      {hasBase && (
        <>
          <code title={from?.join(", ")}>{origin ?? "unknown version"}</code>
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> to </span>
        </>
      )}
      <code title={to.join(", ")}>{target}</code>
      {!hasBase && <span className={classes.quiet}> first release</span>}
    </>
  );
}

const formatDay = createZonedFormat({ day: "numeric", month: "short", year: "numeric" });
const minuteParts = { hour: "2-digit", minute: "2-digit" } as const;
const formatMinute = createZonedFormat(minuteParts);
const formatZonedMinute = createZonedFormat({ ...minuteParts, timeZoneName: "short" });
const secondParts = { ...minuteParts, second: "2-digit" } as const;
const formatSecond = createZonedFormat(secondParts);
const formatZonedSecond = createZonedFormat({ ...secondParts, timeZoneName: "short" });

/**
 * Shows "22 Nov 2026, 03:02 to 03:31 UTC", and how long ago unless times are shown by the clock, as on paper. The second
 * day is shown only if it is another one, and seconds only if both ends are less than two minutes apart.
 */
export function Period({ from, to }: { from: string; to: string | null }) {
  const hasAge = useTimeForm() === "ago";
  const [begin, end] = [new Date(from), to === null ? undefined : new Date(to)];
  const day = formatDay(begin);
  const endDay = end === undefined ? day : formatDay(end);
  const isShort = end !== undefined && end.getTime() - begin.getTime() < 120_000;
  const format = isShort ? formatSecond : formatMinute;
  const formatLast = isShort ? formatZonedSecond : formatZonedMinute;
  return (
    <>
      {day},{" "}
      {end === undefined
        ? formatLast(begin)
        : `${format(begin)} to ${endDay === day ? "" : `${endDay}, `}${formatLast(end)}`}
      {hasAge && (
        <span className="screen-only">
          {" "}
          (<RelativeTime at={to ?? from} />)
        </span>
      )}
    </>
  );
}
