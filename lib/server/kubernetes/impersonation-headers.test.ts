import { describe, expect, it } from "vitest";
import { ForbiddenIdentityError } from "./cluster-errors.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";

describe("impersonationHeaders", () => {
  it("sends each group as a header of its own", () => {
    expect(impersonationHeaders({ username: "ada", groups: ["ops", "dev", "ops"] })).toEqual({
      "impersonate-user": "ada",
      "impersonate-group": ["ops", "dev"],
    });
  });

  it("sends no group header where there is no group", () => {
    expect(impersonationHeaders({ username: "ada", groups: [] })).toEqual({ "impersonate-user": "ada" });
  });

  const refused = [
    { name: "empty user", identity: { username: "", groups: ["ops"] } },
    { name: "blank user", identity: { username: "  ", groups: ["ops"] } },
    { name: "system user", identity: { username: "system:admin", groups: [] } },
    { name: "system user in capitals", identity: { username: "System:admin", groups: [] } },
    { name: "empty group", identity: { username: "ada", groups: [""] } },
    { name: "system group", identity: { username: "ada", groups: ["dev", "system:masters"] } },
    { name: "system group behind a blank", identity: { username: "ada", groups: [" system:masters"] } },
    { name: "line break", identity: { username: "ada\r\nimpersonate-group: x", groups: [] } },
    { name: "beyond Latin-1", identity: { username: "ад", groups: [] } },
  ];
  it.each(refused)("refuses: $name", ({ identity }) => {
    expect(() => impersonationHeaders(identity)).toThrow(ForbiddenIdentityError);
  });
});
