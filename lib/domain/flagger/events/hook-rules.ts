import type { WaitingGate } from "./flagger-message.ts";
import { type MessageRule, ofCanary } from "./message-parts.ts";

const gatesOfWords: Readonly<Record<string, WaitingGate>> = {
  approval: "confirm-rollout",
  "promotion approval": "confirm-promotion",
  "traffic increase approval": "confirm-traffic-increase",
};

const gatesOfChecks: Readonly<Record<string, WaitingGate>> = {
  "Confirm-rollout": "confirm-rollout",
  "Confirm-promotion": "confirm-promotion",
  "Confirm-traffic-increase": "confirm-traffic-increase",
};

/**
 * Hooks that refused with a reason: fluxcd/flagger pkg/controller/scheduler.go runAnalysis, scheduler_hooks.go
 * runPreRolloutHooks and runPostRolloutHooks. Names end at the first " failed"; the reason may be anything.
 */
export const failedHookRules: readonly MessageRule[] = [
  {
    pattern:
      /^Halt (?<canary>\S+) advancement (?<check>pre-rollout|external) check (?<hookName>.+?) failed(?: (?<detail>.*))?$/s,
    read: ({ canary, check, hookName = "", detail = "" }) => {
      const named = ofCanary(canary);
      return (
        named && {
          kind: "halt-hook",
          hook: check === "external" ? "rollout" : "pre-rollout",
          hookName,
          ...named,
          detail,
          upstreamStatusClass: / giving up after \d+ attempt\(s\)$/.test(detail) ? "5xx-or-429" : undefined,
          countsAsFailedCheck: true,
        }
      );
    },
  },
  {
    pattern: /^Post-rollout hook (?<hookName>.+?) failed(?: (?<detail>.*))?$/s,
    read: ({ hookName = "", detail = "" }) => ({
      kind: "post-rollout-failed",
      hookName,
      detail,
      countsAsFailedCheck: false,
    }),
  },
];

/** Gates and the other hooks: fluxcd/flagger pkg/controller/scheduler_hooks.go. Apply after the rules of metrics. */
export const hookRules: readonly MessageRule[] = [
  {
    pattern:
      /^Halt (?<canary>\S+) advancement waiting for (?<words>(?:promotion |traffic increase )?approval) (?<hookName>.+)$/s,
    read: ({ canary, words = "", hookName = "" }) => {
      const [named, gate] = [ofCanary(canary), gatesOfWords[words]];
      if (named === undefined || gate === undefined) return undefined;
      return { kind: "gate-waiting", gate, hookName, ...named, countsAsFailedCheck: false };
    },
  },
  {
    pattern: /^(?<check>Confirm-(?:rollout|promotion|traffic-increase)) check (?<hookName>.+) passed$/s,
    read: ({ check = "", hookName = "" }) => {
      const gate = gatesOfChecks[check];
      return gate && { kind: "gate-passed", gate, hookName };
    },
  },
  {
    pattern: /^(?<check>Pre|Post)-rollout check (?<hookName>.+) passed$/s,
    read: ({ check, hookName = "" }) => ({
      kind: "hook-passed",
      hook: check === "Pre" ? "pre-rollout" : "post-rollout",
      hookName,
    }),
  },
  {
    pattern: /^Rollback hook (?<hookName>.+) not signaling a rollback$/s,
    read: ({ hookName = "" }) => ({ kind: "rollback-hook-idle", hookName }),
  },
  {
    pattern: /^Rollback check (?<hookName>.+) passed$/s,
    read: ({ hookName = "" }) => ({ kind: "rollback-hook-fired", hookName }),
  },
];
