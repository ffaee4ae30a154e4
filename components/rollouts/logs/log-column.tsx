"use client";

import { ActionIcon, CopyButton, NativeSelect, Text, Tooltip } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import type { ShownLine } from "#components/rollouts/logs/log-buffer.ts";
import {
  type LogSource,
  nameLogVersion,
  podsWithPrevious,
  type SourceGroup,
} from "#components/rollouts/logs/log-choice.ts";
import { LogLines } from "#components/rollouts/logs/log-lines.tsx";
import { LogNotice } from "#components/rollouts/logs/log-notice.tsx";
import classes from "#components/rollouts/logs/logs.module.css";
import { isMatch } from "#components/rollouts/logs/split-matches.ts";
import { type LogState, useLogLines } from "#components/rollouts/logs/use-log-lines.ts";
import type { LogView } from "#components/rollouts/logs/use-log-view.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconCheck, IconChevronDown, IconChevronUp, IconCopy, IconDownload, IconX } from "#components/ui/icons.tsx";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type LogColumnProps = {
  rollout: RolloutDetail;
  source: LogSource;
  groups: readonly SourceGroup[];
  view: LogView;
  isWrapped: boolean;
  onChoose: (value: string) => void;
  /** Absent for the only column. */
  onClose?: (() => void) | undefined;
};

/** How much is shown before and after a moment. */
export const aroundMs = 60_000;

/** Shows the log of one pod, or of all pods of a version, by time. */
export function LogColumn({ rollout, source, groups, view, isWrapped, onChoose, onClose }: LogColumnProps) {
  const { version } = source;
  const container = view.container;
  const atMs = view.at?.getTime();
  const pods = view.previous ? podsWithPrevious(source, container) : source.pods;
  const state = useLogLines(rollout, {
    pods: pods.map(({ name }) => name).toSorted(),
    job: version.run === null ? null : version.owner.name,
    container,
    follow: view.follow && !view.previous && atMs === undefined,
    previous: view.previous,
    sinceTime: atMs === undefined ? null : new Date(atMs - aroundMs).toISOString(),
    untilTime: atMs === undefined ? null : new Date(atMs + aroundMs).toISOString(),
  });
  const lines = useMemo(
    () =>
      view.only && view.find !== ""
        ? state.buffer.lines.filter(({ text }) => isMatch(text, view.find))
        : state.buffer.lines,
    [state.buffer, view.only, view.find],
  );
  const search = useSearch(lines, view.find);
  const title = nameLogVersion(version);
  return (
    <section className={classes.column} aria-label={`Log of ${title}`}>
      <div className={classes.head}>
        <span className={classes.title}>{title}</span>
        <span className={classes.headTools}>
          {view.find !== "" && <SearchSteps {...search} />}
          <CopyAndDownload name={source.value} lines={lines} hasTimes={view.times} hasPods={pods.length > 1} />
          {onClose !== undefined && (
            <Tooltip label="Close this column">
              <ActionIcon variant="subtle" color="gray" aria-label={`Close the log of ${title}`} onClick={onClose}>
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </span>
        <NativeSelect
          size="xs"
          w="100%"
          aria-label={`Pods of ${title}`}
          value={source.value}
          data={groups.map(({ group, items }) => ({
            group,
            items: items.map(({ value, label }) => ({ value, label })),
          }))}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      </div>
      {[...state.problems].map(([pod, text]) => (
        <div key={pod} className={classes.problem}>
          <HostileText text={text} />
        </div>
      ))}
      {version.problem !== null && (
        <div className={classes.problem}>
          <HostileText text={version.problem} />
        </div>
      )}
      {lines.length === 0 ? (
        <LogNotice state={state} rollout={rollout} view={view} pods={pods} hasLines={state.buffer.lines.length > 0} />
      ) : (
        <LogLines
          label={`Lines of ${title}`}
          lines={lines}
          hasPods={pods.length > 1}
          hasTimes={view.times}
          isWrapped={isWrapped}
          find={view.find}
          found={search.found}
          atMs={atMs}
          isFollowing={state.status === "open" && view.follow && atMs === undefined}
        />
      )}
      <Foot state={state} shown={lines.length} />
    </section>
  );
}

function Foot({ state, shown }: { state: LogState; shown: number }) {
  const { buffer, status, ended, error } = state;
  const words = {
    loading: "Loading",
    open: "Following",
    ended: ended === "" ? "Complete" : ended,
    lost: "Connection lost, trying again",
    failed: error?.message ?? "Failed",
  };
  return (
    <div className={classes.foot}>
      <span role="status">{words[status]}</span>
      <span>
        {shown === buffer.lines.length ? `${shown} lines` : `${shown} of ${buffer.lines.length} lines`}
        {buffer.dropped > 0 && `; ${buffer.dropped} older ones are no longer kept in this page`}
      </span>
    </div>
  );
}

/** Steps through the lines that match. */
function useSearch(lines: readonly ShownLine[], find: string) {
  const matches = useMemo(
    () => (find === "" ? [] : lines.flatMap(({ text }, index) => (isMatch(text, find) ? [index] : []))),
    [lines, find],
  );
  const [place, setPlace] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words begin a new search.
  useEffect(() => setPlace(undefined), [find]);
  const step = (by: 1 | -1): void =>
    setPlace((now) =>
      now === undefined ? (by === 1 ? 0 : matches.length - 1) : (now + by + matches.length) % matches.length,
    );
  return { count: matches.length, place, found: place === undefined ? undefined : matches[place], step };
}

function SearchSteps({ count, place, step }: ReturnType<typeof useSearch>) {
  return (
    <>
      <Text span size="xs" c="dimmed" role="status">
        {count === 0 ? "no match" : place === undefined ? `${count} lines match` : `${place + 1} of ${count}`}
      </Text>
      {([-1, 1] as const).map((by) => (
        <ActionIcon
          key={by}
          variant="subtle"
          color="gray"
          disabled={count === 0}
          aria-label={by === 1 ? "Next matching line" : "Previous matching line"}
          onClick={() => step(by)}
        >
          {by === 1 ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </ActionIcon>
      ))}
    </>
  );
}

type Texts = { name: string; lines: readonly ShownLine[]; hasTimes: boolean; hasPods: boolean };

function CopyAndDownload(texts: Texts) {
  const isEmpty = texts.lines.length === 0;
  return (
    <>
      <CopyButton value={isEmpty ? "" : writeText(texts)}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : "Copy the shown lines"}>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={isEmpty}
              aria-label={`Copy the lines of ${texts.name}`}
              onClick={copy}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      <Tooltip label="Download the shown lines">
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isEmpty}
          aria-label={`Download the lines of ${texts.name}`}
          onClick={() => download(texts)}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

function writeText({ lines, hasTimes, hasPods }: Texts): string {
  return lines
    .map(({ at, pod, text }) =>
      [hasTimes ? at : null, hasPods ? pod : null, text].filter((part) => part !== null).join(" "),
    )
    .join("\n");
}

function download(texts: Texts): void {
  const address = URL.createObjectURL(new Blob([`${writeText(texts)}\n`], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${texts.name}.log`;
  link.click();
  URL.revokeObjectURL(address);
}
