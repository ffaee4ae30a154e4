import { describe, expect, it } from "vitest";
import { deriveRights } from "#lib/server/people/auth/derive-rights.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";

/** Rollouts dashboard, Spinnaker, Kubernetes Dashboard: without any set-up, every request was served. */

const least = {
  publicUrl: "https://gatehouse.example",
  auth: { oidc: { issuer: "https://issuer.example", clientId: "g", clientSecret: "env:S" } },
  clusters: [{ name: "prod", inCluster: true }],
};

describe("a config that says little", () => {
  it("is refused without anybody who could say who a person is", () => {
    const { auth: _, ...without } = least;
    expect(Config.safeParse(without).success).toBe(false);
    expect(Config.safeParse({ ...least, auth: {} }).success).toBe(false);
    expect(Config.safeParse(least).success).toBe(true);
  });

  it("gives nobody a role", () => {
    const { auth } = Config.parse(least);
    const identity = { issuer: "https://issuer.example", subject: "s", username: "admin", groups: ["admins", "*"] };
    expect(deriveRights({ subject: { identity }, auth, localAccounts: undefined })).toBeUndefined();
  });

  it("only reads clusters, shows its probes to nobody, and listens to this machine", () => {
    const config = Config.parse(least);
    expect(config.clusters[0]?.access).toBe("read");
    expect(config.clusters[0]?.actAs).toBe("impersonation");
    expect(config.probes.public).toBe(false);
    expect(config.recorder.host).toBe("127.0.0.1");
  });

  it("takes no key that it does not know: a misspelt restriction is no restriction", () => {
    expect(Config.safeParse({ ...least, polices: {} }).success).toBe(false);
    const binding = { role: "viewer", users: ["a"], namespace: ["payments"] };
    expect(Config.safeParse({ ...least, auth: { ...least.auth, roles: [binding] } }).success).toBe(false);
  });

  it("has no binding that names nobody, or everybody by leaving people out", () => {
    const roles = (binding: object) =>
      Config.safeParse({ ...least, auth: { ...least.auth, roles: [binding] } }).success;
    expect(roles({ role: "admin" })).toBe(false);
    expect(roles({ role: "admin", users: [], groups: [] })).toBe(false);
    expect(roles({ role: "admin", users: ["a"] })).toBe(true);
  });
});
