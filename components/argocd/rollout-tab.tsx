import { type ReactNode, useCallback } from "react";
import type { TabProps } from "#components/argocd/argo-cd.ts";
import { gatehouseHref } from "#components/argocd/ask.ts";
import { block, Dot, link, Moment, quiet, Read, RolloutLink, StateWord } from "#components/argocd/parts.tsx";
import { readRollout } from "#components/argocd/read-rollouts.ts";
import { useReading } from "#components/argocd/use-reading.ts";
import { classifyAnalysis, classifyRollout, verdictMismatch } from "#components/ui/classify-state.ts";
import { pairImages, shortenImage } from "#lib/client/describe-images.ts";
import { runHref } from "#lib/client/rollout-path.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";

/** The tab of a Rollout or Canary: its state, why it waits, the evidence, and the way to decide. */
export function RolloutTab({ application, resource }: TabProps): ReactNode {
  const { uid } = resource.metadata;
  return (
    <div style={block}>
      {uid === undefined ? (
        "It is not in the cluster yet."
      ) : (
        <LiveRollout key={uid} application={application} resource={resource} uid={uid} />
      )}
    </div>
  );
}

function LiveRollout({ application, resource, uid }: TabProps & { uid: string }): ReactNode {
  // Argo CD passes new objects each time it has read them.
  const { name: appName, namespace: appNamespace } = application.metadata;
  const { project } = application.spec;
  const { kind, metadata } = resource;
  const { namespace, name } = metadata;
  const read = useCallback(
    (signal: AbortSignal) => {
      const asked = { metadata: { name: appName, namespace: appNamespace }, spec: { project } };
      return readRollout({ application: asked, resource: { kind, namespace, name, uid } }, signal);
    },
    [appName, appNamespace, project, kind, namespace, name, uid],
  );
  return (
    <Read reading={useReading(read)}>
      {(rollout) =>
        rollout === undefined ? (
          <p>
            Gatehouse does not show this {kind}: it does not watch the namespace {namespace} of this cluster, or the
            proxy's token may not read it.
          </p>
        ) : (
          <Rollout rollout={rollout} />
        )
      }
    </Read>
  );
}

function Rollout({ rollout }: { rollout: RolloutDetail }): ReactNode {
  const { attention, cluster, evidence, findings, follows, sentence, source, stepCount, weight } = rollout;
  const { next, stable } = pairImages(rollout.images);
  const version = [stable, next].filter((image) => image !== undefined).map(shortenImage);
  const facts = [
    version.join(" → "),
    stepCount > 0 && describeStep(rollout),
    weight !== null &&
      (weight.actual !== null ? `weight ${weight.actual} %` : `weight set to ${weight.set ?? "unknown"} %`),
    `cluster ${cluster}`,
  ];
  return (
    <div>
      <p>
        <StateWord shown={classifyRollout(rollout)} /> {attention !== null && <Moment at={attention.since} />}
      </p>
      {sentence !== null && <p>{sentence}</p>}
      {!source.fresh && <p role="alert">Gatehouse's data is old: {source.reason ?? source.state}</p>}
      <p style={quiet}>{facts.filter((fact) => fact !== false && fact !== "").join(" · ")}</p>
      {follows !== null && <p style={quiet}>{follows.text}</p>}
      {findings.open > 0 && (
        <p>
          Open findings: {findings.open} (worst: {findings.worst ?? "unknown"})
        </p>
      )}
      <p>
        <RolloutLink rollout={rollout} />
      </p>
      {evidence.length > 0 && <h5>Evidence</h5>}
      {evidence.map(({ metric, pass, phase, runUid, summary }) => (
        <p key={`${runUid}/${metric}`}>
          <StateWord shown={classifyAnalysis(phase)} /> {metric}: {summary}
          {pass !== null && <span style={quiet}> · passes at {pass}</span>}
        </p>
      ))}
      <Runs runs={rollout.releaseRuns} />
    </div>
  );
}

/** After an abort, the controller's own step is the first one. */
function describeStep({ step, stepCount, abortPoint }: RolloutDetail): string {
  if (abortPoint === null) return `${step ?? "unknown"} of ${stepCount} steps done`;
  const number = currentStepNumber({ step, stepCount, abortPoint });
  return number === null ? "aborted at an unknown step" : `aborted at step ${number} of ${stepCount}`;
}

function Runs({ runs }: { runs: RolloutDetail["releaseRuns"] }): ReactNode {
  if (runs.length === 0) return <p style={quiet}>No analysis of this release is recorded.</p>;
  return (
    <div>
      <h5>Analyses of this release</h5>
      {runs.map(({ contradiction, decided, name, phase, uid }) => (
        <p key={uid}>
          <StateWord shown={classifyAnalysis(phase)} />{" "}
          <a href={gatehouseHref(runHref(uid))} style={link} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
          {decided && " · decided the current state"}
          {contradiction && (
            <span>
              {" · "}
              <Dot state={verdictMismatch.state} />
              {verdictMismatch.word}
            </span>
          )}
        </p>
      ))}
    </div>
  );
}
