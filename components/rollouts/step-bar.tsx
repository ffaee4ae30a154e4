"use client";

import { Text, Tooltip } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { arrangeActions } from "#components/actions/act-target.ts";
import { describeSteps, type PlacedStep, placeSteps } from "#components/rollouts/describe-rollout.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { useNow } from "#components/ui/use-now.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { describePluginStatus, findFailedPlugin } from "#lib/domain/delivery/step-words.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";
import { capital } from "#lib/util/words.ts";

/** Shows one cell per step: its kind, and whether it is done, current, or to come. */
export function StepBar({ rollout }: { rollout: RolloutDetail }) {
  const steps = placeSteps(rollout);
  const rest = placeRest(rollout, steps);
  const bar = useCurrentInView([...steps, ...rest].findIndex(isMarked));
  const { hidden, measure } = useHiddenSteps(bar);
  const note = describeAfterParts(rollout.follows);
  const isAtEnd = rest.length > 0 && note !== rollout.follows?.text;
  return (
    <section aria-label={describeSteps(rollout)}>
      <div className={classes.bar} data-before={hidden.before || undefined} data-after={hidden.after || undefined}>
        <ol
          className={classes.steps}
          ref={bar}
          onScroll={measure}
          tabIndex={hidden.before || hidden.after ? 0 : undefined}
        >
          {steps.map((step) => (
            <StepCell key={step.index} step={step} rollout={rollout} />
          ))}
          {rest.map((part) => (
            <RestCell
              key={part.text}
              part={part}
              rollout={rollout}
              note={isAtEnd && part === rest.at(-1) ? note : ""}
            />
          ))}
        </ol>
      </div>
      <PluginAnswer steps={steps} />
      {note !== "" && !isAtEnd && (
        <Text size="xs" c="dimmed" mt={2}>
          {note}
        </Text>
      )}
    </section>
  );
}

/**
 * Returns what the sentence about the rest of the plan says after its parts, such as "No further analysis.": the bar
 * itself shows the parts.
 */
export function describeAfterParts(follows: RolloutDetail["follows"]): string {
  if (follows === null) return "";
  const { text, parts } = follows;
  const last = parts.at(-1)?.text;
  const at = last === undefined ? -1 : text.lastIndexOf(last);
  return last === undefined || at < 0 ? text : capital(text.slice(at + last.length).replace(/^(?:[,;] |\.$)/, ""));
}

/** Shows the last answer of the current step's plugin, or the plugin that failed the release. */
function PluginAnswer({ steps }: { steps: readonly PlacedStep[] }) {
  const status = findFailedPlugin(steps) ?? steps.find(isMarked)?.pluginStatuses.at(-1);
  if (status === undefined) return null;
  return (
    <Text size="xs" mt={2} style={{ overflowWrap: "anywhere" }}>
      {capital(describePluginStatus(status))}
    </Text>
  );
}

function isMarked({ state }: Pick<PlacedStep, "state">): boolean {
  return state === "current" || state === "aborted";
}

/** Scrolls a bar that does not fit to the current step: on first render, and whenever the current step changes. */
function useCurrentInView(current: number): React.RefObject<HTMLOListElement | null> {
  const bar = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const step = current < 0 ? null : bar.current?.children.item(current);
    // Not scrollIntoView, which would scroll the page too.
    if (bar.current !== null && step instanceof HTMLElement)
      bar.current.scrollLeft = step.offsetLeft - (bar.current.clientWidth - step.offsetWidth) / 2;
  }, [current]);
  return bar;
}

/** Tracks whether steps lie beyond an edge of the bar. */
function useHiddenSteps(bar: React.RefObject<HTMLOListElement | null>) {
  const [hidden, setHidden] = useState({ before: false, after: false });
  const measure = () => {
    const element = bar.current;
    if (element === null) return;
    const { scrollLeft, scrollWidth, clientWidth } = element;
    const next = { before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 };
    setHidden((now) => (now.before === next.before && now.after === next.after ? now : next));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `measure` only reads what the observer reports on.
  useEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (bar.current !== null) observer.observe(bar.current);
    return () => observer.disconnect();
  }, [bar]);
  return { hidden, measure };
}

const stateWords = { done: "done", current: "now", pending: "upcoming", aborted: "aborted here" };

function wordState(state: PlacedStep["state"], { aborted }: Pick<RolloutDetail, "aborted">): string {
  return state === "pending" && aborted ? "not reached" : stateWords[state];
}

/** The rest of the plan names what is analysed, and which pause waits for a person; `kubectl`'s words do not. */
function nameStep({ index, text }: PlacedStep, { follows }: Pick<RolloutDetail, "follows">): string {
  const part = follows?.parts.find(({ step }) => step === index + 1);
  return part?.kind === "gate" || part?.kind === "analysis" ? part.text : wordStep(text);
}

