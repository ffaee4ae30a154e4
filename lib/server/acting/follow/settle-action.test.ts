import { expect, it } from "vitest";
import type { ActionRow } from "#lib/server/records/action-store.ts";
import { entryOf } from "./settle-action.ts";

const row = {
  ...{ id: "a", action: "abort", cluster: "eu", namespace: "shop", kind: "Rollout", name: "one" },
  ...{ group_seq: null, actor_key: "k", actor_name: "Oncall", actor_username: "oncall", request_id: "r" },
} as unknown as ActionRow;

it("says in the recorder's entry that an agent acted by itself, and of no other action", () => {
  const detailOf = (plan: object | null) => entryOf({ row: { ...row, plan }, message: "m" }).detail;
  expect(detailOf({ agent: "t" })).toMatchObject({ message: "m", agent: { id: "t", tool: "act" } });
  for (const plan of [{}, null]) expect(detailOf(plan)).not.toHaveProperty("agent");
});
