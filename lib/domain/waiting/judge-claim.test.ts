import { expect, it } from "vitest";
import { type ClaimVerdict, judgeClaim } from "./judge-claim.ts";

const held = { id: "1", by: "issuer|ann", byName: "Ann" };

it.each<{ name: string; input: Parameters<typeof judgeClaim>[0]; verdict: ClaimVerdict }>([
  { name: "nobody is on it", input: { held: undefined, by: "me", takesOver: undefined }, verdict: { kind: "claim" } },
  {
    name: "the claim to take over has ended",
    input: { held: undefined, by: "me", takesOver: "1" },
    verdict: { kind: "claim" },
  },
  { name: "it is one's own", input: { held, by: held.by, takesOver: undefined }, verdict: { kind: "extend" } },
  {
    name: "somebody else is on it",
    input: { held, by: "me", takesOver: undefined },
    verdict: { kind: "held", by: held },
  },
  { name: "it is named", input: { held, by: "me", takesOver: "1" }, verdict: { kind: "take-over", from: held } },
  { name: "an earlier one is named", input: { held, by: "me", takesOver: "0" }, verdict: { kind: "held", by: held } },
])("when $name", ({ input, verdict }) => {
  expect(judgeClaim(input)).toEqual(verdict);
});
