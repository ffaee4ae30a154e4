import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knownManagers } from "#lib/domain/providers.ts";
import { parseEventList } from "./audit-event.ts";
import { believePerson, type EventRules, judgeEvent } from "./judge-event.ts";

const file = join(import.meta.dirname, "../../../test/fixtures/kubernetes-audit/events.json");
const recorded = parseEventList(JSON.parse(readFileSync(file, "utf8"))) ?? [];

const rules: EventRules = {
  controllerManagers: knownManagers,
  namespaces: ["*"],
  sourceAddresses: "keep",
  groups: ["*"],
};

const plain = {
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  level: "Request",
  auditID: "b1b07966-c5ff-4bbe-9e6b-ed8e574593fd",
  stage: "ResponseComplete",
  requestURI: "/apis/argoproj.io/v1alpha1/namespaces/payments/rollouts/checkout/status",
  verb: "patch",
  user: { username: "sre-oncall@example.com", groups: ["sre", "system:authenticated"] },
  sourceIPs: ["192.0.2.7", "2001:db8:12:34::1"],
  userAgent: "kubectl-argo-rollouts/v1.10.2 (linux/amd64) kubernetes/abc",
  objectRef: {
    resource: "rollouts",
    namespace: "payments",
    name: "checkout",
    apiGroup: "argoproj.io",
    apiVersion: "v1alpha1",
    subresource: "status",
  },
  responseStatus: { metadata: {}, code: 200 },
  requestObject: { status: { abort: true } },
  requestReceivedTimestamp: "2026-11-23T06:00:39.026185Z",
  stageTimestamp: "2026-11-23T06:00:39.033362Z",
};
const controller = "system:serviceaccount:argo-rollouts:argo-rollouts";
const of = (changes: Record<string, unknown>) => ({ ...plain, ...changes });
const ref = (changes: Record<string, unknown>) => of({ objectRef: { ...plain.objectRef, ...changes } });

function judge(item: unknown, changes: Partial<EventRules> = {}) {
  const verdict = judgeEvent(item, { ...rules, ...changes });
  return verdict.keep ? verdict.write : verdict.why;
}

