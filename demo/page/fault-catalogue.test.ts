import { describe, expect, it } from "vitest";
import {
  describeFault,
  describeScope,
  faultResources,
  orderFaults,
  suggestSeconds,
} from "#demo/page/fault-catalogue.ts";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import { FAULT_WAYS, FAULTS } from "#sandbox/apiserver/faults.ts";

const all = FAULTS.flatMap((fault) => (FAULT_WAYS[fault] ?? [undefined]).map((how) => ({ fault, how })));

describe("the catalogue of faults", () => {
  it.each(all)("says what $fault $how plays and which rule it shows", ({ fault, how }) => {
    const words = describeFault(fault, how);
    expect(words.plays).toMatch(/^[A-Z].+\.$/);
    expect(words.expect).toMatch(/\.$/);
    expect(words.rule).toMatch(/^FC-\d\d$/);
    expect(suggestSeconds(fault)).toBeGreaterThanOrEqual(30);
  });

  it.each(Object.entries(FAULT_WAYS))("tells the ways of %s apart", (fault, ways) => {
    expect(new Set(ways.map((how) => describeFault(fault, how).plays)).size).toBe(ways.length);
  });

  it("names one that it does not know by itself, last", () => {
    expect(describeFault("quake").label).toBe("quake");
    expect(orderFaults(["none", "quake", ...FAULTS])).toHaveLength(FAULTS.length + 1);
    expect(orderFaults(["none", "quake", ...FAULTS]).at(-1)).toBe("quake");
    expect(orderFaults(FAULTS)[0]).toBe("empty");
  });

  it("offers what the recorder watches", () => {
    expect([...faultResources].toSorted()).toEqual(watchedResources.map(({ resource }) => resource).toSorted());
  });

  it("says where a fault holds", () => {
    expect(describeScope({})).toBe("all resources");
    expect(describeScope({ resource: "pods", namespace: "shop", verb: "list" })).toBe(
      "pods, requests in namespace shop, list alone",
    );
  });
});
