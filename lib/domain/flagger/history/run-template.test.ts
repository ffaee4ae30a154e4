import { describe, expect, it } from "vitest";
import type { NamedWorkload } from "#lib/domain/delivery/related-state.ts";
import { canaryOf } from "#lib/domain/flagger/view/testing/sample-canary.ts";
import { workloadOf } from "#lib/domain/flagger/view/testing/sample-workload.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { type RunMemory, rememberRun } from "./run-memory.ts";
import { cleanCopy, rememberTemplate, templateDigestOf } from "./run-template.ts";

/** `image`: the image in the target's pod template; absent if the target is not recorded. */
type SeenObject = {
  phase: string;
  spec: string;
  image?: string | undefined;
  primaryImage?: string | undefined;
  suspend?: boolean;
  trackedConfigs?: Record<string, string>;
};

const templateOf = (image: string, suffix = "") => ({
  metadata: {
    labels: { app: `web${suffix}` },
    ...(suffix === "" ? {} : { annotations: { "flagger-id": "1b2c" } }),
  },
  spec: {
    containers: [
      { name: "web", image, args: ["--db=db-primary"], envFrom: [{ configMapRef: { name: `web${suffix}` } }] },
    ],
    volumes: [{ name: "tmp", emptyDir: {} }],
  },
});

function workload(name: string, content: unknown): NamedWorkload {
  return { ...workloadOf(), name, uid: name, template: { digest: digestOf(content), content } };
}

const digestOfImage = (image: string) => digestOf(templateOf(image));

/** Sees states of a Canary one after the other. Returns which image the revision of the newest one is known to run. */
function imageAfter(...seenObjects: SeenObject[]): string | undefined {
  let memory: RunMemory | undefined;
  for (const [minute, { phase, spec, image, primaryImage, suspend = false, trackedConfigs }] of seenObjects.entries()) {
    const canary = canaryOf({
      spec: { suspend, targetRef: { kind: "Deployment", name: "web" }, analysis: { stepWeight: 10 } },
      status: { phase, lastAppliedSpec: spec, lastPromotedSpec: "a", ...(trackedConfigs && { trackedConfigs }) },
    });
    const run = rememberRun(canary, memory, `2026-08-01T10:${String(minute).padStart(2, "0")}:00.000Z`);
    const template = rememberTemplate({
      canary,
      run,
      known: memory,
      target: image === undefined ? undefined : workload("web", templateOf(image)),
      primary: primaryImage === undefined ? undefined : workload("web-primary", templateOf(primaryImage, "-primary")),
    });
    memory = template === undefined ? run : { ...run, template };
  }
  const digest = memory === undefined ? undefined : templateDigestOf(memory);
  return ["v1", "v2", "v3"].find((image) => digestOfImage(image) === digest) ?? digest;
}

const resting = { phase: "Succeeded", spec: "a", image: "v1", primaryImage: "v1" };
const begun = { phase: "Progressing", spec: "b", image: "v2", primaryImage: "v1" };

