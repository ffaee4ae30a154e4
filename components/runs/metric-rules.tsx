import { Code } from "@mantine/core";
import {
  describeInterval,
  describeLimits,
  describeProgress,
  type LimitLine,
} from "#components/runs/describe-limits.ts";
import classes from "#components/runs/runs.module.css";
import { NotedTexts } from "#components/ui/noted-texts.tsx";
import { Pips } from "#components/ui/pips.tsx";
import type { RunMetric } from "#lib/contract/analysis-run.ts";

/** Shows in one line how a metric is judged, as written, and how much of its limits is used; the query is folded. */
export function MetricRules({ metric }: { metric: RunMetric }) {
  const { name, successCondition, failureCondition, query, metadata } = metric;
  const others = Object.fromEntries(Object.entries(metadata).filter(([, text]) => text !== query));
  const interval = describeInterval(metric);
  return (
    <div className={classes.rules}>
      <ul className={classes.facts} aria-label={`How ${name} is judged`}>
        <Condition word="pass" condition={successCondition} />
        <Condition word="fail" condition={failureCondition} />
        {describeLimits(metric).map((line) => (
          <Limit key={line.what} line={line} />
        ))}
        <li>
          {describeProgress(metric)}
          {interval !== undefined && `, ${interval}`}
        </li>
        {query === null && <li>query unknown</li>}
      </ul>
      {query !== null && (
        <details className={classes.fold}>
          <summary>Query</summary>
          <Code block className={classes.query}>
            {query}
          </Code>
        </details>
      )}
      <NotedTexts texts={others} label={`Notes on ${name}`} />
    </div>
  );
}

function Condition({ word, condition }: { word: "pass" | "fail"; condition: string | null }) {
  return (
    <li>
      <span className={classes.label}>{word}</span>{" "}
      {condition === null ? "no condition" : <code className={classes.condition}>{condition}</code>}
    </li>
  );
}

function Limit({ line: { what, used, limit, words, isExceeded, isGoal } }: { line: LimitLine }) {
  return (
    <li>
      <span className={classes.label}>{what.toLowerCase()}</span>{" "}
      {!isGoal && used > 0 && <Pips used={used} limit={limit} />}{" "}
      <span className={isExceeded ? classes.exceeded : undefined}>{words}</span>
    </li>
  );
}
