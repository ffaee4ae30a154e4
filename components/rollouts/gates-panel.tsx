"use client";

import { Skeleton, Text, Title } from "@mantine/core";
import { describeAnswer, describeDecision, gateTitles } from "#components/rollouts/describe-gate.ts";
import { GateSetup } from "#components/rollouts/gate-setup.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useRolloutGates } from "#lib/client/rollout-queries.ts";
import type { RolloutGate } from "#lib/contract/hook.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type Wiring = NonNullable<RolloutDetail["gates"]>;

/** Shows each gate of a rollout: who answers it, when the controller last asked, and the decision in force. */
export function GatesPanel({ rollout, wiring }: { rollout: RolloutDetail; wiring: Wiring }) {
  const { data, error, refetch } = useRolloutGates(rollout);
  return (
    <section className={classes.panel} aria-labelledby="gates">
      <Title order={2} id="gates" mb="xs">
        Gates
      </Title>
      <QueryView
        what="The gates"
        data={data}
        error={error}
        retry={() => void refetch()}
        skeleton={<Skeleton height={120} />}
      >
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
    </section>
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
