import { type ReactNode, useCallback } from "react";
import type { Application, CardProps, FlyoutProps } from "#components/argocd/argo-cd.ts";
import { block, Moment, quiet, Read, RolloutLink, StateWord, waitsForPerson } from "#components/argocd/parts.tsx";
import { type ApplicationRollouts, readApplication } from "#components/argocd/read-rollouts.ts";
import { useReading } from "#components/argocd/use-reading.ts";
import { classifyRollout, type ShownState } from "#components/ui/classify-state.ts";
import type { StateKey } from "#components/ui/state-tokens.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

const worstFirst: readonly StateKey[] = [
  ...(["inconclusive", "waiting", "failed", "error", "unknown", "timed", "running", "successful"] as const),
];

const byState = (one: ShownState, other: ShownState) => worstFirst.indexOf(one.state) - worstFirst.indexOf(other.state);

function useApplication({ metadata: { name, namespace }, spec: { project } }: Application) {
  const read = useCallback(
    (signal: AbortSignal) => readApplication({ metadata: { name, namespace }, spec: { project } }, signal),
    [name, namespace, project],
  );
  return useReading(read);
}

/** In the application's status panel, which gives its items no frame. Nothing for an application without rollouts. */
export function ApplicationCard({ application, openFlyout }: CardProps): ReactNode {
  const reading = useApplication(application);
  const { last, failure } = reading;
  if (failure === undefined && last?.value.rollouts.length === 0 && last.value.missing === 0) return null;
  return (
    <div className="application-status-panel__item">
      <div style={{ ...quiet, fontWeight: 600 }}>GATEHOUSE</div>
      <Read reading={reading}>
        {(found) => (
          <button type="button" onClick={openFlyout} style={asText}>
            <Counts found={found} />
          </button>
        )}
      </Read>
    </div>
  );
}

const asText = { background: "none", border: 0, color: "inherit", cursor: "pointer", font: "inherit", padding: 0 };

function Counts({ found }: { found: ApplicationRollouts }): ReactNode {
  const { rollouts, missing } = found;
  const counts = new Map<string, { shown: ShownState; count: number }>();
  for (const shown of rollouts.map(classifyRollout)) {
    const { count } = counts.get(shown.word) ?? { count: 0 };
    counts.set(shown.word, { shown, count: count + 1 });
  }
  return (
    <span style={{ textAlign: "left", display: "block" }}>
      <span style={{ display: "block" }}>{describeNeed(found)}</span>
      {[...counts.values()]
        .sort((one, other) => byState(one.shown, other.shown))
        .map(({ shown, count }) => (
          <span key={shown.word} style={{ display: "block", fontSize: 12 }}>
            <StateWord shown={shown} />: {count}
          </span>
        ))}
      {missing > 0 && <span style={{ ...quiet, display: "block" }}>Not shown by Gatehouse: {missing}</span>}
    </span>
  );
}

/** Says that no decision is needed only if every rollout is known. */
function describeNeed({ rollouts, missing }: ApplicationRollouts): string {
  const waiting = rollouts.filter(waitsForPerson).length;
  if (waiting > 0) return waiting === 1 ? "1 waits for a person" : `${waiting} wait for a person`;
  const needing = rollouts.filter(({ attention }) => attention !== null).length;
  if (needing > 0) return needing === 1 ? "1 needs attention" : `${needing} need attention`;
  return missing > 0 || rollouts.length === 0 ? "Unknown" : "No decision needed";
}

/** The panel that the card opens: every rollout, those that wait first. */
export function ApplicationFlyout({ application }: FlyoutProps): ReactNode {
  return (
    <div style={block}>
      <Read reading={useApplication(application)}>{(found) => <Rollouts found={found} />}</Read>
    </div>
  );
}

function Rollouts({ found: { rollouts, missing } }: { found: ApplicationRollouts }): ReactNode {
  return (
    <div>
      {[...rollouts]
        .sort((one, other) => byState(classifyRollout(one), classifyRollout(other)))
        .map((rollout) => (
          <Row key={rollout.id} rollout={rollout} />
        ))}
      {rollouts.length === 0 && missing === 0 && <p>This application has no Rollout and no Canary.</p>}
      {missing > 0 && (
        <p style={quiet}>
          Gatehouse does not show {missing} more: it does not watch them, or the proxy's token may not read them.
        </p>
      )}
    </div>
  );
}

function Row({ rollout }: { rollout: RolloutSummary }): ReactNode {
  const { attention, cluster, namespace, name } = rollout;
  return (
    <p>
      <StateWord shown={classifyRollout(rollout)} /> {attention !== null && <Moment at={attention.since} />}
      <br />
      {namespace}/{name} <span style={quiet}>in cluster {cluster}</span> · <RolloutLink rollout={rollout} />
    </p>
  );
}
