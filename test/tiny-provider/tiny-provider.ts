import { z } from "zod";
import type { ReadBack, ReadBackInput, StoredEffect } from "#lib/domain/acting/effect.ts";
import { findIgnoredField } from "#lib/domain/acting/find-ignored-field.ts";
import { type AnyPlan, refuse } from "#lib/domain/acting/plan.ts";
import type { ActingObject, ActingProvider } from "#lib/domain/delivery/acting.ts";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import type { ApiResource } from "#lib/domain/kube/api-resource.ts";
import { ObjectMeta, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

/**
 * A controller with the least that a rollout can have: an image, and a pause in the spec that its status repeats. It
 * proves that a provider needs its folder and its line in the registry, and nothing else.
 */
const TinyObject = z.looseObject({
  kind: z.literal("Canary"),
  metadata: ObjectMeta,
  spec: z.looseObject({ image: z.string(), suspend: z.boolean().default(false) }),
  status: z.looseObject({ phase: z.enum(["Progressing", "Succeeded"]), suspended: z.boolean() }).optional(),
});
type TinyObject = z.infer<typeof TinyObject>;

const resource: ApiResource = { group: "flagger.app", version: "v1beta1", name: "canaries" };
const tinyActions = ["pause", "unpause"] as const;
const TinyEffect = z.object({ suspended: z.boolean() });
const Projection = z.object({ image: z.string(), suspend: z.boolean(), phase: z.string(), isDeleted: z.boolean() });

export const tinyProvider: Provider = {
  name: "tiny",
  kind: "Canary",
  watchedKinds: [{ kind: "Canary", resource, recordedAs: "rollout", vanished: "absent", holdsDisappearance: true }],
  readsRelatedState: false,
  controllerImages: ["tiny"],
  managers: ["tiny"],
  controllerName: "Tiny controller",
  findChanges: () => [],
  parse(object) {
    const parsed = parseKubeObject(TinyObject, object);
    return parsed.ok ? { ok: true, value: toDeliveryObject(parsed.value) } : parsed;
  },
  readObservation: ({ projection, writer, ...stored }) => ({ ...stored, client: writer, state: toState(projection) }),
  readRevisionMark: () => ({ podHash: undefined, revision: undefined, revisions: [] }),
  findUnknownValues: () => [],
  acting: makeActingProvider(),
};

function toDeliveryObject(tiny: TinyObject): DeliveryObject {
  const { metadata, spec } = tiny;
  const runKey = keyOf(spec.image);
  return {
    metadata,
    runKeys: [runKey],
    runKey,
    viewDigest: digestOf(viewOf(tiny)),
    mayLoseGates: false,
    runNames: [],
    templateRefs: [],
    workloadRef: null,
    workloads: [],
    summarize: () => ({
      strategy: null,
      phase: phaseOf(tiny),
      providerPhase: null,
      message: "",
      step: null,
      stepCount: 0,
      weight: null,
      images: [{ image: spec.image, tags: [] }],
      revision: null,
      revisionKey: runKey,
      replicaSets: [],
    }),
    weightSteps: undefined,
    describe: () => ({
      steps: [],
      follows: null,
      pauseConditions: [],
      controllerPause: false,
      paused: spec.suspend,
      aborted: false,
      promoteFull: false,
      stableRevisionKey: null,
      replicas: { desired: 0, current: 0, updated: 0, ready: 0, available: 0 },
      conditions: [],
      currentRuns: [],
      currentExperiment: null,
      blueGreen: null,
      workload: null,
      notices: [],
      gates: null,
    }),
    listVersionPods: () => [],
    nameWriter: (manager) => manager,
    observe: ({ isDeleted }): z.infer<typeof Projection> => ({
      image: spec.image,
      suspend: spec.suspend,
      phase: phaseOf(tiny),
      isDeleted,
    }),
    redact: (text) => text,
    findAttention: ({ now, previous }) =>
      spec.suspend
        ? { reason: "pause", since: previous?.reason === "pause" ? previous.since : now, severity: "info" }
        : undefined,
    acting: toActingObject(tiny),
  };
}

function toState(projection: unknown): DeliveryState {
  const { image, suspend, phase, isDeleted } = Projection.parse(projection);
  return {
    runKey: keyOf(image),
    stableKey: phase === "Healthy" ? keyOf(image) : "",
    stepsKey: "",
    phase,
    message: "",
    strategy: null,
    revision: null,
    step: null,
    stepCount: 0,
    stepText: null,
    weight: null,
    images: [image],
    isAbortAsked: false,
    isAborted: false,
    abortedAt: null,
    abortText: "",
    isFullPromotionAsked: false,
    isPausedByPerson: suspend,
    activity: suspend ? "held" : "progressing",
    waits: [],
    runs: [],
    skippedGates: [],
    rollbackWindow: null,
    isSpecObserved: true,
    isDeleted,
  };
}

function makeActingProvider(): ActingProvider {
  return {
    actions: tinyActions,
    resourceOf: (kind) => (kind === "Canary" ? resource : undefined),
    patched: [{ resource }],
    planSubject: async () => ({ kind: "other-owner" }),
    listTargetAccess: () => [],
    listHoldCommands: () => [],
    describeRest: () => "",
    readEffect(stored) {
      if (!TinyEffect.safeParse(stored).success) return undefined;
      return { target: undefined, isOnTarget: false, answeredVersion: undefined, deadlineSeconds: () => 30 };
    },
    assessRun: () => ({ state: "pending" }),
    parseTarget: () => ({ ok: false, reason: "it patches nothing else" }),
  };
}

function toActingObject(tiny: TinyObject): ActingObject {
  const { namespace = "default", name } = tiny.metadata;
  const at = { group: resource.group, resource: resource.name, namespace, name };
  return {
    offer: () => tinyActions.map((action) => ({ action, plan: plan(tiny, action) })),
    plan: async ({ action }) => ({ kind: "planned", plan: plan(tiny, action) }),
    planSubject: async () => ({ kind: "other-owner" }),
    listAccess: () => ["get", "patch"].map((verb) => ({ verb, ...at })),
    isAsSeen: (seen) => seen.viewDigest === digestOf(viewOf(tiny)),
    anchorFor: () => "",
    findUnseen: () => undefined,
    describeDecision: () => ({ view: viewOf(tiny), attention: null, step: null, stepCount: 0 }),
    diffSeen: () => [],
    describePlace: () => ({}),
    assessEffect: (effect) =>
      tiny.status?.suspended === TinyEffect.parse(effect).suspended
        ? { state: "effective", message: "The controller has taken it up." }
        : { state: "pending" },
    readBack: (input) => readBack(tiny, input),
    noteAnswer: (effect): StoredEffect => effect,
  };
}

function plan({ spec, metadata }: TinyObject, action: string): Exclude<AnyPlan, { kind: "offered" }> {
  if (action !== "pause" && action !== "unpause") return refuse("not_offered", "A Canary cannot do this.");
  const suspend = action === "pause";
  if (spec.suspend === suspend) return refuse("as_asked", suspend ? "It is paused already." : "It is not paused.");
  const patches = [{ subresource: "" as const, body: { spec: { suspend } } }];
  return {
    kind: "patches",
    patches,
    shown: patches,
    ofTemplate: false,
    effect: suspend ? "Pauses it." : "Lets it go on.",
    warnings: [],
    also: [],
    kubectl: `kubectl patch canary ${metadata.name} --type=merge -p '{"spec":{"suspend":${suspend}}}'`,
    expectedEffect: { suspended: suspend },
  };
}

function readBack(tiny: TinyObject, { patches }: ReadBackInput): ReadBack {
  return patches.every(({ body }) => findIgnoredField({ asked: body, answered: tiny }) === undefined)
    ? { outcome: "applied", message: "Read back: it shows the change." }
    : { outcome: "refused", message: "Read back: it does not show the change." };
}

/** What a decision about it rests on. */
function viewOf({ metadata: { uid }, spec: { image, suspend } }: TinyObject): Record<string, unknown> {
  return { uid, image, suspend };
}

function phaseOf({ spec, status }: TinyObject): "Paused" | "Healthy" | "Progressing" {
  if (spec.suspend) return "Paused";
  return status?.phase === "Succeeded" ? "Healthy" : "Progressing";
}

function keyOf(image: string): string {
  return digestOf(image).slice(0, 10);
}