describe("an event of a person", () => {
  it("is kept with who, what and when, and with names of fields instead of the patch", () => {
    expect(judge(plain)).toEqual({
      auditId: plain.auditID,
      stageAt: "2026-11-23T06:00:39.033362Z",
      verb: "patch",
      kind: "Rollout",
      namespace: "payments",
      name: "checkout",
      uid: undefined,
      subresource: "status",
      versionBefore: undefined,
      versionAfter: undefined,
      manager: "kubectl-argo-rollouts",
      userAgent: plain.userAgent,
      username: "sre-oncall@example.com",
      groups: ["sre", "system:authenticated"],
      impersonatedBy: undefined,
      namedPerson: undefined,
      sourceAddresses: plain.sourceIPs,
      fields: ["status.abort"],
    });
  });

  it.each([
    ["2026-11-23T06:00:39.033362Z", "2026-11-23T06:00:39.033362Z"],
    ["2026-11-23T06:00:39.999999Z", "2026-11-23T06:00:39.999999Z"],
    ["2026-11-23T07:00:39.5+01:00", "2026-11-23T06:00:39.500000Z"],
    ["2026-11-23T06:00:39Z", "2026-11-23T06:00:39.000000Z"],
  ])("was answered at %s: %s", (stageTimestamp, stageAt) => {
    expect(judge(of({ stageTimestamp }))).toMatchObject({ stageAt });
  });

  it("names the impersonated user, and who impersonated it", () => {
    const impersonatedUser = { username: "release@example.com", groups: ["release"] };
    expect(judge(of({ impersonatedUser }))).toMatchObject({
      username: "release@example.com",
      groups: ["release"],
      impersonatedBy: "sre-oncall@example.com",
    });
  });

  describe("who is sent as the user that all people share", () => {
    const web = "system:serviceaccount:gatehouse:gatehouse-web";
    const by = (extra: unknown, username = "gatehouse:person") =>
      of({ user: { username: web }, impersonatedUser: { username, groups: ["dev"], extra } });
    const ada = { "gatehouse.dev/person": ["oidc:ada"] };
    const believed = (item: unknown, accounts: readonly string[] = [web]) => {
      const write = judge(item);
      return typeof write === "string" ? write : believePerson(write, accounts).username;
    };

    it("is the person whom the extra names, on the word of Gatehouse's own account alone", () => {
      expect(judge(by(ada))).toMatchObject({
        username: "gatehouse:person",
        namedPerson: "oidc:ada",
        impersonatedBy: web,
      });
      expect(believed(by(ada))).toBe("oidc:ada");
      expect(believed(by({ "gatehouse.dev/person": ["ren\u00e9 \u0440\u0435\u043b\u0438\u0437"] }))).toBe(
        "ren\u00e9 \u0440\u0435\u043b\u0438\u0437",
      );
      expect(believed(by(ada), [])).toBe("gatehouse:person");
      expect(believed(by(ada), ["system:serviceaccount:gatehouse:gatehouse-recorder"])).toBe("gatehouse:person");
    });

    it.each([
      ["no extra", by(undefined), "gatehouse:person"],
      ["an extra of another key", by({ "other.dev/person": ["ada"] }), "gatehouse:person"],
      ["no value", by({ "gatehouse.dev/person": [] }), "gatehouse:person"],
      ["two values", by({ "gatehouse.dev/person": ["ada", "bob"] }), "gatehouse:person"],
      ["an empty value", by({ "gatehouse.dev/person": [" "] }), "gatehouse:person"],
      ["a name of Kubernetes' own", by({ "gatehouse.dev/person": ["system:admin"] }), "gatehouse:person"],
      ["another user", by(ada, "release@example.com"), "release@example.com"],
      [
        "a user who signs in by that name, and whom nobody impersonates",
        of({ user: { username: "gatehouse:person", extra: ada } }),
        "gatehouse:person",
      ],
    ])("is not named by %s", (_, item, username) => {
      expect(believed(item)).toBe(username);
    });
  });

  it("has the versions that the event tells", () => {
    const made = { objectRef: { ...plain.objectRef, resourceVersion: "295", uid: "u" }, verb: "update" };
    const responseObject = { metadata: { resourceVersion: "297" } };
    expect(judge(of({ ...made, responseObject }))).toMatchObject({
      versionBefore: "295",
      versionAfter: "297",
      uid: "u",
      fields: undefined,
    });
  });

  it("takes the field manager that was asked for, as managedFields do", () => {
    const requestURI = `${plain.requestURI}?fieldManager=kubectl-patch&fieldValidation=Strict`;
    expect(judge(of({ requestURI, userAgent: "kubectl/v1.36.1 (linux/amd64)" }))).toMatchObject({
      manager: "kubectl-patch",
    });
  });

  it("keeps of groups and addresses what the config says", () => {
    expect(judge(plain, { groups: ["s?e"], sourceAddresses: "network" })).toMatchObject({
      groups: ["sre"],
      sourceAddresses: ["192.0.2.0/24", "2001:db8:12::/48"],
    });
    expect(judge(plain, { groups: [], sourceAddresses: "drop" })).toMatchObject({ groups: [], sourceAddresses: [] });
  });

  it("has no secrets, and nothing that the database refuses", () => {
    const kept = judge(of({ userAgent: "curl/8 Authorization: Bearer abcdefgh12345678", user: { username: "a\0b" } }));
    expect(JSON.stringify(kept)).not.toContain("abcdefgh12345678");
    expect(kept).toMatchObject({ username: "a\\u0000b" });
  });
});

