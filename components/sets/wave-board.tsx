import { classifyStanding } from "#components/sets/classify-standing.ts";
import classes from "#components/sets/sets.module.css";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { VersionSet } from "#lib/contract/version-set.ts";
import { standings } from "#lib/domain/delivery/version-set.ts";
import { formatCount } from "#lib/util/words.ts";

type WaveBoardProps = { set: VersionSet; chosen: string; onChoose: (cluster: string | null) => void };

/** Shows for each cluster how far the version has got there; a click shows only its members. */
export function WaveBoard({ set: { clusters }, chosen, onChoose }: WaveBoardProps) {
  if (clusters.length < 2) return null;
  return (
    <ul className={classes.board} aria-label="Clusters">
      {clusters.map(({ cluster, total, counts }) => (
        <li key={cluster}>
          <button
            type="button"
            className={classes.cluster}
            aria-pressed={chosen === cluster}
            onClick={() => onChoose(chosen === cluster ? null : cluster)}
          >
            <span className={classes.clusterName}>{cluster}</span>
            <span>
              {formatCount(counts.promoted)} of {formatCount(total)} promoted
            </span>
            <span className={classes.counts}>
              {standings
                .filter((standing) => standing !== "promoted" && counts[standing] > 0)
                .map((standing) => {
                  const { state, word } = classifyStanding(standing);
                  return (
                    <span key={standing} title={word}>
                      <StateIcon state={state} size={14} />
                      {formatCount(counts[standing])} <span className="visually-hidden">{word}</span>
                    </span>
                  );
                })}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
