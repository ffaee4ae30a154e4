"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { describeTemplates } from "#components/releases/course-words.ts";
import classes from "#components/releases/releases.module.css";
import { classifyAnalysis, classifyRelease, verdictMismatch } from "#components/ui/classify-state.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { Section } from "#components/ui/section.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { findingHref } from "#lib/client/finding-queries.ts";
import { countClockSeconds, formatDuration, formatLength } from "#lib/client/format-duration.ts";
import { auditHref, experimentHref, releaseHref, rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

/** Lists the records of the release: acts, analyses, experiments, findings and warnings, attempts. */
export function ReleaseRecord({ course }: { course: ReleaseCourse }) {
  return (
    <>
      <Acts course={course} />
      <Analyses course={course} />
      <Experiments course={course} />
      <Noticed course={course} />
      <Attempts course={course} />
    </>
  );
}

type RecordsProps = { id: string; title: string; rows: React.ReactNode[]; children?: React.ReactNode };

function Records({ id, title, rows, children }: RecordsProps) {
  return (
    <Section id={id} title={title} className={classes.panel} mb={4}>
      {rows.length > 0 && <ol className={classes.acts}>{rows}</ol>}
      {children}
    </Section>
  );
}

type RowProps = { at: string; from: string; children: React.ReactNode; aside?: React.ReactNode };

/** A line of a list, with the time since the release began; the exact time on hover. */
function Row({ at, from, children, aside }: RowProps) {
  const seconds = countClockSeconds(from, at);
  return (
    <li className={classes.act}>
      <time dateTime={at} title={formatExact(at)} className={classes.quiet}>
        {seconds < 0 ? "before" : `+${formatDuration(seconds * 1_000)}`}
      </time>
      <div>{children}</div>
      <div>{aside}</div>
    </li>
  );
}

function Acts({ course: { acts, from, release } }: { course: ReleaseCourse }) {
  const hidden = release.acts.total - acts.length;
  // The head of the page says so.
  if (acts.length === 0 && hidden <= 0) return null;
  return (
    <Records
      id="acts"
      title="Who did what"
      rows={acts.map(({ seq, time, who, did, reason }) => (
        <Row
          key={seq}
          at={time}
          from={from}
          aside={
            <Anchor component={Link} href={auditHref(seq)} size="sm" prefetch={false}>
              entry {seq}
            </Anchor>
          }
        >
          <strong>
            <bdi>{who}</bdi>
          </strong>{" "}
          {did}
          {reason !== null && reason !== "" && (
            <Text size="sm" fs="italic">
              <bdi>{reason}</bdi>
            </Text>
          )}
        </Row>
      ))}
    >
      {hidden > 0 && (
        <Anchor component={Link} href={rolloutHref(release.rollout, "audit")} size="sm">
          {hidden} more in the audit log
        </Anchor>
      )}
    </Records>
  );
}

/** A single analysis that decided the release is at the top of the page. */
function Analyses({ course: { runs, from, release } }: { course: ReleaseCourse }) {
  if (runs.every(({ decided }) => decided) && runs.length <= 1) return null;
  return (
    <Records
      id="analyses"
      title="Analyses"
      rows={runs.map(({ uid, name, type, stepIndex, phase, startedAt, completedAt, contradiction, ...run }) => (
        <Row
          key={uid}
          at={startedAt ?? from}
          from={from}
          aside={
            startedAt !== null && completedAt !== null ? (
              <span className={classes.quiet}>{formatLength(startedAt, completedAt)}</span>
            ) : undefined
          }
        >
          <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" />{" "}
          <Anchor component={Link} href={runHref(uid)} inherit title={name}>
            {nameRunPlace({ type, stepIndex })}
          </Anchor>{" "}
          <HostileText text={wordRunMessage(run.message, release)} />
          {contradiction && <StateBadge shown={verdictMismatch} size="sm" />}
        </Row>
      ))}
    />
  );
}

/** Words the message of a run; empty if the release has it as its own, which the head of the page explains. */
export function wordRunMessage(message: string, release: Pick<ReleaseCourse["release"], "state" | "message">): string {
  if (message === "Run Terminated" && release.state === "promoted") return "Stopped when the rollout finished";
  return message !== "" && release.message.includes(message) ? "" : message;
}

function Experiments({ course: { experiments, from } }: { course: ReleaseCourse }) {
  if (experiments.length === 0) return null;
  return (
    <Records
      id="experiments"
      title="Experiments"
      rows={experiments.map(({ uid, name, phase, message, createdAt, completedAt, templates, runs }) => (
        <Row
          key={uid}
          at={createdAt}
          from={from}
          aside={
            completedAt !== null ? (
              <span className={classes.quiet}>{formatLength(createdAt, completedAt)}</span>
            ) : undefined
          }
        >
          <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" />{" "}
          <Anchor component={Link} href={experimentHref(uid)} inherit>
            {name}
          </Anchor>{" "}
          <HostileText text={message} />
          {templates.length > 0 && (
            <Text size="sm" c="dimmed">
              Side by side: <bdi>{describeTemplates(templates)}</bdi>
            </Text>
          )}
          {runs.length > 0 && (
            <ul className={classes.plainList} aria-label={`Analyses of ${name}`}>
              {runs.map((run) => (
                <li key={run.uid}>
                  <StateBadge shown={classifyAnalysis(run.phase)} size="sm" variant="plain" />{" "}
                  <Anchor component={Link} href={runHref(run.uid)} inherit>
                    {run.name}
                  </Anchor>{" "}
                  <HostileText text={run.message} />
                  {run.contradiction && <StateBadge shown={verdictMismatch} size="sm" />}
                </li>
              ))}
            </ul>
          )}
        </Row>
      ))}
    />
  );
}

function Noticed({ course: { findings, warnings, from } }: { course: ReleaseCourse }) {
  if (findings.length + warnings.length === 0) return null;
  const rows = [
    ...findings.map((finding) => ({
      at: finding.since,
      row: (
        <Row key={finding.id} at={finding.since} from={from} aside={finding.closedAt === null ? "open" : "closed"}>
          <Anchor component={Link} href={findingHref(finding.id)} inherit>
            <HostileText text={finding.title} />
          </Anchor>
        </Row>
      ),
    })),
    ...warnings.map((warning) => ({
      at: warning.firstAt,
      row: (
        <Row
          key={warning.uid}
          at={warning.firstAt}
          from={from}
          aside={warning.count > 1 ? <span className={classes.quiet}>{warning.count} times</span> : undefined}
        >
          <HostileText text={warning.message} />
          <Text size="xs" c="dimmed">
            {warning.reason} · {warning.involved.kind} <HostileText text={warning.involved.name} />
          </Text>
        </Row>
      ),
    })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const title = nameNoticed({ findings: findings.length, warnings: warnings.length });
  return <Records id="noticed" title={title} rows={rows.map(({ row }) => row)} />;
}

export function nameNoticed({ findings, warnings }: { findings: number; warnings: number }): string {
  if (findings === 0) return "Kubernetes warnings";
  return warnings === 0 ? "Findings" : "Findings and warnings";
}

function Attempts({ course: { attempts, release, from } }: { course: ReleaseCourse }) {
  if (attempts.length < 2) return null;
  return (
    <Records
      id="attempts"
      title="Attempts of this revision"
      rows={attempts.map(({ id, attempt, state, startedAt }) => (
        <Row key={id} at={startedAt} from={from}>
          <StateBadge shown={classifyRelease({ state, waitsFor: null, message: "" })} size="sm" variant="plain" />{" "}
          {id === release.id ? (
            <>attempt {attempt}, this one</>
          ) : (
            <Anchor component={Link} href={releaseHref(id)} inherit>
              attempt {attempt}
            </Anchor>
          )}
        </Row>
      ))}
    />
  );
}
