"use client";

import { Button, Code, Group, Skeleton, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { writeHooks } from "#components/gate-credentials/write-hooks.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { CopyText } from "#components/ui/copy-text.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { ownUrl } from "#lib/client/base-path.ts";
import { useRolloutGates } from "#lib/client/rollout-queries.ts";
import { useIsClusterAdmin } from "#lib/client/system-queries.ts";
import type { RolloutGate } from "#lib/contract/hook.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type Wiring = NonNullable<RolloutDetail["gates"]>;

/** Shows each gate of a rollout: who answers it, when the controller last asked, and the decision in force. */
export function GatesPanel({ rollout, wiring }: { rollout: RolloutDetail; wiring: Wiring }) {
  const query = useRolloutGates(rollout);
  return (
    <Section id="gates" title="Gates" className={classes.panel}>
      <QueryView what="The gates" query={query} skeleton={<Skeleton height={120} />}>
        {({ gates }) => (
          <>
            <ul className={classes.gates}>
              {gates.map((gate) => (
                <Gate key={gate.gate} gate={gate} wiring={wiring} />
              ))}
            </ul>
            <GateSetup rollout={rollout} gates={gates} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function Gate({ gate, wiring }: { gate: RolloutGate; wiring: Wiring }) {
  const decision = describeDecision(gate);
  const hooks = wiring.find((own) => own.gate === gate.gate)?.hooks ?? [];
  const others = hooks.filter(({ isOurs }) => !isOurs);
  return (
    <li className={classes.gate}>
      <Text fw={600}>{gateTitles[gate.gate]}</Text>
      <Text size="sm" c="dimmed">
        {gate.wired === true ? <LastAsked gate={gate} /> : hooks.length === 0 && "No approval needed."}
        {others.map(({ name, host }) => (
          <span key={name}>
            {" "}
            <HostileText text={name} /> is answered by {host === "" ? "an unusable URL" : <HostileText text={host} />}.
          </span>
        ))}
      </Text>
      {decision !== undefined && (
        <Text size="sm" className={classes.next}>
          <StateIcon state={decision.state} /> <span>{decision.words}</span>
        </Text>
      )}
    </li>
  );
}

function LastAsked({ gate }: { gate: RolloutGate }) {
  const { lastAskedAt } = gate;
  if (lastAskedAt === null) return "Flagger has not checked yet.";
  const answer = describeAnswer(gate);
  return (
    <>
      {answer !== undefined && `${answer}. `}
      Flagger checked <RelativeTime at={lastAskedAt} />.
    </>
  );
}

// Few people ever open it, so its code loads on demand.
const CreateCredentialDialog = dynamic(
  () =>
    import("#components/gate-credentials/create-credential-dialog.tsx").then((module) => module.CreateCredentialDialog),
  { ssr: false },
);

/** Shows what to add to a Canary so that Gatehouse answers the gates that it does not answer yet. */
function GateSetup({ rollout, gates }: { rollout: RolloutDetail; gates: readonly RolloutGate[] }) {
  const isAdmin = useIsClusterAdmin(rollout.cluster);
  // The missing hooks may change while the dialog shows a secret.
  const [creating, setCreating] = useState<readonly string[]>();
  const missing = gates.filter(({ wired }) => wired !== true).map(({ gate }) => gate);
  if (missing.length === 0 && creating === undefined) return null;
  const isUnwired = missing.length === gates.length;
  // A canary that asks at a gate already may report its events too.
  const types = isUnwired ? [...missing, "event"] : missing;
  const url = typeof window === "undefined" ? "https://gatehouse.example.com" : ownUrl();
  const yaml = writeHooks({ url, cluster: rollout.cluster, types });
  return (
    <details>
      <summary>
        <Text size="sm" component="span">
          Let Gatehouse answer {isUnwired ? "these gates" : "the other gates"}
        </Text>
      </summary>
      <Text size="sm" my="xs">
        Add these to the canary's existing webhooks; do not replace them. ID and SECRET are a credential for cluster{" "}
        {rollout.cluster} and namespace {rollout.namespace}
        {isAdmin ? "." : ", which an admin of the cluster creates in the settings."} The address must be one that the
        cluster can reach. “Flagger checked” above shows that a gate works.
      </Text>
      <Code block>{yaml}</Code>
      <Group mt="xs" gap="xs">
        {isAdmin && (
          <Button size="xs" variant="default" onClick={() => setCreating(types)}>
            Create a hook credential
          </Button>
        )}
        <CopyText text={yaml} size="xs" />
      </Group>
      {creating !== undefined && (
        <CreateCredentialDialog
          clusters={[rollout.cluster]}
          namespaces={rollout.namespace}
          types={creating}
          onClose={() => setCreating(undefined)}
        />
      )}
    </details>
  );
}

/** Titles of the gates, each naming the operation that an approval permits. */
const gateTitles: Record<RolloutGate["gate"], string> = {
  "confirm-rollout": "Start",
  "confirm-traffic-increase": "Each traffic increase",
  "confirm-promotion": "Promotion",
  rollback: "Rollback",
};

const answers: Readonly<Record<string, string>> = {
  approved: "Approved",
  abort_requested: "Rolling back",
  no_abort_requested: "No rollback requested",
  abort_is_for_another_run: "Not rolled back: the request was for another release",
  not_approved: "Waiting for approval",
  rejected: "Held",
  approval_expired: "Waiting: the approval has expired",
  frozen: "Waiting: a freeze is in force",
  step_not_approved: "Waiting: this step is not approved",
  revision_changed_since_approval: "Waiting: the version changed after the approval",
  canary_recreated: "Waiting: the canary was recreated after the approval",
  rollback_requested: "Waiting: a rollback is requested",
  cluster_view_stale: "Waiting: Gatehouse's data is too old",
  store_unavailable: "Waiting: Gatehouse could not read its database",
  checksum_mismatch: "Waiting: Flagger and Gatehouse see different versions",
  no_checksum: "Waiting: this version of Flagger sends no checksum",
};

/** Words Gatehouse's last answer to Flagger. At the rollback gate a refusal lets the release continue. */
export function describeAnswer({ gate, lastAnswer }: Pick<RolloutGate, "gate" | "lastAnswer">): string | undefined {
  if (lastAnswer === null) return undefined;
  const { status, reason } = lastAnswer;
  const words = answers[reason] ?? `${status === 200 ? "Passed" : "Waiting"}: ${reason.replaceAll("_", " ")}`;
  return gate === "rollback" && status !== 200 ? words.replace(/^Waiting: /, "Not rolled back: ") : words;
}

type GateLine = { state: StateKey; words: string };

/** Words how far a decision at a gate has come: requested, or served to Flagger. */
export function describeDecision({ decision, lastAskedAt }: RolloutGate): GateLine | undefined {
  if (decision === null) return undefined;
  const { verdict, state, actorName, upToWeight, timesServed, decidedAt } = decision;
  const step = upToWeight === null ? "" : ` up to ${upToWeight} %`;
  if (verdict === "hold") return { state: "waiting", words: `Held by ${actorName}.` };
  const did = verdict === "approve" ? `Approved${step} by ${actorName}` : `Rollback requested by ${actorName}`;
  if (state === "requested") {
    const asked = lastAskedAt !== null && Date.parse(lastAskedAt) > Date.parse(decidedAt);
    const next = asked
      ? "Flagger has checked since then and got a different answer."
      : "Flagger has not checked since then.";
    return { state: "timed", words: `${did}. ${next}` };
  }
  const times = timesServed === 1 ? "once" : `${timesServed} times`;
  return { state: "successful", words: `${did}. Flagger received it ${times}.` };
}
