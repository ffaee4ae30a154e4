"use client";

import { Anchor, Button, DataList, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { EvidenceTable } from "#components/findings/evidence-table.tsx";
import classes from "#components/findings/findings.module.css";
import { Fact } from "#components/ui/fact.tsx";
import { classifyFinding, nameTarget } from "#components/ui/finding-severity.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { usePageTitle } from "#components/ui/page-title.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { controllerHref } from "#lib/client/controller-queries.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { docHref } from "#lib/client/doc-href.ts";
import { useFinding, useWithdrawFinding } from "#lib/client/finding-queries.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { releaseHref, rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { FindingDetail } from "#lib/contract/finding.ts";
import { createHeadingAnchors } from "#lib/util/heading-anchors.ts";

const AcknowledgeFindingDialog = dynamic(
  () => import("#components/findings/acknowledge-finding-dialog.tsx").then((module) => module.AcknowledgeFindingDialog),
  { ssr: false },
);

const FindingRollout = dynamic(
  () => import("#components/findings/finding-rollout.tsx").then((module) => module.FindingRollout),
  { ssr: false },
);

const FindingTraffic = dynamic(
  () => import("#components/findings/finding-rollout.tsx").then((module) => module.FindingTraffic),
  { ssr: false },
);

const LiveRun = dynamic(() => import("#components/ui/live-run.tsx").then((module) => module.LiveRun), {
  ssr: false,
  loading: () => <Skeleton height={240} />,
});

export function FindingPage({ id }: { id: string }) {
  const query = useFinding(id);
  return (
    <QueryView
      what="The finding"
      query={query}
      missing={{
        title: "Finding not found",
        hint: "It does not exist, or you may not see it.",
        codes: ["not_found", "invalid_request"],
        list: "findings",
      }}
      skeleton={<PageSkeleton blocks={[[24, "8rem"], [28, "60%"], [80, "45%"], [90], [180]]} />}
    >
      {(finding) => <FindingView finding={finding} />}
    </QueryView>
  );
}

function FindingView({ finding }: { finding: FindingDetail }) {
  const { explanation, advice, evidence } = finding;
  const isOfVersion = finding.about === "rollout" && finding.revisionKey !== null;
  usePageTitle(`${finding.ruleName}, ${nameTarget(finding)}`);
  return (
    <Stack gap="md">
      <header>
        <StateBadge shown={classifyFinding(finding)} />
        <Title order={1} className={classes.title} mt="xs">
          <HostileText text={nameFinding(finding)} />
        </Title>
        {isOfVersion && <FindingTraffic finding={finding} />}
        <Group mt="sm" gap="sm">
          {isOfVersion && <FindingRollout finding={finding} />}
          <FindingActions finding={finding} />
        </Group>
        <FindingFacts finding={finding} />
      </header>
      <Section id="advice" title="What to do" className={classes.panel}>
        <Text size="sm" className={classes.prose}>
          <HostileText text={advice} />
        </Text>
      </Section>
      {finding.runUid !== null && (
        <Section
          id="run"
          title={
            <Anchor component={Link} href={runHref(finding.runUid)} inherit>
              Its analysis run
            </Anchor>
          }
          className={classes.panel}
        >
          <LiveRun uid={finding.runUid} />
        </Section>
      )}
      <Section id="evidence" title="Evidence" className={classes.panel}>
        <EvidenceTable evidence={evidence} />
      </Section>
      <Section id="rule" title={finding.ruleName} className={classes.panel}>
        <Text size="sm" className={classes.prose}>
          {explanation}
        </Text>
        <Text size="xs" c="dimmed" mt="xs">
          Rule <code>{finding.rule}</code>,{" "}
          <Anchor href={ruleHref(finding.ruleName)} inherit>
            in the documentation
          </Anchor>
        </Text>
      </Section>
    </Stack>
  );
}

type Named = Pick<FindingDetail, "about" | "target" | "title"> & {
  release: Pick<NonNullable<FindingDetail["release"]>, "images" | "revision" | "runKey" | "attempt"> | null;
};

/** Names a finding about a rollout with it and its version: "search/autocomplete v2.3.0: Marked Successful, but ...". */
export function nameFinding({ about, target, title, release }: Named): string {
  if (about !== "rollout") return title;
  const version = release === null ? "" : ` ${release.images.map(shortenImage).join(", ") || nameRelease(release)}`;
  return `${nameTarget({ about, target })}${version}: ${title}`;
}

function FindingFacts({ finding }: { finding: FindingDetail }) {
  const { about, target, since, foundAt, closedAt, closedWhy, acknowledged, revisionKey, release } = finding;
  return (
    <DataList className={classes.facts} gap="xs" labelWidth="8rem">
      <Fact label="About">
        {about === "rollout" ? (
          <Anchor component={Link} href={rolloutHref(target)} inherit>
            {nameTarget(finding)}
          </Anchor>
        ) : (
          <Anchor component={Link} href={subjectHref(about, target)} inherit>
            {nameTarget(finding)}
          </Anchor>
        )}
        {about === "rollout" && ` in ${target.cluster}`}
        {release === null && revisionKey !== null && `, version ${revisionKey}`}
        {release !== null && (
          <>
            {", "}
            <Anchor component={Link} href={releaseHref(release.id)} inherit>
              <HostileText text={release.images.map(shortenImage).join(", ") || nameRelease(release)} />
            </Anchor>
          </>
        )}
      </Fact>
      <Fact label="Started">
        <RelativeTime at={since} />
        {isNoticedLater(finding) && (
          <>
            , noticed <RelativeTime at={foundAt} />
          </>
        )}
      </Fact>
      {closedAt !== null && (
        <Fact label="Closed">
          <RelativeTime at={closedAt} />
          {closedWhy !== null && <>: {closedWhy}</>}
        </Fact>
      )}
      {acknowledged !== null && (
        <Fact label="Acknowledged">
          by {acknowledged.who} <RelativeTime at={acknowledged.at} />: <HostileText text={acknowledged.reason} />
        </Fact>
      )}
    </DataList>
  );
}

/** The rule's section in the documentation, which is generated from the same words. */
function ruleHref(ruleName: string): string {
  return `${docHref("findings.md")}#${createHeadingAnchors()(ruleName)}`;
}

/** Within a minute, both times would read the same. */
export function isNoticedLater({ since, foundAt }: Pick<FindingDetail, "since" | "foundAt">): boolean {
  return Date.parse(foundAt) - Date.parse(since) >= 60_000;
}

/** Where a cluster, a source or a controller is shown. */
function subjectHref(about: FindingDetail["about"], { cluster, name }: FindingDetail["target"]): string {
  return about === "controller" ? controllerHref({ cluster, component: name }) : "/sources";
}

/** A closed finding needs no answer; a reader without the right is not offered one. */
function FindingActions({ finding: { id, state, title, mayAcknowledge } }: { finding: FindingDetail }) {
  const [isOpen, setOpen] = useState(false);
  const withdraw = useWithdrawFinding();
  if (!mayAcknowledge || state === "closed") return null;
  return (
    <>
      {state === "open" ? (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          Acknowledge
        </Button>
      ) : (
        <Button size="xs" variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate(id)}>
          Withdraw acknowledgement
        </Button>
      )}
      {withdraw.error !== null && (
        <Text size="sm" role="alert">
          Not withdrawn: <HostileText text={withdraw.error.message} />
        </Text>
      )}
      {isOpen && <AcknowledgeFindingDialog finding={{ id, title }} onClose={() => setOpen(false)} />}
    </>
  );
}
