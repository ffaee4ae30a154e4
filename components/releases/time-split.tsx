import { Text } from "@mantine/core";
import activityClasses from "#components/releases/activity.module.css";
import { splitTime } from "#components/releases/course-words.ts";
import classes from "#components/releases/releases.module.css";
import { Section } from "#components/ui/section.tsx";
import { formatSeconds } from "#lib/client/format-duration.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

/** Shows how a release spent its time, as one bar with its parts in words. */
export function TimeSplit({ time, isOver }: { time: ReleaseCourse["time"]; isOver: boolean }) {
  const shares = splitTime(time);
  return (
    <Section id="time-split" title={isOver ? "Where the time went" : "Where the time has gone so far"} mb={6}>
      {shares.length === 0 ? (
        <Text size="sm" c="dimmed">
          It took no time that could be measured.
        </Text>
      ) : (
        <>
          <div className={classes.split} aria-hidden="true">
            {shares.map(({ activity, share, hue }) => (
              <span
                key={activity}
                data-hue={hue}
                data-activity={activity}
                style={{ flexGrow: share }}
                className={`${classes.part} ${activityClasses.fill}`}
              />
            ))}
          </div>
          <ul className={classes.shares}>
            {shares.map(({ activity, word, hue, seconds, share }) => (
              <li key={activity}>
                <span
                  className={`${classes.swatch} ${activityClasses.fill}`}
                  data-hue={hue}
                  data-activity={activity}
                  aria-hidden="true"
                />
                <span className={classes.quiet}>{word}</span> <strong>{formatSeconds(seconds)}</strong>{" "}
                <span className={classes.quiet}>{formatShare(share)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {time.frozen > 0 && (
        <Text size="sm" c="dimmed">
          For {formatSeconds(time.frozen)} of its waits a freeze was in force, by the freeze windows of the current
          config.
        </Text>
      )}
    </Section>
  );
}

function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 1) return "under 1 %";
  return percent > 99 && percent < 100 ? "over 99 %" : `${Math.round(percent)} %`;
}
