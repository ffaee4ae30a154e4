import { Text, Title } from "@mantine/core";
import { Counted } from "#components/insights/count-link.tsx";
import { formatLength } from "#components/insights/format-figures.ts";
import classes from "#components/insights/insights.module.css";
import { type InsightScope, insightReleasesHref } from "#lib/client/insight-links.ts";
import type { ReleaseInsights } from "#lib/contract/insight.ts";

type HourTableProps = { hours: ReleaseInsights["hours"]; scope: InsightScope; timeZone: string };

/** Shows at which hours of the day releases begin to wait for people, and for how long they then wait. */
export function HourTable({ hours, scope, timeZone }: HourTableProps) {
  const longest = Math.max(0, ...hours.map(({ median }) => median ?? 0));
  const shown = hours.filter(({ releases }) => releases > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="by-hour" className={classes.panel}>
      <Title order={2} id="by-hour" mb={2}>
        When people are waited for
      </Title>
      <Text size="sm" c="dimmed" mb="xs" className={classes.words}>
        By the hour in which a wait began, {timeZone}. Bars are the median of those waits; hours without one are left
        out.
      </Text>
      <ul className={classes.hours}>
        {shown.map(({ hour, releases, median }) => {
          const filter = { waitHour: String(hour), timeZone };
          const link = { count: releases, href: insightReleasesHref(scope, filter) };
          const text = `${String(hour).padStart(2, "0")}:00`;
          return (
            <li key={hour}>
              <span className={classes.hour}>{text}</span>
              <span className={classes.track} aria-hidden="true">
                <span style={{ width: `${longest === 0 ? 0 : ((median ?? 0) / longest) * 100}%` }} />
              </span>
              <span className={classes.length}>{formatLength(median)}</span>
              <span className={classes.count}>
                <Counted link={link} label={`that began to wait from ${text}`}>
                  {`${releases} ${releases === 1 ? "release" : "releases"}`}
                </Counted>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
