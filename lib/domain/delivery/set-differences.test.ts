import { describe, expect, it } from "vitest";
import { type ComparedMember, compareMembers, type Setting } from "#lib/domain/delivery/set-differences.ts";

type Values = Partial<Omit<ComparedMember, "place">>;

const threshold = (value: string, name = "threshold of errors"): Setting => ({ kind: "argument", name, value });

function compare(...members: Values[]) {
  return compareMembers(
    members.map((values, index) => ({
      place: { cluster: "eu", namespace: "shop", kind: "Rollout", name: `r${index}` },
      images: ["shop/app:v2"],
      templates: { "AnalysisTemplate/errors": "aa" },
      settings: [threshold("5")],
      ...values,
    })),
  );
}

/** Writes each field as `kind name: state value (count) members`. */
function describeFields(...members: Values[]): string[] {
  return compare(...members).fields.flatMap(({ kind, name, groups }) =>
    groups.map(({ state, value, count, isMost, rollouts }) => {
      const named = isMost ? "most" : rollouts.map((rollout) => rollout.name).join(" ");
      return `${kind} ${name ?? "-"}: ${value ?? state} (${count}) ${named}`;
    }),
  );
}

describe("compareMembers", () => {
  it.each<{ name: string; members: Values[]; expected: string[] }>([
    { name: "nothing that is the same", members: [{}, {}, {}], expected: [] },
    {
      name: "only the field that differs, and only the members that are not most",
      members: [{}, {}, { settings: [threshold("9")] }],
      expected: ["argument threshold of errors: 5 (2) most", "argument threshold of errors: 9 (1) r2"],
    },
    {
      name: "all members, if no value is that of most",
      members: [{}, { images: ["shop/app:v1"] }],
      expected: ["image -: shop/app:v1 (1) r1", "image -: shop/app:v2 (1) r0"],
    },
    {
      name: "images in any order as the same",
      members: [{ images: ["a:1", "b:1"] }, { images: ["b:1", "a:1"] }],
      expected: [],
    },
    {
      name: "a member without the field apart from one whose value is not known",
      members: [{}, {}, {}, { settings: [] }, { settings: undefined }],
      expected: [
        "steps -: none (4) most",
        "steps -: unknown (1) r4",
        "argument threshold of errors: 5 (3) most",
        "argument threshold of errors: none (1) r3",
        "argument threshold of errors: unknown (1) r4",
      ],
    },
    {
      name: "a template that is not recorded, also where no member's is",
      members: [{ templates: { "AnalysisTemplate/errors": null } }, { templates: { "AnalysisTemplate/errors": null } }],
      expected: ["template AnalysisTemplate/errors: unknown (2) r0 r1"],
    },
    {
      name: "unknown images, also where no member's are known",
      members: [{ images: [] }, { images: [] }],
      expected: ["image -: unknown (2) r0 r1"],
    },
    {
      name: "values with removed secrets as unknown",
      members: [{ settings: [threshold("key [redacted]")] }, { settings: [threshold("key [redacted]")] }],
      expected: ["argument threshold of errors: unknown (2) r0 r1"],
    },
    {
      name: "empty and zero as values",
      members: [{ settings: [threshold("")] }, { settings: [threshold("0")] }],
      expected: ["argument threshold of errors:  (1) r0", "argument threshold of errors: 0 (1) r1"],
    },
  ])("lists $name", ({ members, expected }) => {
    expect(describeFields(...members)).toEqual(expected);
  });

  it("bounds fields, groups, members and texts, and says how many are missing", () => {
    const many = (index: number): Setting[] =>
      Array.from({ length: 30 }, (_, field) => ({
        kind: "argument",
        name: `a${field}`,
        value: `${index}`.padEnd(400),
      }));
    const members = Array.from({ length: 50 }, (_, index) => ({ settings: many(index) }));
    const { fields, moreFields, notCompared } = compare(...members);
    expect([fields.length, moreFields, notCompared]).toEqual([20, 10, 0]);
    expect(fields[0]?.groups).toHaveLength(10);
    expect(fields[0]?.moreGroups).toBe(40);
    expect(fields[0]?.groups[0]?.value).toHaveLength(300);
    const [unread] = compare(...Array.from({ length: 50 }, () => ({ settings: undefined }))).fields;
    expect([unread?.groups[0]?.count, unread?.groups[0]?.rollouts.length]).toEqual([50, 20]);
  });

  it("counts the fields that differ apart from those beyond the first 200, which are not compared", () => {
    const of = (member: number) => (_: unknown, field: number) => threshold("5", `m${member} a${field}`);
    const members = [0, 1, 2].map((member) => ({ settings: Array.from({ length: 90 }, of(member)) }));
    const { fields, moreFields, notCompared } = compare(...members);
    // Image and template are the same: 198 settings are compared, of which each member has its own.
    expect([fields.length, moreFields, notCompared]).toEqual([20, 178, 72]);
  });

  it("compares no member with more settings than it reads", () => {
    const settings = Array.from(
      { length: 101 },
      (_, index): Setting => ({ kind: "argument", name: `a${index}`, value: "" }),
    );
    expect(describeFields({ settings }, { settings })).toEqual([
      "steps -: unknown (2) r0 r1",
      "argument -: unknown (2) r0 r1",
    ]);
  });
});