describe("an event", () => {
  const cases: [name: string, item: unknown, why: string][] = [
    ["that is no object", "x", "unreadable"],
    ["without an id", of({ auditID: "" }), "unreadable"],
    ["without a time", of({ stageTimestamp: "yesterday" }), "unreadable"],
    ["of the year 0", of({ stageTimestamp: "0000-11-23T06:00:39.033362Z" }), "unreadable"],
    ["without a user", of({ user: undefined }), "unreadable"],
    ["without a name", ref({ name: undefined }), "unreadable"],
    ["of a stage before the answer", of({ stage: "RequestReceived" }), "no-write"],
    ["of a request that panicked", of({ stage: "Panic" }), "no-write"],
    ["that reads", of({ verb: "get" }), "no-write"],
    ["that was refused", of({ responseStatus: { code: 403 } }), "no-write"],
    ["that met a conflict", of({ responseStatus: { code: 409 } }), "no-write"],
    ["without an answer's code", of({ responseStatus: undefined }), "no-write"],
    ["that was only tried", of({ requestURI: `${plain.requestURI}?dryRun=All` }), "no-write"],
    ["of a request without an object", of({ objectRef: undefined }), "other-object"],
    ["of another resource", ref({ resource: "secrets", apiGroup: "" }), "other-object"],
    ["of the same name in another group", ref({ apiGroup: "example.com" }), "other-object"],
    ["of templates, which nobody decides on", ref({ resource: "analysistemplates" }), "other-object"],
    ["of the scale", ref({ subresource: "scale" }), "other-object"],
    [
      "of the controller",
      of({ user: { username: controller }, userAgent: "rollouts-controller/v1.10.2 (linux/amd64)" }),
      "controller",
    ],
  ];
  it.each(cases)("%s is left out", (_, item, why) => {
    expect(judge(item)).toBe(why);
  });

  it("of another namespace than the credential's is left out", () => {
    expect(judge(plain, { namespaces: ["shop-*"] })).toBe("other-object");
    expect(judge(plain, { namespaces: ["pay*"] })).toMatchObject({ namespace: "payments" });
  });

  it.each([
    ["AnalysisRun", "analysisruns", "argoproj.io"],
    ["Experiment", "experiments", "argoproj.io"],
    ["Canary", "canaries", "flagger.app"],
  ])("of an object of kind %s is kept", (kind, resource, apiGroup) => {
    expect(judge(ref({ resource, apiGroup, subresource: undefined }))).toMatchObject({ kind, subresource: "" });
  });

  it.each([
    ["a person who names the controller as the client", of({ userAgent: "rollouts-controller/v1" })],
    [
      "a person who names Gatehouse as the field manager",
      of({ requestURI: `${plain.requestURI}?fieldManager=gatehouse` }),
    ],
    [
      "somebody who names Gatehouse as the field manager and the program",
      of({ requestURI: `${plain.requestURI}?fieldManager=gatehouse`, userAgent: "gatehouse" }),
    ],
    ["a client that chose a very long audit id", of({ auditID: "a".repeat(5000) })],
    ["a service account of somebody else", of({ user: { username: "system:serviceaccount:argocd:controller" } })],
  ])("of %s is kept", (_, item) => {
    expect(judge(item)).toMatchObject({ name: "checkout" });
  });
});

it("keeps of a real API server's events those of people", () => {
  const kept = recorded.map((item) => judge(item));
  expect(
    kept.map((one) => (typeof one === "string" ? one : [one.verb, one.username, one.manager, one.fields])),
  ).toEqual([
    ["create", "lab-admin", "kubectl-client-side-apply", undefined],
    "controller",
    "controller",
    ["update", "lab-admin", "kubectl-argo-rollouts", undefined],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["status.pauseConditions"]],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["status.abort"]],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["status.abort"]],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["spec.paused"]],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["spec.template"]],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["spec.paused"]],
    ["patch", "lab-admin", "kubectl-argo-rollouts", ["spec.restartAt"]],
    ["patch", "release@example.com", "kubectl-patch", ["metadata.labels"]],
    expect.arrayContaining(["lab-admin", "kubectl"]),
    expect.arrayContaining(["lab-admin", "kubectl-last-applied"]),
    ["patch", "lab-admin", "kubectl", ["metadata.managedFields", "metadata.resourceVersion"]],
    expect.arrayContaining(["lab-admin", "kubectl"]),
    ["delete", "lab-admin", "kubectl", undefined],
  ]);
  expect(kept[11]).toMatchObject({ impersonatedBy: "lab-admin" });
  expect(kept[3]).toMatchObject({ versionBefore: "295", versionAfter: undefined });
});

it("takes only a list of audit events", () => {
  const list = { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items: [plain] };
  expect(parseEventList(list)).toEqual([plain]);
  for (const other of [
    { ...list, kind: "Event" },
    { ...list, apiVersion: "audit.k8s.io/v1beta1" },
    { ...list, items: {} },
    [],
    null,
    "x",
  ])
    expect(parseEventList(other)).toBeUndefined();
});
