"use client";

import { Group, Text } from "@mantine/core";
import { classifyPhaseText, classifyRelease, type ShownState, verdictMismatch } from "#components/ui/classify-state.ts";
import { CardTop, clusterColumn, teamColumn } from "#components/ui/common-columns.tsx";
import { FindingMark } from "#components/ui/finding-severity.tsx";
import { CutText, HostileText } from "#components/ui/hostile-text.tsx";
import { IconHistory } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { ReleaseActs } from "#components/ui/release-acts.tsx";
import classes from "#components/ui/release-table.module.css";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { formatLength } from "#lib/client/format-duration.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { nameRelease, numberRelease, wordReleaseMessage } from "#lib/client/record-names.ts";
import { releaseHref } from "#lib/client/rollout-path.ts";
import type { Release } from "#lib/contract/rollout.ts";
import type { overridingActions } from "#lib/domain/acting/action-catalogue.ts";
import { capital } from "#lib/util/words.ts";

type ReleaseTableProps = {
  list: ItemList<Release>;
  showsRollout: boolean;
  /** Buttons of a release. */
  actionsOf?: (release: Release) => React.ReactNode;
  /** A list with an address of its own. */
  state?: ListState;
};

const empty = {
  icon: <IconHistory size={40} stroke={1.2} />,
  hint: "Gatehouse keeps every release of every rollout, with how it ended and why.",
};

/** Shows releases, newest first: past ones as the recorder saw them, even if the cluster no longer has them. */
export function ReleaseTable({ showsRollout, actionsOf, ...rest }: ReleaseTableProps) {
  const [state, revision, ...others] = common;
  const columns = showsRollout
    ? [state, rolloutColumn, releaseClusterColumn, teamColumn, revision, ...others]
    : [state, { ...revision, cell: linkRevision, isName: true }, ...others];
  return (
    <ListView
      {...rest}
      caption="Releases"
      keyOf={({ id }) => id}
      columns={actionsOf === undefined ? columns : [...columns, actionColumn(actionsOf)]}
      card={(release) => <ReleaseCard release={release} showsRollout={showsRollout} actions={actionsOf?.(release)} />}
      empty={empty}
    />
  );
}

const rolloutColumn: Column<Release> = {
  key: "rollout",
  header: "Rollout",
  width: "16%",
  isName: true,
  cell: ({ id, rollout }) => <PlaceName href={releaseHref(id)} namespace={rollout.namespace} name={rollout.name} />,
};

const releaseClusterColumn: Column<Release> = { ...clusterColumn, cell: ({ rollout }) => clusterColumn.cell(rollout) };

const linkRevision = (release: Release) => <RowLink href={releaseHref(release.id)}>{wordRevision(release)}</RowLink>;

/** Says "12", or "12 (attempt 2)". */
export function wordRevision({ revision, runKey, attempt }: Pick<Release, "revision" | "runKey" | "attempt">): string {
  const number = numberRelease({ revision, runKey, attempt: 1 });
  return attempt > 1 ? `${number} (attempt\u00a0${attempt})` : number;
}

function actionColumn(actionsOf: NonNullable<ReleaseTableProps["actionsOf"]>): Column<Release> {
  return {
    key: "actions",
    header: "Actions",
    width: "16%",
    align: "right",
    cell: (release) => <div className={classes.actions}>{actionsOf(release)}</div>,
  };
}

const common: readonly [Column<Release>, Column<Release>, ...Column<Release>[]] = [
  {
    key: "state",
    header: "Outcome",
    width: "12.5%",
    sort: "state",
    cell: (release) => (
      <Group gap={8}>
        <FindingMark findings={release.findings} />
        <StateBadge shown={classifyRelease(release)} size="sm" variant={isQuiet(release) ? "plain" : "tinted"} />
        <Override release={release} />
      </Group>
    ),
  },
  {
    key: "revision",
    header: "Revision",
    width: "8.5%",
    align: "right",
    noWrap: true,
    leaves: 1,
    cell: wordRevision,
  },
  {
    key: "images",
    header: "Version",
    width: "7%",
    cell: ({ images }) => (
      <CutText title={images.join(", ")}>
        <code>{images.map(shortenImage).join(", ")}</code>
      </CutText>
    ),
  },
  {
    key: "message",
    header: "Reason and actions",
    width: "30%",
    cell: (release) => <WhyAndWho release={release} />,
  },
  { key: "links", header: "Links", width: "11%", isExtra: true, cell: (release) => <ReleaseLinks release={release} /> },
  { key: "runs", header: "Analysis runs", width: "11%", leaves: 2, cell: ({ runs }) => <RunCounts runs={runs} /> },
  {
    key: "duration",
    header: "Duration",
    width: "8%",
    align: "right",
    leaves: 3,
    sort: "duration",
    sortsDown: true,
    noWrap: true,
    cell: (release) =>
      release.endedAt === null ? (
        <Text span c="dimmed" inherit>
          under way
        </Text>
      ) : (
        wordLength({ startedAt: release.startedAt, endedAt: release.endedAt })
      ),
  },
  {
    key: "time",
    header: "Started",
    width: "9%",
    align: "right",
    sort: "startedAt",
    sortsDown: true,
    cell: ({ startedAt }) => <RelativeTime at={startedAt} isDated />,
  },
];

/** A release that ended before Gatehouse saw its beginning has no length; its reason says so. */
export function wordLength({ startedAt, endedAt }: { startedAt: string; endedAt: string }): string {
  const length = formatLength(startedAt, endedAt);
  return length === "0 s" ? "–" : length;
}

