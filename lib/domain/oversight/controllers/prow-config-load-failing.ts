import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import { sumIncreases } from "#lib/domain/controllers/increases.ts";
import type { ProbeFailure } from "#lib/domain/controllers/scrape-state.ts";
import type { Found, Rule } from "#lib/domain/oversight/rule.ts";
import { controllerEvidence } from "./controller-evidence.ts";
import { isStatusReconciler, retirements } from "./prow-series.ts";

/**
 * Finds a status-reconciler whose config does not load. No metric shows it, but since pull request 628 its liveness
 * probe does. Without a probe the rule is not available; a probe without an answer proves nothing. It is one finding
 * while Kubernetes starts the process again and again (`ProbeFailure`).
 */
export const prowConfigLoadFailing: Rule<ControllerFacts> = {
  id: "prow-config-load-failing",
  about: "controller",
  severity: "critical",
  name: "Config does not load",
  explanation:
    "Prow's status-reconciler should stop when its config does not load. Its probe fails then, and Kubernetes starts it again. If contexts are retired nevertheless, it acts on an untrusted config. The finding stays the same while Kubernetes starts the process again and again; it closes when the probe was well at every scrape of a minute, and at least at two.",
  advice:
    "Stop status-reconciler (scale it to 0) if it goes on retiring contexts. Then repair its config directory; often git-sync could not fetch.",
  find(facts): Found[] {
    const failure = facts.scrape?.probe?.failure ?? undefined;
    if (!isStatusReconciler(facts) || facts.scrape === undefined || failure === undefined) return [];
    // The probe failed at some time after the scrape before.
    const from = Date.parse(failure.since) - facts.scrape.everySeconds * 1000;
    // Contexts retired after the config loads again are regular work.
    const to = failure.quiet?.state === "ok" ? Date.parse(failure.lastAt) : Number.POSITIVE_INFINITY;
    const meanwhile = retirements(facts).filter((increase) => increase.from <= to);
    const acted = Math.round(sumIncreases(meanwhile, from));
    return [
      {
        key: "config-load",
        severity: acted > 0 ? "critical" : "warning",
        title: titleOf(failure, acted),
        since: failure.since,
        evidence: [
          { label: "Probe failed", value: failure.message ?? "it fails", at: failure.since },
          ...(failure.quiet === null ? [] : [{ label: "Probe now", value: quietWords[failure.quiet.state] }]),
          { label: "Contexts retired since", value: String(acted) },
          controllerEvidence(facts),
        ],
      },
    ];
  },
};

const quietWords: Readonly<Record<NonNullable<ProbeFailure["quiet"]>["state"], string>> = {
  ok: "it is well; the finding closes when it was so for a minute",
  absent: "nothing answers; Kubernetes may be starting the process again",
};

/** Without a new probe, or an answer to it, the last known result holds. */
function titleOf({ quiet }: ProbeFailure, acted: number): string {
  const [words, when] =
    quiet?.state === "ok"
      ? ["The config did not load until just now", "meanwhile"]
      : ["The config does not load", "since"];
  return acted === 0 ? words : `${words}, and ${acted} contexts were retired ${when}`;
}
