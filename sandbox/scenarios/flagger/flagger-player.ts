import { isSame } from "#lib/util/diff-merge.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { type Clock, formatTime } from "#sandbox/controllers/clock.ts";
import { viewDeployment } from "#sandbox/controllers/deployment-types.ts";
import { POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-replica-set.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import { computePodTemplateHash } from "#sandbox/controllers/template-hash.ts";
import { type Canary, viewCanary } from "#sandbox/flagger/canary-types.ts";
import { DEPLOYER, SCRIPT_STEP_ANNOTATION } from "#sandbox/scenarios/act-on-rollout.ts";
import { installObjects } from "#sandbox/scenarios/install-scenario.ts";
import { playScripts, type ScenarioPlayer } from "#sandbox/scenarios/play-scripts.ts";
import { buildFlaggerObjects, buildWebhooks, withRelease } from "./flagger-objects.ts";
import type { FlaggerMoment, FlaggerScenario } from "./flagger-scenario-types.ts";

/** Where hooks point without Gatehouse: nothing listens there, so gates stay closed. */
const CLOSED_GATES = "http://127.0.0.1:2/hooks/flagger";
const PERSON = "kubectl";

/** Plays the scripts of Canaries: each release as soon as the Canary has reached the moment that it waits for. */
export function createFlaggerPlayer(options: {
  store: Store;
  clock: Clock;
  scenarios: readonly FlaggerScenario[];
  /** Returns the URL under which Gatehouse answers hooks, with credentials; it is asked once, at the start. */
  gateBaseUrl?: () => string | undefined;
  log: (line: string) => void;
}): ScenarioPlayer {
  const { store, clock, scenarios, log, gateBaseUrl = () => undefined } = options;

  let hooksUrl = CLOSED_GATES;

  function play(scenario: FlaggerScenario): undefined {
    const canary = store.get("canaries", scenario.namespace, scenario.name);
    const target = store.get("deployments", scenario.namespace, scenario.name);
    const view = canary === undefined ? undefined : viewCanary(canary);
    if (canary === undefined || target === undefined || view === undefined) {
      return;
    }
    const played = Number(canary.metadata.annotations?.[SCRIPT_STEP_ANNOTATION] ?? "0");
    const step = scenario.script[played];
    if (step === undefined || !isMoment(view, target, step.when)) {
      return;
    }
    const annotations = { ...canary.metadata.annotations, [SCRIPT_STEP_ANNOTATION]: String(played + 1) };
    store.update("canaries", { ...canary, metadata: { ...canary.metadata, annotations } }, { manager: DEPLOYER });
    if (step.isPrimaryRestarting === true) {
      restartPrimary(scenario);
    }
    store.update("deployments", withRelease(target, scenario, step.release), { manager: DEPLOYER });
  }

  function restartPrimary({ namespace, name }: FlaggerScenario): void {
    const primary = store.get("deployments", namespace, `${name}-primary`);
    const template = primary?.spec?.template as PodTemplate | undefined;
    if (primary === undefined || template === undefined) {
      return;
    }
    const restart = {
      [POD_START_ANNOTATION]: "6s",
      "kubectl.kubernetes.io/restartedAt": formatTime(clock.now()),
    };
    const annotations = { ...template.metadata?.annotations, ...restart };
    const next = { ...template, metadata: { ...template.metadata, annotations } };
    store.update("deployments", { ...primary, spec: { ...primary.spec, template: next } }, { manager: PERSON });
  }

  /** Points the hooks of a Canary from an earlier start to where Gatehouse is now. */
  function redirectHooks(scenario: FlaggerScenario): void {
    const canary = store.get("canaries", scenario.namespace, scenario.name);
    const analysis = canary?.spec?.analysis as Record<string, unknown> | undefined;
    const webhooks = buildWebhooks(scenario, hooksUrl);
    if (canary !== undefined && analysis !== undefined && !isSame(analysis.webhooks, webhooks)) {
      const spec = { ...canary.spec, analysis: { ...analysis, webhooks } };
      store.update("canaries", { ...canary, spec }, { manager: DEPLOYER });
    }
  }

  const player = playScripts({
    ...{ store, clock, scenarios, log, play },
    resources: ["canaries", "deployments"],
    kind: "Canary",
    install(scenario) {
      redirectHooks(scenario);
      installObjects(store, scenario.namespace, buildFlaggerObjects(scenario, hooksUrl));
    },
  });
  return {
    ...player,
    start() {
      hooksUrl = gateBaseUrl() ?? CLOSED_GATES;
      player.start();
    },
  };
}

/** Returns true if Flagger has seen the newest spec and the Canary matches the moment. */
function isMoment({ status }: Canary, target: KubeObject, moment: FlaggerMoment): boolean {
  const template = viewDeployment(target)?.spec.template;
  const { phase, lastAppliedSpec, lastPromotedSpec } = status;
  if (template === undefined || computePodTemplateHash(template) !== lastAppliedSpec) {
    return false;
  }
  switch (moment) {
    case "healthy":
      return (phase === "Initialized" || phase === "Succeeded") && lastAppliedSpec === lastPromotedSpec;
    case "failed":
      return phase === "Failed";
  }
}
