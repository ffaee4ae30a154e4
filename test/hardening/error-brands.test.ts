import { describe, expect, it, vi } from "vitest";
import { hasBrand } from "#lib/util/has-brand.ts";

describe("the brand of an error", () => {
  const branded = Object.assign(new Error("x"), { brand: "one" });
  it.each([
    { name: "the same word", error: branded, brand: "one", expected: true },
    { name: "another word", error: branded, brand: "two", expected: false },
    { name: "none", error: new Error("x"), brand: "one", expected: false },
    {
      name: "an object that is no error, such as a cluster's answer",
      error: { brand: "one" },
      brand: "one",
      expected: false,
    },
    { name: "no object", error: undefined, brand: "one", expected: false },
  ])("$name", ({ error, brand, expected }) => {
    expect(hasBrand(error, brand)).toBe(expected);
  });
});

/** Loads a module as another bundle does: with its own classes. */
async function loadTwice<Module>(load: () => Promise<Module>): Promise<[Module, Module]> {
  const first = await load();
  vi.resetModules();
  return [first, await load()];
}

describe("an error that another bundle made", () => {
  it("is a service error", async () => {
    const [ours, theirs] = await loadTwice(() => import("#lib/server/platform/actor/service-error.ts"));
    const error = new theirs.ServiceError("forbidden", "No.");
    expect(error).not.toBeInstanceOf(ours.ServiceError);
    expect(ours.isServiceError(error)).toBe(true);
  });

  it("is answered as what it is, and not as an internal error", async () => {
    const [ours] = await loadTwice(() => import("#lib/server/edge/http/problem-response.ts"));
    const { ServiceError } = await import("#lib/server/platform/actor/service-error.ts");
    const thrown = new ServiceError("unavailable", "Cluster prod does not answer.");
    expect(ours.asServiceError(thrown)).toMatchObject({ isExpected: true, error: { code: "unavailable" } });
  });

  it("is an unreachable cluster, or an identity that nobody is sent as", async () => {
    const [ours, theirs] = await loadTwice(() => import("#lib/server/clusters/kubernetes/cluster-errors.ts"));
    const gone = new theirs.ClusterUnreachableError({ cluster: "prod", sent: false, message: "no answer" });
    expect(ours.isClusterUnreachableError(gone)).toBe(true);
    expect(ours.asUnreachable({ cluster: "other", error: gone })).toBe(gone);
    const forbidden = new theirs.ForbiddenIdentityError("system:masters");
    expect(ours.isForbiddenIdentityError(forbidden)).toBe(true);
    expect(ours.isClusterUnreachableError(forbidden)).toBe(false);
  });

  it("keeps its kind within an expression", async () => {
    const [ours, theirs] = await loadTwice(() => import("#lib/expr/errors.ts"));
    expect(ours.isExpressionError(theirs.runtimeError("no"))).toBe(true);
  });
});
