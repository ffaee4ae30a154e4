import { describe, expect, it } from "vitest";
import { admitFailedSignIn } from "./record-failed-sign-in.ts";

function world() {
  let now = 0;
  const runtime = { now: () => new Date(now) };
  const fail = (address: string, person?: string) => admitFailedSignIn({ runtime, address, person });
  const count = (times: number, make: (index: number) => ReturnType<typeof fail>) =>
    Array.from({ length: times }, (_, index) => make(index)).filter(({ admitted }) => admitted).length;
  const pass = (minutes: number) => {
    now += minutes * 60_000;
  };
  return { fail, count, pass };
}

describe("admitFailedSignIn", () => {
  it("lets no stream of anonymous failures hide those of people, from wherever it comes", () => {
    const { fail, count } = world();
    expect(count(1000, () => fail("198.51.100.1"))).toBe(10);
    expect(count(1000, (index) => fail(`198.51.100.${index}`))).toBe(40);
    expect(fail("198.51.100.1", "oncall")).toEqual({ admitted: true, suppressed: 0 });
  });

  it("bounds one address, one name and all of them", () => {
    const one = world();
    expect(one.count(100, (index) => one.fail("a", `person-${index}`))).toBe(30);
    const other = world();
    expect(other.count(100, (index) => other.fail(`address-${index}`, "oncall"))).toBe(10);
    const all = world();
    expect(all.count(500, (index) => all.fail(`address-${index}`, `person-${index}`))).toBe(200);
  });

  it("says how many were left out, once, and begins anew after five minutes", () => {
    const { fail, count, pass } = world();
    expect(count(25, () => fail("a"))).toBe(10);
    expect(count(12, () => fail("a", "oncall"))).toBe(10);
    pass(5);
    expect(fail("a")).toEqual({ admitted: true, suppressed: 15 });
    expect(fail("a")).toEqual({ admitted: true, suppressed: 0 });
    expect(fail("a", "oncall")).toEqual({ admitted: true, suppressed: 2 });
  });
});
