import { describe, expect, it } from "vitest";
import { ForbiddenIdentityError } from "./cluster-errors.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";

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
