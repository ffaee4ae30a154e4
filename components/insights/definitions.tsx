import classes from "#components/insights/insights.module.css";
import { Section } from "#components/ui/section.tsx";

const definitions = [
  [
    "Releases",
    "Those that began in the period. Rates are of the promoted and the aborted ones; releases under way and superseded ones are counted apart. Each attempt is a release.",
  ],
  [
    "Change failure rate",
    "Aborted, or fully promoted and undone within 24 h, that is replaced by a version that had been promoted before. A change that was repaired by a newer version is not known to have failed.",
  ],
  ["Deployment frequency", "Full promotions per day on which anything could be recorded."],
  [
    "Time to recover",
    "From the abort to the next full promotion of the rollout. For an undone release, from its first degradation, or else from the begin of the undo, to the end of the undo.",
  ],
  [
    "Lead time",
    "From the commit to the full promotion. The commit time is the annotation gatehouse.dev/commit-time of the pod template or of the rollout. Without it, the lead time is unknown.",
  ],
  [
    "Waiting for people",
    "Time in which an ended release waited for a person or was paused by one. In a freeze: while a freeze window of the current config forbade to continue.",
  ],
  [
    "Margin to limit",
    "Distance of the values from the nearest number in the conditions, in the metric's own unit: the median over runs of each run's median, and the 10th percentile over runs of each run's 10th percentile.",
  ],
  [
    "Overridden",
    "A person let a release continue while it waited because of the Inconclusive run. Stayed: fully promoted and not undone within 24 h.",
  ],
] as const;

/** Says how everything on the page is counted. */
export function Definitions() {
  return (
    <Section id="definitions" title="How this is counted" className={classes.definitions}>
      <dl>
        {definitions.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
