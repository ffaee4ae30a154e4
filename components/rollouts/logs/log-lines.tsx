"use client";

import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { ShownLine } from "#components/rollouts/logs/log-buffer.ts";
import classes from "#components/rollouts/logs/logs.module.css";
import { splitMatches } from "#components/rollouts/logs/split-matches.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { IconArrowDown } from "#components/ui/icons.tsx";

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

type LogLinesProps = {
  label: string;
  lines: readonly ShownLine[];
  /** Each line names its pod. */
  hasPods: boolean;
  hasTimes: boolean;
  isWrapped: boolean;
  find: string;
  /** The line that the search is at. */
  found: number | undefined;
  /** A mark is drawn before the first line at or after this time, and the view scrolls to that line. */
  atMs: number | undefined;
  isFollowing: boolean;
};

const rowHeight = 18;
/** Nearer to the end than this, the reader counts as being at the end. */
const atEndWithin = 40;

/** Renders only the lines in view. Stays at the newest line until the reader scrolls up. */
export function LogLines(props: LogLinesProps) {
  const { label, lines, isWrapped, found, atMs, isFollowing } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<number>();
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 20,
  });
  const isAtEnd = seen === undefined;
  const lastKey = lines.at(-1)?.key;
  const marked = atMs === undefined ? -1 : lines.findIndex(({ ms }) => ms >= atMs);

  const size = rows.getTotalSize();
  // Not by the virtualizer, which would repeat it and so fight a reader who scrolls up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line moves the end.
  useLayoutEffect(() => {
    if (atMs === undefined && isAtEnd && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [lastKey, size, isAtEnd, atMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once the marked line is there.
  useLayoutEffect(() => {
    if (marked >= 0) rows.scrollToIndex(marked, { align: "center" });
  }, [marked >= 0, atMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the search moves.
  useLayoutEffect(() => {
    if (found !== undefined) rows.scrollToIndex(found, { align: "center" });
  }, [found]);

  const noteScroll = (): void => {
    const element = frame.current;
    if (element === null) return;
    const isLow = element.scrollHeight - element.scrollTop - element.clientHeight < atEndWithin;
    if (isLow) setSeen(undefined);
    else if (seen === undefined) setSeen(lastKey);
  };
  const fresh = seen === undefined ? 0 : lines.length - 1 - lines.findLastIndex(({ key }) => key <= seen);
  return (
    <div className={classes.frame}>
      <div
        ref={frame}
        className={classes.lines}
        onScroll={noteScroll}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <div className={classes.spacer} style={{ height: size }}>
          {rows.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            return (
              line !== undefined && (
                <div
                  key={key}
                  ref={isWrapped ? rows.measureElement : undefined}
                  data-index={index}
                  data-wrap={isWrapped || undefined}
                  data-found={index === found || undefined}
                  className={index === marked ? `${classes.line} ${classes.moment}` : classes.line}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <LineParts line={line} {...props} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {isFollowing && !isAtEnd && (
        <Button
          size="compact-sm"
          className={classes.more}
          leftSection={<IconArrowDown size={14} aria-hidden="true" />}
          onClick={() => setSeen(undefined)}
        >
          {fresh === 0 ? "To the newest line" : `${fresh} new line${fresh === 1 ? "" : "s"}`}
        </Button>
      )}
    </div>
  );
}

function LineParts({
  line,
  hasPods,
  hasTimes,
  find,
}: Pick<LogLinesProps, "hasPods" | "hasTimes" | "find"> & { line: ShownLine }) {
  const { at, ms, pod, text, droppedBytes } = line;
  return (
    <>
      {hasTimes && (
        <time
          className={classes.time}
          dateTime={at ?? undefined}
          title={at === null ? "no time given" : formatExact(at)}
        >
          {at === null ? "            " : formatLogTime(ms)}
        </time>
      )}
      {hasPods && (
        <span className={classes.pod} title={pod}>
          {pod.slice(-5)}
        </span>
      )}
      <bdi className={classes.text}>
        {splitMatches(text, find).map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never move.
          part.isMatch ? <mark key={index}>{part.text}</mark> : part.text,
        )}
        {droppedBytes > 0 && <em> … {droppedBytes} bytes more</em>}
      </bdi>
    </>
  );
}

/** Formats the time of a line in the visitor's own zone, to the millisecond. */
function formatLogTime(ms: number): string {
  return clock.format(ms);
}
