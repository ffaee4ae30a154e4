import { describe, expect, it } from "vitest";
import { type AccessRequest, authenticate, authorizeByRole, gatehouseAccount, impersonate } from "./auth.ts";
import { parseRequestInfo } from "./request-info.ts";

const info = parseRequestInfo("GET", new URL("http://s/apis/argoproj.io/v1alpha1/namespaces/wire/rollouts"));
const admin = authenticate("Bearer secret", "secret");

describe("authenticate", () => {
  it.each([
    { header: "Bearer secret", name: "kubernetes-admin" },
    { header: "bearer secret", name: "kubernetes-admin" },
    { header: `Basic ${Buffer.from("admin:secret").toString("base64")}`, name: "kubernetes-admin" },
    { header: `Basic ${Buffer.from("admin:other").toString("base64")}`, name: "system:anonymous" },
    { header: "Bearer ", name: "system:anonymous" },
    { header: undefined, name: "system:anonymous" },
  ])("$header is $name", ({ header, name }) => {
    expect(authenticate(header, "secret").name).toBe(name);
  });

  it("refuses a wrong token with 401", () => {
    expect(() => authenticate("Bearer other", "secret")).toThrow(expect.objectContaining({ code: 401 }));
  });
});

describe("impersonate", () => {
  const as = (...rawHeaders: string[]) => impersonate({ user: admin, rawHeaders, info, authorize: authorizeByRole });

  it("keeps repeated groups apart and adds system:authenticated", () => {
    const user = as("Impersonate-User", "releaser", "Impersonate-Group", "a, b", "impersonate-group", "c");
    expect(user).toEqual({ name: "releaser", groups: ["a, b", "c", "system:authenticated"], extra: {} });
  });

  it("reads extras with their keys in lower case, decoded", () => {
    const user = as(
      "Impersonate-User",
      "releaser",
      "Impersonate-Extra-Scope%2fX",
      "1",
      "Impersonate-Extra-scope%2Fx",
      "2",
    );
    expect(user.extra).toEqual({ "scope/x": ["1", "2"] });
  });

  it("acts as the owner of the token where nothing is asked", () => {
    expect(as("Accept", "*/*")).toBe(admin);
  });

  it("refuses groups without a user with 400", () => {
    expect(() => as("Impersonate-Group", "a")).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining("without impersonating a user name") }),
    );
  });

  it("refuses anybody but the admin with 403", () => {
    const user = authenticate(undefined, "secret");
    expect(() =>
      impersonate({ user, rawHeaders: ["Impersonate-User", "releaser"], info, authorize: authorizeByRole }),
    ).toThrow(expect.objectContaining({ code: 403 }));
  });
});

describe("impersonation by an account whose rules have names", () => {
  const ok = ["Impersonate-User", "gatehouse:person", "Impersonate-Extra-gatehouse.dev%2Fperson", "ad\u00c3\u00a9"];
  const as = (...rawHeaders: string[]) =>
    impersonate({ user: gatehouseAccount, rawHeaders, info, authorize: authorizeByRole });

  it("is allowed for these names", () => {
    const user = as(...ok, "Impersonate-Group", "gatehouse:operators");
    expect(user).toEqual({
      name: "gatehouse:person",
      groups: ["gatehouse:operators", "system:authenticated"],
      extra: { "gatehouse.dev/person": ["ad\u00e9"] },
    });
  });

  it.each([
    ["another user", ["Impersonate-User", "releaser"], "impersonate-on:user-info:list"],
    ["a controller", ["Impersonate-User", "system:kube-controller-manager"], "impersonate-on:user-info:list"],
    ["a service account", ["Impersonate-User", "system:serviceaccount:kube-system:x"], "impersonate-on:user-info:list"],
    ["the group of admins", [...ok, "Impersonate-Group", "system:masters"], 'cannot impersonate resource "groups"'],
    ["another extra", [...ok, "Impersonate-Extra-scopes", "x"], 'resource "userextras/scopes"'],
    ["a uid", [...ok, "Impersonate-Uid", "7"], 'cannot impersonate resource "uids"'],
  ])("is refused for %s", (_, headers, message) => {
    expect(() => as(...headers)).toThrow(
      expect.objectContaining({ code: 403, message: expect.stringContaining(message) }),
    );
  });

  it("asks for the right to a service account by its namespace", () => {
    const asked: AccessRequest[] = [];
    const authorize = (request: AccessRequest) => ({ allowed: asked.push(request) > 0 });
    impersonate({ user: admin, rawHeaders: ["Impersonate-User", "system:serviceaccount:a:b"], info, authorize });
    expect(asked[0]).toMatchObject({ resource: "serviceaccounts", namespace: "a", name: "b" });
  });
});

const base = { user: "releaser", group: "argoproj.io", namespace: "wire" };
const member = (name: string): string[] => [`gatehouse:${name}`, "system:authenticated"];

const cases: (Omit<AccessRequest, "user" | "group" | "namespace"> & { group?: string; allowed: boolean })[] = [
  { groups: ["system:masters"], verb: "delete", resource: "rollouts", allowed: true },
  { groups: member("viewers"), verb: "watch", resource: "rollouts", allowed: true },
  { groups: member("viewers"), verb: "patch", resource: "rollouts", allowed: false },
  { groups: member("viewers"), verb: "get", resource: "secrets", group: "", allowed: false },
  { groups: member("operators"), verb: "get", resource: "rollouts", allowed: true },
  { groups: member("operators"), verb: "patch", resource: "rollouts", allowed: true },
  { groups: member("operators"), verb: "patch", resource: "rollouts", subresource: "status", allowed: true },
  { groups: member("operators"), verb: "update", resource: "analysisruns", allowed: true },
  { groups: member("admins"), verb: "patch", resource: "experiments", allowed: true },
  { groups: member("admins"), verb: "delete", resource: "rollouts", allowed: false },
  { groups: member("operators"), verb: "patch", resource: "rollouts", subresource: "scale", allowed: false },
  { groups: member("operators"), verb: "patch", resource: "analysistemplates", allowed: false },
  { groups: member("operators"), verb: "patch", resource: "rollouts", group: "other.io", allowed: false },
  { groups: ["system:authenticated"], verb: "list", resource: "rollouts", allowed: false },
  { groups: ["system:authenticated"], verb: "get", resource: "", path: "/apis", allowed: true },
  { groups: ["system:unauthenticated"], verb: "get", resource: "", path: "/apis", allowed: false },
  { groups: ["system:unauthenticated"], verb: "get", resource: "", path: "/version", allowed: true },
  { groups: ["system:authenticated"], verb: "get", resource: "", path: "/metrics", allowed: false },
];

describe("authorizeByRole", () => {
  it.each(cases)("$groups $verb $resource $subresource $path: $allowed", ({ allowed, ...request }) => {
    expect(authorizeByRole({ ...base, ...request }).allowed).toBe(allowed);
  });
});
