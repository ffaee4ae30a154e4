import type { CSSProperties, ReactNode } from "react";
import { gatehouseHref } from "#components/argocd/ask.ts";
import type { Reading } from "#components/argocd/use-reading.ts";
import type { ShownState } from "#components/ui/classify-state.ts";
import { type StateKey, stateHues, stateTokens } from "#components/ui/state-tokens.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { groupOfWait } from "#lib/domain/waiting/rank-wait.ts";

/** Text keeps the colour of Argo CD's theme, light or dark. Foreign text breaks anywhere, and turns nothing around it. */
export const block: CSSProperties = { padding: 16, lineHeight: 1.5, overflowWrap: "anywhere", unicodeBidi: "isolate" };
export const quiet: CSSProperties = { opacity: 0.75, fontSize: 12 };
export const link: CSSProperties = { color: "inherit", textDecoration: "underline" };

/** A dot in the colour of the state, always beside its word. */
export function Dot({ state }: { state: StateKey }): ReactNode {
  const background = stateHues[stateTokens[state].hue].light.mark;
  const style = { background, borderRadius: "50%", display: "inline-block", width: 10, height: 10, marginRight: 6 };
  return <span aria-hidden="true" style={style} />;
}

export function StateWord({ shown }: { shown: ShownState }): ReactNode {
  return (
    <span style={{ whiteSpace: "nowrap", fontWeight: 600 }}>
      <Dot state={shown.state} />
      {shown.word}
    </span>
  );
}

/** Whether the rollout waits for a person's decision. */
export const waitsForPerson = ({ attention }: RolloutSummary) =>
  attention !== null && groupOfWait(attention) === "decide";

/** Leads to the rollout's page in Gatehouse, where the person signs in and decides. */
export function RolloutLink({ rollout }: { rollout: RolloutSummary }): ReactNode {
  const words = waitsForPerson(rollout) ? "Decide in Gatehouse" : "Open in Gatehouse";
  return (
    <a href={gatehouseHref(rolloutHref(rollout))} style={link} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  );
}

export function Moment({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{new Date(at).toLocaleString()}</time>;
}

/** Shows what was read, with a warning if it could not be read since. */
export function Read<Value>({
  reading: { last, failure },
  children,
}: {
  reading: Reading<Value>;
  children: (value: Value) => ReactNode;
}): ReactNode {
  return (
    <div>
      {failure !== undefined && (
        <div role="alert">
          <strong>{failure.message}</strong> {failure.remedy}
          {last !== undefined && ` Below is the state of ${last.at.toLocaleTimeString()}.`}
        </div>
      )}
      {last === undefined && failure === undefined && <span role="status">Loading…</span>}
      {last !== undefined && children(last.value)}
    </div>
  );
}
