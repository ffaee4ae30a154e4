import { Anchor, Group, Text, Title } from "@mantine/core";
import Link from "next/link";
import { Fragment } from "react";
import { HeldBackLine } from "#components/actions/held-back-line.tsx";
import {
  describeAbortPoint,
  describePauses,
  describePhase,
  describeWorkload,
  listOtherPauses,
} from "#components/rollouts/describe-rollout.ts";
import { ImageChange } from "#components/rollouts/image-change.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { isSettled, wordPods } from "#components/rollouts/word-pods.ts";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { VersionLink } from "#components/ui/version-link.tsx";
import { describeWeight, WeightBar } from "#components/ui/weight-bar.tsx";
import { useAborts } from "#lib/client/audit-queries.ts";
import { afterAbort, nameVersion, pairImages } from "#lib/client/describe-images.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { isAbortOnRequest } from "#lib/domain/controller-words.ts";

/** Shows the rollout's name, its state, and the reason in a sentence. */
export function RolloutHeader({ rollout }: { rollout: RolloutDetail }) {
  const { name, cluster, namespace, strategy, weight, waitingSince, revision, workload, labels, allowedActions } =
    rollout;
  const sentence = rollout.aborted ? null : rollout.sentence;
  const pauses = sentence === null ? describePauses(rollout) : listOtherPauses(rollout);
  const abortPoint = rollout.aborted ? describeAbortPoint({ ...rollout, stable: nameStable(rollout) }) : undefined;
  return (
    <header>
      <div className={classes.titleLine}>
        <StateBadge shown={classifyRollout(rollout)} />
        <Title order={1} className={classes.title}>
          {name}
        </Title>
        <Text c="dimmed">
          {cluster} / {namespace}
          {strategy === null ? "" : ` · ${strategyWords[strategy]}`}
          {revision === null ? "" : ` · revision ${revision}`}
        </Text>
      </div>
      <Text mt={6} className={classes.reason}>
        {rollout.aborted ? <AbortWords rollout={rollout} /> : <HostileText text={sentence ?? describePhase(rollout)} />}
        {abortPoint !== undefined && <span className={classes.aside}> {abortPoint}</span>}
        {waitingSince !== null && (
          <span className={classes.aside}>
            {" "}
            Waiting <RelativeTime at={waitingSince} form="for" />.
          </span>
        )}
      </Text>
      <HeldBackLine actions={allowedActions} />
      {pauses.length > 0 && (
        <ul className={classes.pauses} data-single={pauses.length === 1 || undefined}>
          {pauses.map(({ words, reason, since }) => (
            <li key={words} title={reason}>
              {sentence === null ? words : `Also ${words.charAt(0).toLowerCase()}${words.slice(1)}`}
              {since !== null && (
                <>
                  {" "}
                  <RelativeTime at={since} form={sentence === null ? "ago" : "for"} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <Group gap="lg" mt="xs">
        <Fact label="Version">
          <Versions rollout={rollout} /> <VersionLink image={newestImage(rollout)} />
        </Fact>
        {weight !== null &&
          (isSettled(rollout) ? (
            <Fact label="Traffic">{describeWeight(weight)}</Fact>
          ) : (
            <Fact label="Traffic on the new version">
              <WeightBar weight={weight} width={140} />
            </Fact>
          ))}
        <Fact label="Pods">{wordPods(rollout)}</Fact>
        {workload !== null && (
          <Fact label="Pods from">
            <span className={classes.wrap}>{describeWorkload(workload)}</span>
          </Fact>
        )}
        <TeamFact rollout={rollout} />
        {Object.keys(labels).length > 0 && (
          <Fact label="Labels">
            <LabelLinks labels={labels} />
          </Fact>
        )}
      </Group>
    </header>
  );
}

function TeamFact({ rollout: { team, onCall, name } }: { rollout: RolloutDetail }) {
  if (team === null) return null;
  const links = onCall === null ? [] : [{ name: "On call", href: onCall, source: "config" as const }];
  return (
    <Fact label="Team">
      {team} <LinkList links={links} about={`${team}, for ${name}`} />
    </Fact>
  );
}

/** Each leads to the rollouts that have the label too. */
function LabelLinks({ labels }: Pick<RolloutDetail, "labels">) {
  return Object.entries(labels).map(([name, value]) => {
    const label = `${name}=${value}`;
    return (
      <Fragment key={name}>
        <Anchor component={Link} href={`/rollouts?label=${encodeURIComponent(label)}`} prefetch={false} size="sm">
          <bdi className={classes.wrap}>{label}</bdi>
        </Anchor>{" "}
      </Fragment>
    );
  });
}

/** Says who aborted it and why; what the controller says until that is known, or if nobody else did it. */
function AbortWords({ rollout }: { rollout: RolloutDetail }) {
  const { cluster, namespace, kind, name } = rollout;
  const newest = useAborts({ cluster, namespace, name }).items?.find((each) => each.rollout.kind === kind);
  // The abort of this revision may not be listed yet: an earlier one has another author and reason.
  const isThis = isAbortOnRequest(rollout.message) === true && newest?.release.revision === rollout.revision;
  const abort = isThis ? newest : undefined;
  if (abort === undefined || abort.by === "controller" || abort.by === "unknown")
    return <HostileText text={describePhase(rollout)} />;
  return (
    <>
      Aborted by <HostileText text={abort.who} />
      {abort.reason === null || abort.reason === "" ? (
        "."
      ) : (
        <>
          : <HostileText text={`“${abort.reason}”`} />
        </>
      )}
    </>
  );
}

/** The image of the wanted revision, even if none of its pods are left. */
function newestImage({ images, replicaSets, revisionKey }: RolloutDetail): string | undefined {
  const { next, stable } = pairImages(images);
  return replicaSets.find(({ podHash }) => podHash === revisionKey)?.images[0] ?? next ?? stable;
}

/** Undefined if the stable version is not known, or is the wanted one itself. */
function nameStable(rollout: RolloutDetail): string | undefined {
  const { revisionKey, stableRevisionKey } = rollout;
  return stableRevisionKey === null || stableRevisionKey === revisionKey
    ? undefined
    : nameVersion(rollout, stableRevisionKey);
}

/** Keeps naming the version that failed, even if none of its pods are left. */
function Versions({ rollout }: { rollout: RolloutDetail }) {
  const { aborted, revisionKey, stableRevisionKey, images } = rollout;
  const stable = nameStable(rollout);
  if (!aborted || stable === undefined) return <ImageChange images={images} />;
  return (
    <>
      <code title={revisionKey}>{nameVersion(rollout, revisionKey)}</code>, {afterAbort(rollout)}{" "}
      <code title={stableRevisionKey ?? undefined}>
        <strong>{stable}</strong>
      </code>
    </>
  );
}

const strategyWords = { Canary: "canary", BlueGreen: "blue-green", ABTesting: "A/B testing" };

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <div>{children}</div>
    </div>
  );
}
