import { describe, expect, it } from "vitest";
import { ForbiddenIdentityError } from "./cluster-errors.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";

describe("impersonationHeaders", () => {
  it("sends each group as a header of its own", () => {
    expect(impersonationHeaders({ username: "oncall", groups: ["ops", "dev", "ops"] })).toEqual({
      "impersonate-user": "oncall",
      "impersonate-group": ["ops", "dev"],
    });
  });

  it("sends no group header where there is no group", () => {
    expect(impersonationHeaders({ username: "oncall", groups: [] })).toEqual({ "impersonate-user": "oncall" });
  });

  it("sends names beyond ASCII as the bytes of their UTF-8, as API servers read them", () => {
    const headers = impersonationHeaders({ username: "ren\u00e9", groups: ["\u0430\u0434"] });
    const read = (text: unknown) => Buffer.from(String(text), "latin1").toString("utf8");
    expect(read(headers["impersonate-user"])).toBe("ren\u00e9");
    expect(read(headers["impersonate-group"])).toBe("\u0430\u0434");
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
  it.each(refused)("refuses: $name", ({ identity }) => {
    expect(() => impersonationHeaders(identity)).toThrow(ForbiddenIdentityError);
  });
});
