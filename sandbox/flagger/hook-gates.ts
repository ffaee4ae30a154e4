import { setCount, setPhase } from "./canary-status.ts";
import { analysisOf, type Canary, canaryLabel, type HookType, type Phase, type Webhook } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { announce, callHook, hooksOf } from "./send-hooks.ts";

/** Asks whether a run may start; a refusal makes the Canary wait (pkg/controller/scheduler_hooks.go of 1.44.0). */
export function mayStart(context: FlaggerContext, canary: Canary): Promise<boolean> {
  return askAll(context, canary, {
    type: "confirm-rollout",
    phase: canary.status.phase,
    passed: (name) => `Confirm-rollout check ${name} passed`,
    async refused({ name }) {
      if (canary.status.phase !== "Waiting") {
        setPhase(context, canary, "Waiting");
        await warn(context, canary, `advancement waiting for approval ${name}`);
      }
    },
  });
}

/** Asks whether the next step may be taken; a refusal is announced each time. */
export function mayIncreaseTraffic(context: FlaggerContext, canary: Canary): Promise<boolean> {
  return askAll(context, canary, {
    type: "confirm-traffic-increase",
    phase: "Progressing",
    passed: (name) => `Confirm-traffic-increase check ${name} passed`,
    refused: ({ name }) => warn(context, canary, `advancement waiting for traffic increase approval ${name}`),
  });
}

/**
 * Asks whether the primary may be replaced. While it waits, each refusal sets the iterations back by one round, so that
 * the checks go on.
 */
export function mayPromote(context: FlaggerContext, canary: Canary): Promise<boolean> {
  return askAll(context, canary, {
    type: "confirm-promotion",
    phase: "Progressing",
    passed: (name) => `Confirm-promotion check ${name} passed`,
    async refused({ name }) {
      if (canary.status.phase !== "WaitingPromotion") {
        setPhase(context, canary, "WaitingPromotion");
        await warn(context, canary, `advancement waiting for promotion approval ${name}`);
      } else {
        setCount(context, canary, { iterations: (analysisOf(canary).iterations ?? 0) - 1 });
      }
    },
  });
}

export function passesPreRollout(context: FlaggerContext, canary: Canary): Promise<boolean> {
  return askAll(context, canary, {
    type: "pre-rollout",
    phase: "Progressing",
    passed: (name) => `Pre-rollout check ${name} passed`,
    refused: ({ name }, error) => warn(context, canary, `advancement pre-rollout check ${name} failed ${error}`),
  });
}

/** Calls the checks of one round; hooks without a type are checks too. They say nothing when they pass. */
export async function passesExternalChecks(context: FlaggerContext, canary: Canary): Promise<boolean> {
  for (const webhook of hooksOf(canary, "", "rollout")) {
    const error = await callHook(context, canary, { phase: "Progressing", webhook });
    if (error !== undefined) {
      await warn(context, canary, `advancement external check ${webhook.name} failed ${error}`);
      return false;
    }
  }
  return true;
}

/** Tells that the run has ended; the first hook that fails ends the calls. */
export async function callPostRollout(context: FlaggerContext, canary: Canary, phase: Phase): Promise<void> {
  await askAll(context, canary, {
    type: "post-rollout",
    phase,
    passed: (name) => `Post-rollout check ${name} passed`,
    refused: ({ name }, error) =>
      announce(context, canary, { message: `Post-rollout hook ${name} failed ${error}`, isWarning: true }),
  });
}

/** Asks whether somebody wants a rollback: a hook that passes asks for it. */
export async function isRollbackAsked(context: FlaggerContext, canary: Canary): Promise<boolean> {
  for (const webhook of hooksOf(canary, "rollback")) {
    const error = await callHook(context, canary, { phase: canary.status.phase, webhook });
    if (error === undefined) {
      await announce(context, canary, { message: `Rollback check ${webhook.name} passed`, isWarning: true });
      return true;
    }
    await announce(context, canary, { message: `Rollback hook ${webhook.name} not signaling a rollback` });
  }
  return false;
}

type Question = {
  type: HookType;
  phase: Phase;
  passed: (name: string) => string;
  refused: (webhook: Webhook, error: string) => Promise<void>;
};

/** Calls the hooks of a type in order, up to the first refusal. */
async function askAll(context: FlaggerContext, canary: Canary, question: Question): Promise<boolean> {
  for (const webhook of hooksOf(canary, question.type)) {
    const error = await callHook(context, canary, { phase: question.phase, webhook });
    if (error !== undefined) {
      await question.refused(webhook, error);
      return false;
    }
    await announce(context, canary, { message: question.passed(webhook.name) });
  }
  return true;
}

function warn(context: FlaggerContext, canary: Canary, what: string): Promise<void> {
  return announce(context, canary, { message: `Halt ${canaryLabel(canary)} ${what}`, isWarning: true });
}
