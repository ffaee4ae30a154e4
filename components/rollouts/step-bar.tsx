"use client";

import { Tooltip } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { formatDuration } from "#components/ui/format-time.ts";
import { StateIcon } from "#components/ui/state-icon.tsx";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { useNow } from "#components/ui/use-now.ts";
import type { RolloutDetail, RolloutStep } from "#lib/contract/rollout.ts";

/** One cell per step: what it is, and whether it is done, now, or to come. */
export function StepBar({ rollout }: { rollout: RolloutDetail }) {
  const done = rollout.steps.filter(({ state }) => state === "done").length;
  return (
    <section aria-label={`Steps: ${done} of ${rollout.steps.length} done`}>
      <ol className={classes.steps}>
        {rollout.steps.map((step) => (
          <StepCell key={step.index} step={step} rollout={rollout} />
        ))}
      </ol>
    </section>
  );
}

const stateWords = { done: "done", current: "now", pending: "to come" };

function StepCell({ step, rollout }: { step: RolloutStep; rollout: RolloutDetail }) {
  const { index, text, state } = step;
  const isCurrent = state === "current";
  return (
    <li className={classes.step} data-state={state} aria-current={isCurrent ? "step" : undefined}>
      <Tooltip label={`Step ${index + 1}, ${stateWords[state]}: ${text}`}>
        <span className={classes.stepText}>
          <span className={classes.stepNumber}>{index + 1}</span> {text}
          <span className="visually-hidden">, {stateWords[state]}</span>
        </span>
      </Tooltip>
      {isCurrent && <CurrentStep step={step} rollout={rollout} />}
    </li>
  );
}

function CurrentStep({ step, rollout }: { step: RolloutStep; rollout: RolloutDetail }) {
  const now = useNow();
  const { state, words } = describeCurrent(step, rollout, now);
  return (
    <span className={classes.stepNow}>
      <StateIcon state={state} size={14} /> {words}
    </span>
  );
}

/** What the current step waits for: a time, a person, or its own end. */
export function describeCurrent(
  step: RolloutStep,
  rollout: Pick<RolloutDetail, "attention" | "aborted">,
  nowMs: number,
): { state: StateKey; words: string } {
  if (rollout.aborted) return { state: "failed", words: "aborted" };
  if (rollout.attention?.reason === "inconclusive") return { state: "inconclusive", words: "waits for you" };
  if (step.endsAt !== null) {
    const left = Date.parse(step.endsAt) - nowMs;
    return { state: "timed", words: nowMs === 0 ? "timed" : left > 0 ? `${formatDuration(left)} left` : "time is up" };
  }
  if (step.kind === "pause" || rollout.attention?.reason === "pause")
    return { state: "waiting", words: "waits for you" };
  return { state: "running", words: "now" };
}
