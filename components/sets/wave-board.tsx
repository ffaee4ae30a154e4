import { classifyStanding } from "#components/sets/classify-standing.ts";
import classes from "#components/sets/sets.module.css";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { VersionSet } from "#lib/contract/version-set.ts";
import { standings } from "#lib/domain/delivery/version-set.ts";
import { formatCount } from "#lib/util/words.ts";

type Column = Pick<VersionSet, "total" | "counts"> & { name: string; choice: string | null; isChosen: boolean };

type WaveBoardProps = {
  set: VersionSet;
  chosen: { cluster: string; label: string };
  onChoose: { cluster: (value: string | null) => void; label: (value: string | null) => void };
};

/** Shows for each wave, or else for each cluster, how far the version has got there; a click shows only its members. */
export function WaveBoard({ set: { clusters, waves }, chosen, onChoose }: WaveBoardProps) {
  if (waves !== null && waves.items.length > 1) {
    // Of "example.com/wave", people say "wave".
    const word = waves.label.slice(waves.label.lastIndexOf("/") + 1);
    const columns = waves.items.map(({ wave, ...counted }) => {
      const choice = wave === null ? null : `${waves.label}=${wave}`;
      const name = wave === null ? `no ${word}` : `${word} ${wave}`;
      return { ...counted, name, choice, isChosen: choice === chosen.label };
    });
    return <Board label={`By ${word}`} columns={columns} onChoose={onChoose.label} />;
  }
  if (clusters.length < 2) return null;
  const columns = clusters.map(({ cluster, ...counted }) => ({
    ...{ ...counted, name: cluster, choice: cluster },
    isChosen: cluster === chosen.cluster,
  }));
  return <Board label="Clusters" columns={columns} onChoose={onChoose.cluster} />;
}

type BoardProps = { label: string; columns: readonly Column[]; onChoose: (choice: string | null) => void };

function Board({ label, columns, onChoose }: BoardProps) {
  return (
    <ul className={classes.board} aria-label={label}>
      {columns.map(({ name, choice, isChosen, total, counts }) => (
        <li key={choice ?? ""}>
          <button
            type="button"
            className={classes.cluster}
            aria-pressed={isChosen}
            disabled={choice === null}
            onClick={() => onChoose(isChosen ? null : choice)}
          >
            <span className={classes.clusterName}>{name}</span>
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