function StepCell({ step, rollout }: { step: PlacedStep; rollout: RolloutDetail }) {
  const { index, state } = step;
  const text = nameStep(step, rollout);
  const isCurrent = isMarked(step);
  const words = wordState(state, rollout);
  return (
    <li className={classes.step} data-state={state} aria-current={isCurrent ? "step" : undefined}>
      <Tooltip label={`Step ${index + 1}, ${words}: ${text}${describePlugins(step)}`} multiline maw={360}>
        <span className={classes.stepText}>
          <span className={classes.stepNumber}>{index + 1} ·</span> {text}
          <span className="visually-hidden">, {words}</span>
        </span>
      </Tooltip>
      {isCurrent && <CurrentStep step={step} rollout={rollout} />}
    </li>
  );
}

type RestPart = { text: string; state: "current" | "pending" | "done" };
type RestFacts = Pick<RolloutDetail, "follows" | "kind" | "strategy">;

/**
 * Lists what follows the last step, such as the promotion. Once all steps are done, the first of it is current. A canary
 * of Argo Rollouts ends at 100 % also when no update is under way.
 */
export function placeRest(
  { follows, kind, strategy }: RestFacts,
  steps: readonly Pick<PlacedStep, "state" | "text">[],
): RestPart[] {
  const isPast = steps.every(({ state }) => state === "done");
  if (follows === null) {
    const text = "100 %";
    const isCanary = kind === "Rollout" && strategy === "Canary" && steps.length > 0;
    const isWhole = wordStep(steps.at(-1)?.text ?? "") === text;
    return isCanary && !isWhole ? [{ text, state: isPast ? "done" : "pending" }] : [];
  }
  const { parts } = follows;
  return parts
    .slice(parts.findLastIndex(({ step }) => step !== null) + 1)
    .map(({ text }, at) => ({ text, state: isPast && at === 0 ? "current" : "pending" }));
}

type RestCellProps = { part: RestPart; rollout: RolloutDetail; note: string };

function RestCell({ part: { text, state }, rollout, note }: RestCellProps) {
  const isCurrent = state === "current";
  return (
    <li className={classes.step} data-state={state} aria-current={isCurrent ? "step" : undefined}>
      <span className={classes.stepText}>
        {text}
        <span className="visually-hidden">, {wordState(state, rollout)}</span>
      </span>
      {isCurrent && <CurrentStep step={{ kind: "promotion", endsAt: null, pluginStatuses: [] }} rollout={rollout} />}
      {note !== "" && <span className={classes.stepNote}>{note}</span>}
    </li>
  );
}

function describePlugins({ pluginStatuses }: PlacedStep): string {
  return pluginStatuses.map((status) => `. ${capital(describePluginStatus(status))}`).join("");
}

type CurrentStepProps = {
  step: Pick<PlacedStep, "endsAt" | "pluginStatuses"> & { kind: string };
  rollout: RolloutDetail;
};

function CurrentStep({ step, rollout }: CurrentStepProps) {
  const now = useNow();
  const { state, words } = describeCurrent(step, rollout, now);
  return (
    <span className={classes.stepNow}>
      <StateIcon state={state} size={14} /> {words}
    </span>
  );
}

/** Describes what the current step waits for: a time, a person, or its own end. */
export function describeCurrent(
  step: CurrentStepProps["step"],
  rollout: Pick<RolloutDetail, "attention" | "aborted" | "allowedActions">,
  nowMs: number,
): { state: StateKey; words: string } {
  if (rollout.aborted) return { state: "failed", words: "aborted here" };
  const waits = mayAnswer(rollout) ? "waiting for you" : "waiting for a person";
  if (rollout.attention?.reason === "inconclusive") return { state: "inconclusive", words: waits };
  if (step.endsAt !== null) {
    const left = Date.parse(step.endsAt) - nowMs;
    return { state: "timed", words: nowMs === 0 ? "timed" : left > 0 ? `${formatDuration(left)} left` : "time is up" };
  }
  const isHeld = rollout.attention?.reason === "pause" || rollout.attention?.reason === "gate";
  if (step.kind === "pause" || isHeld) return { state: "waiting", words: waits };
  if (step.pluginStatuses.at(-1)?.phase === "Error") return { state: "error", words: "error, tries again" };
  return { state: "running", words: "now" };
}

/** Returns whether the reader may give the answer that the rollout waits for, according to the server. */
function mayAnswer({ allowedActions }: Pick<RolloutDetail, "allowedActions">): boolean {
  return arrangeActions(allowedActions).answers.some(({ allowed }) => allowed);
}
