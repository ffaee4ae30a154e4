import { describe, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { ClusterIdentity, ClusterRequest } from "./cluster-client-types.ts";
import { ForbiddenIdentityError } from "./cluster-errors.ts";
import { headersOfSender, impersonationHeaders } from "./sender-headers.ts";

const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const rollout = "/apis/argoproj.io/v1alpha1/namespaces/a/rollouts/b";
const changes = ["PATCH", "PUT", "POST", "DELETE"] as const;
const person: ClusterIdentity = { mode: "groups", username: "oncall", groups: ["dev"] };
const forPerson: ClusterIdentity = { ...person, mode: "serviceAccount" };

function headersOf(
  request: Pick<ClusterRequest, "method"> & Partial<ClusterRequest>,
  cluster: Record<string, unknown> = {},
) {
  const config = ClusterConfig.parse({ name: "a", server: "https://a.example", access: "act", ...cluster });
  return headersOfSender({ config, request: { path: rollout, ...request } });
}

describe("headersOfSender", () => {
  it.each(changes)("sends %s as the person, and only where the cluster may be acted on", (method) => {
    expect(headersOf({ method, as: person })).toEqual({
      "user-agent": "gatehouse",
      "impersonate-user": "gatehouse:person",
      "impersonate-extra-gatehouse.dev%2Fperson": "oncall",
      "impersonate-group": ["dev"],
    });
    expect(() => headersOf({ method, as: person }, { access: "read" })).toThrow("only read");
  });

  it.each(changes)("never sends %s for nobody, whatever the cluster's config", (method) => {
    for (const actAs of ["impersonation", "serviceAccount"] as const)
      for (const access of ["act", "read"] as const)
        expect(() => headersOf({ method }, { actAs, access })).toThrow(ForbiddenIdentityError);
  });

  it("reads and watches as itself, and asks what it may do", () => {
    for (const access of ["act", "read"] as const) {
      expect(headersOf({ method: "GET" }, { access })).toEqual({ "user-agent": "gatehouse" });
      expect(headersOf({ method: "POST", path: reviews }, { access })).toEqual({ "user-agent": "gatehouse" });
      const ofOthers = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
      expect(headersOf({ method: "POST", path: ofOthers }, { access })).toEqual({ "user-agent": "gatehouse" });
    }
    expect(() => headersOf({ method: "POST", path: `${reviews}/../x` })).toThrow("names no user");
    expect(() => headersOf({ method: "PATCH", path: reviews })).toThrow("names no user");
  });

  it("acts with its own rights only where the config says so, and then names the person in the user agent", () => {
    expect(headersOf({ method: "PATCH", as: forPerson }, { actAs: "serviceAccount" })).toEqual({
      "user-agent": "gatehouse (for oncall)",
    });
    const as = { ...forPerson, username: "on call\u00e9(x" };
    expect(headersOf({ method: "GET", as }, { actAs: "serviceAccount" })).toEqual({
      "user-agent": "gatehouse (for on%20call%C3%A9(x)",
    });
    expect(() => headersOf({ method: "PATCH", as: forPerson })).toThrow("as the person alone");
    expect(() => headersOf({ method: "GET", as: forPerson })).toThrow("as the person alone");
  });

  it("patches by its own decision, and does nothing else so, nor in a cluster that is only read", () => {
    const own: ClusterIdentity = { mode: "own", username: "gatehouse", groups: [] };
    expect(headersOf({ method: "GET", as: own })).toEqual({ "user-agent": "gatehouse (own decision)" });
    expect(headersOf({ method: "PATCH", as: own })).toEqual({ "user-agent": "gatehouse (own decision)" });
    for (const method of ["POST", "PUT", "DELETE"] as const)
      expect(() => headersOf({ method, as: own })).toThrow("by its own decision");
    const path = "/api/v1/namespaces/shop/events";
    expect(headersOf({ method: "POST", path, as: own })).toEqual({ "user-agent": "gatehouse (own decision)" });
    for (const other of [{ path: `${path}/x` }, { path: "/api/v1/namespaces/shop/pods" }, { path, method: "DELETE" }])
      expect(() => headersOf({ method: "POST", as: own, ...other } as never)).toThrow("by its own decision");
    expect(() => headersOf({ method: "POST", path, as: own }, { access: "read" })).toThrow("only read");
    expect(() => headersOf({ method: "PATCH", as: own }, { access: "read" })).toThrow("only read");
  });

  it("sends a person as a user of their own only if the config names the user, or allows any", () => {
    const as: ClusterIdentity = { mode: "user", username: "oidc:oncall", groups: [] };
    const named = { usernamePrefix: "oidc:", users: ["ada", "oncall"] };
    const sent = { "user-agent": "gatehouse", "impersonate-user": "oidc:oncall" };
    expect(headersOf({ method: "PATCH", as }, { impersonation: named })).toEqual(sent);
    expect(headersOf({ method: "PATCH", as }, { impersonation: { allowAnyUser: true } })).toEqual(sent);
    const others = [{}, { usernamePrefix: "oidc:" }, { users: ["oncall"] }, { ...named, users: ["oncal"] }];
    for (const impersonation of others)
      for (const method of ["PATCH", "GET"] as const)
        expect(() => headersOf({ method, as }, { impersonation })).toThrow("impersonation.users");
  });

  it.each(["", " ", "system:admin", "a\nb"])("refuses the name %j in all modes", (username) => {
    for (const mode of ["groups", "user", "serviceAccount"] as const) {
      const as = { mode, username, groups: [] };
      const cluster = mode === "serviceAccount" ? { actAs: mode } : { impersonation: { allowAnyUser: true } };
      expect(() => headersOf({ method: "PATCH", as }, cluster)).toThrow(ForbiddenIdentityError);
      expect(() => headersOf({ method: "GET", as }, cluster)).toThrow(ForbiddenIdentityError);
    }
  });
});

const personHeader = "impersonate-extra-gatehouse.dev%2Fperson";

describe("impersonationHeaders", () => {
  it("sends everybody as one user, with the person's name as an extra and each group as a header of its own", () => {
    expect(impersonationHeaders({ mode: "groups", username: "oncall", groups: ["ops", "dev", "ops"] })).toEqual({
      "impersonate-user": "gatehouse:person",
      [personHeader]: "oncall",
      "impersonate-group": ["ops", "dev"],
    });
  });

  it("sends a person as a user of their own in mode user alone", () => {
    expect(impersonationHeaders({ mode: "user", username: "oncall", groups: ["dev"] })).toEqual({
      "impersonate-user": "oncall",
      "impersonate-group": ["dev"],
    });
  });

  it("sends no group header where there is no group", () => {
    expect(impersonationHeaders({ mode: "user", username: "oncall", groups: [] })).toEqual({
      "impersonate-user": "oncall",
    });
  });

  it("sends names beyond ASCII as the bytes of their UTF-8, as API servers read them", () => {
    const named = { username: "ren\u00e9", groups: ["\u0430\u0434"] };
    const read = (text: unknown) => Buffer.from(String(text), "latin1").toString("utf8");
    const headers = impersonationHeaders({ mode: "groups", ...named });
    expect(read(headers[personHeader])).toBe("ren\u00e9");
    expect(read(headers["impersonate-group"])).toBe("\u0430\u0434");
    expect(read(impersonationHeaders({ mode: "user", ...named })["impersonate-user"])).toBe("ren\u00e9");
  });

  const refused = [
    { name: "empty user", identity: { username: "", groups: ["ops"] } },
    { name: "blank user", identity: { username: "  ", groups: ["ops"] } },
    { name: "system user", identity: { username: "system:admin", groups: [] } },
    { name: "system user in capitals", identity: { username: "System:admin", groups: [] } },
    { name: "empty group", identity: { username: "oncall", groups: [""] } },
    { name: "system group", identity: { username: "oncall", groups: ["dev", "system:masters"] } },
    { name: "system group behind a blank", identity: { username: "oncall", groups: [" system:masters"] } },
    { name: "line break", identity: { username: "oncall\r\nimpersonate-group: x", groups: [] } },
    { name: "a control character of Latin-1", identity: { username: "ad\u0085a", groups: [] } },
    { name: "an invisible character", identity: { username: "oncall\u200b", groups: [] } },
    { name: "half a character", identity: { username: "oncall\ud800", groups: [] } },
  ];
  it.each(refused)("refuses in every mode: $name", ({ identity }) => {
    for (const mode of ["groups", "user", "serviceAccount"] as const)
      expect(() => impersonationHeaders({ mode, ...identity })).toThrow(ForbiddenIdentityError);
  });
});
