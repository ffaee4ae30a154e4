import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { drawSparkline, formatAge, formatStreamed, formatTable, parseOutput } from "./format.ts";

describe("a table", () => {
  it("is as wide as its longest cells, without spaces at the end of a line", () => {
    expect(
      formatTable(
        ["NAME", "WHY"],
        [
          ["checkout", "waits"],
          ["a", "-"],
        ],
      ),
    ).toBe("NAME      WHY\ncheckout  waits\na         -\n");
  });

  it("counts letters, not code units", () => {
    expect(
      formatTable(
        ["A", "B"],
        [
          ["𝒙𝒚", "1"],
          ["zz", "2"],
        ],
      ),
    ).toBe("A   B\n𝒙𝒚  1\nzz  2\n");
  });

  it("counts the columns that a terminal gives to wide letters, and none for a combining mark", () => {
    const rows = [
      ["本番", "1"],
      ["e\u0301", "2"],
    ];
    expect(formatTable(["A", "B"], rows)).toBe("A     B\n本番  1\ne\u0301     2\n");
  });
});

describe("a sparkline", () => {
  it("runs from the smallest to the largest value, and marks what is no number", () => {
    expect(drawSparkline([0, 0.5, 1, null])).toBe("▁▅█·");
  });

  it("is level if nothing changes, and empty without values", () => {
    expect(drawSparkline([3, 3])).toBe("▄▄");
    expect(drawSparkline([])).toBe("");
  });
});

it("tells an age in its largest unit, rounded down", () => {
  const now = Date.parse("2026-11-24T12:00:00Z");
  const ages = ["2026-11-24T11:59:59.500Z", "2026-11-24T11:58:01Z", "2026-11-24T02:30:00Z", "2026-11-21T12:00:00Z"];
  expect(ages.map((at) => formatAge(at, now))).toEqual(["0 s", "1 min", "9 h", "3 d"]);
});

describe("a stream of answers", () => {
  const answers = [
    { name: "checkout", message: "---\n...\nlooks like the end", images: [], step: null },
    { name: "a: b", message: "# no comment", images: [{ image: "shop:1" }], step: 0 },
  ];

  it("is a YAML document for each, whatever their texts look like", () => {
    const text = answers.map((answer) => formatStreamed(answer, "yaml")).join("");
    expect(text).toMatch(/^---\nname: checkout\n/);
    expect(parseAllDocuments(text).map((document) => document.toJS())).toEqual(answers);
  });

  it("is a line of JSON for each", () => {
    const lines = answers.map((answer) => formatStreamed(answer, "json")).join("");
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(answers);
  });
});

it("refuses an output that it does not have", () => {
  expect(() => parseOutput("xml")).toThrow('--output must be table, json, yaml, not "xml"');
});