type Explained = Pick<Release, "sentence" | "message" | "acts" | "runs" | "state" | "revision" | "attempt">;

/** Says why it ended or waits as it does; of a quiet one, that a verdict of its analyses cannot be right. */
export function describeWhy(release: Explained): string {
  const { state, revision, attempt } = release;
  // The recorder's own words for one that was stable at once.
  const first = state === "promoted" && revision === 1 && attempt === 1 ? "first deployment" : "";
  return wordReleaseMessage(release) || describeContradicted(release.runs) || first;
}

/** Says "1 run was marked Successful, but its measurements disagree."; empty if none was. */
export function describeContradicted({ contradicted }: Pick<Release["runs"], "contradicted">): string {
  return Object.entries(contradicted)
    .map(([phase, count]) =>
      count === 1
        ? `1 run was marked ${phase}, but its measurements disagree.`
        : `${count} runs were marked ${phase}, but their measurements disagree.`,
    )
    .join(" ");
}

/** Counts runs by phase; those whose measurements contradict it first, and in red. */
export function countRuns({ byPhase, contradicted }: Omit<Release["runs"], "total">): (ShownState & { key: string })[] {
  return Object.entries(byPhase).flatMap(([phase, count]) => {
    const wrong = contradicted[phase] ?? 0;
    return [
      ...(wrong > 0 ? [{ ...verdictMismatch, key: `${phase}, contradicted`, word: `${wrong} mismatch` }] : []),
      ...(count > wrong ? [{ ...classifyPhaseText(phase), key: phase, word: `${count - wrong} ${phase}` }] : []),
    ];
  });
}

/** Shows the reason, then the last act; the release's page has the whole. */
function WhyAndWho({ release }: { release: Release }) {
  const message = describeWhy(release);
  return (
    <>
      {message !== "" && (
        <CutText title={message} lines={release.acts.total === 0 ? 2 : 1}>
          <HostileText text={message} />
        </CutText>
      )}
      <ReleaseActs release={release} />
    </>
  );
}

/** Marks a promotion that a person's decision led to, against or without an analysis. */
function Override({ release }: { release: Release }) {
  const words = describeOverride(release);
  return words === undefined ? null : (
    <Text size="xs" c="dimmed">
      {words}
    </Text>
  );
}

const overrides: Partial<Record<string, string>> = {
  "accept-step": "result overridden",
  "continue-waive": "result overridden",
  "promote-full": "steps skipped",
  "skip-step": "steps skipped",
  "skip-all": "steps skipped",
} satisfies Record<(typeof overridingActions)[number], string>;

/** Says how people got a release promoted; undefined if none overrode a result or skipped a step. */
export function describeOverride({ state, acts }: Pick<Release, "state" | "acts">): string | undefined {
  if (state !== "promoted") return undefined;
  const done = acts.latest.filter(({ outcome }) => outcome === null || outcome === "applied");
  const words = new Set(done.flatMap(({ action }) => overrides[action ?? ""] ?? []));
  return words.size === 0 ? undefined : [...words].join(", ");
}

/** What went as planned is the quietest row of the list. */
function isQuiet({ state, waitsFor }: Release): boolean {
  return waitsFor === null && (state === "promoted" || state === "superseded");
}

function ReleaseLinks({ release }: { release: Release }) {
  if (release.links.length === 0) return null;
  return (
    <Group gap="0 0.875rem">
      <LinkList links={release.links} about={`${release.rollout.name}, ${nameRelease(release)}`} />
    </Group>
  );
}

function RunCounts({ runs }: Pick<Release, "runs">) {
  if (runs.total === 0) return <>none</>;
  return (
    <Group gap="xs">
      {countRuns(runs).map(({ key, ...shown }) => (
        <StateBadge key={key} size="sm" variant="plain" shown={shown} />
      ))}
    </Group>
  );
}

function ReleaseName({ release, showsRollout }: { release: Release; showsRollout: boolean }) {
  const { id, rollout, team } = release;
  const revision = nameRelease(release);
  if (!showsRollout)
    return (
      <Text fw={600} mt={4}>
        <RowLink href={releaseHref(id)}>{capital(revision)}</RowLink>
      </Text>
    );
  const { namespace, name, cluster } = rollout;
  return (
    <>
      <Text component="div" fw={600} mt={4}>
        <PlaceName
          href={releaseHref(id)}
          namespace={namespace}
          name={name}
          label={`${cluster}: ${namespace}/${name}, ${revision}`}
        />
      </Text>
      <Text size="sm" c="dimmed">
        {capital(revision)} · {cluster}
        {team !== null && ` · ${team}`}
      </Text>
    </>
  );
}

type ReleaseCardProps = { release: Release; showsRollout: boolean; actions: React.ReactNode };

function ReleaseCard({ release, showsRollout, actions }: ReleaseCardProps) {
  return (
    <>
      <CardTop at={release.startedAt} isDated>
        <Group gap={8}>
          <FindingMark findings={release.findings} />
          <StateBadge shown={classifyRelease(release)} size="sm" />
          <Override release={release} />
        </Group>
      </CardTop>
      <ReleaseName release={release} showsRollout={showsRollout} />
      <Text size="sm">
        <code>{release.images.map(shortenImage).join(", ")}</code> <HostileText text={describeWhy(release)} />
      </Text>
      <ReleaseActs release={release} />
      <ReleaseLinks release={release} />
      {release.runs.total > 0 && <RunCounts runs={release.runs} />}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </>
  );
}