describe("the template of a revision", () => {
  it("is that of the target when its run began", () => {
    expect(imageAfter(resting, begun)).toBe("v2");
  });

  it("stays, though the target has the next version already", () => {
    expect(imageAfter(resting, begun, { ...begun, image: "v3" })).toBe("v2");
    expect(imageAfter(resting, begun, { ...begun, phase: "Failed", image: "v3" })).toBe("v2");
  });

  it("is another one as soon as the next run has begun", () => {
    expect(imageAfter(resting, begun, { ...begun, spec: "c", image: "v3" })).toBe("v3");
  });

  it("is that of the target of a promoted revision if the primary has the same", () => {
    expect(imageAfter(resting)).toBe("v1");
    expect(imageAfter({ ...resting, phase: "Initialized" })).toBe("v1");
  });

  it("is shared by revisions that differ in their configs only", () => {
    const configured = { trackedConfigs: { "configmap/web": "0123" } };
    expect(imageAfter(resting, begun, { ...begun, ...configured })).toBe("v2");
  });

  const unknown: { name: string; seenObjects: SeenObject[] }[] = [
    { name: "the target is not recorded", seenObjects: [resting, { ...begun, image: undefined }] },
    { name: "nobody saw the run begin", seenObjects: [begun] },
    { name: "the target's record is behind", seenObjects: [resting, { ...begun, image: "v1" }] },
    {
      name: "neither the version before nor the primary is recorded",
      seenObjects: [
        { ...resting, image: undefined },
        { ...begun, image: "v1", primaryImage: undefined },
      ],
    },
    {
      name: "the version before is not recorded, and the target has what the primary has",
      seenObjects: [
        { ...resting, image: undefined },
        { ...begun, image: "v1" },
      ],
    },
    {
      name: "only the version two before is recorded, and the target has what the primary has",
      seenObjects: [
        resting,
        { ...begun, image: "v1" },
        { phase: "Progressing", spec: "c", image: "v2", primaryImage: "v2" },
      ],
    },
    { name: "Flagger is suspended as it begins", seenObjects: [resting, { ...begun, suspend: true }] },
    { name: "it waits for its start", seenObjects: [{ ...resting, phase: "Waiting", image: "v2" }] },
    { name: "the target has been changed since the promotion", seenObjects: [{ ...resting, image: "v2" }] },
    { name: "the primary is not recorded", seenObjects: [{ ...resting, primaryImage: undefined }] },
    { name: "no revision was applied yet", seenObjects: [{ ...begun, phase: "Initializing", spec: "" }] },
  ];
  it.each(unknown)("is unknown if $name", ({ seenObjects }) => {
    expect(imageAfter(...seenObjects)).toBeUndefined();
  });

  it("is found once the target's record has caught up", () => {
    expect(imageAfter(resting, { ...begun, image: "v1" }, begun)).toBe("v2");
  });

  it("is found by the primary if the version before is not recorded", () => {
    expect(imageAfter({ ...resting, image: undefined }, begun)).toBe("v2");
  });

  it("is found at the promotion of a run that nobody saw begin", () => {
    expect(imageAfter(begun, { phase: "Succeeded", spec: "b", image: "v2", primaryImage: "v2" })).toBe("v2");
  });

  it("is the same as before if the two differ in nothing that is recorded, once the primary has it", () => {
    const same = { ...begun, image: "v1" };
    expect(imageAfter(resting, same, { phase: "Succeeded", spec: "b", image: "v1", primaryImage: "v1" })).toBe("v1");
  });
});

const original = {
  metadata: { labels: { app: "web", tier: "front" } },
  spec: {
    containers: [
      {
        name: "web",
        image: "web:1",
        args: ["--database=orders-primary", "orders-primary"],
        envFrom: [{ configMapRef: { name: "web-config" } }],
      },
    ],
    volumes: [{ name: "tmp", emptyDir: {} }],
    terminationGracePeriodSeconds: 0,
  },
};

/** As Flagger copies it. */
const copy = {
  metadata: { labels: { app: "web-primary", tier: "front" }, annotations: { "flagger-id": "7b1c" } },
  spec: {
    ...original.spec,
    containers: [{ ...original.spec.containers[0], envFrom: [{ configMapRef: { name: "web-config-primary" } }] }],
  },
};

describe("cleanCopy", () => {
  it("gives the original back", () => {
    expect(cleanCopy(copy, original)).toEqual(original);
  });

  it("keeps what differs", () => {
    const older = { ...copy, spec: { ...copy.spec, containers: [{ name: "web", image: "web:0" }] } };
    expect(cleanCopy(older, original)).toEqual({
      ...original,
      spec: { ...original.spec, containers: [{ name: "web", image: "web:0" }] },
    });
  });

  it("keeps other annotations, and empty maps", () => {
    const annotated = { metadata: { annotations: { "flagger-id": "7b1c", team: "a" } }, spec: { securityContext: {} } };
    expect(cleanCopy(annotated, {})).toEqual({
      metadata: { annotations: { team: "a" } },
      spec: { securityContext: {} },
    });
  });

  it("takes any value", () => {
    expect(cleanCopy(null, undefined)).toBeNull();
    expect(cleanCopy(["a-primary", 0, false], null)).toEqual(["a", 0, false]);
  });
});
