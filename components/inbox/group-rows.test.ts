import { expect, it } from "vitest";
import { groupRows, isRowGroup } from "#components/inbox/group-rows.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const row = (key: string, image = "shop/web:v2", reason = "pause") => ({
  key,
  isGone: false,
  isFolding: false,
  item: { rollout: { attention: { reason }, images: [{ image, tags: ["canary"] }] } } as InboxItem,
});

function show(rows: ReturnType<typeof row>[], formed?: Set<string>): string {
  return groupRows(rows, formed)
    .map((entry) => (isRowGroup(entry) ? `[${entry.rows.map(({ key }) => key).join("")}]` : entry.key))
    .join(" ");
}

it("groups three rows of one version that wait for the same reason, in the place of the first", () => {
  expect(show([row("a"), row("x", "shop/api:v2"), row("b"), row("c"), row("d", "shop/web:v2", "inconclusive")])).toBe(
    "[abc] x d",
  );
});

it("leaves two as they are", () => {
  expect(show([row("a"), row("b"), row("c", "shop/web:v3")])).toBe("a b c");
});

it("groups no findings, and nothing without a new version", () => {
  const finding = (key: string) => row(key, "shop/web:v2", "finding");
  expect(show([finding("a"), finding("b"), finding("c")])).toBe("a b c");
  const settled = (key: string) => ({ ...row(key), item: { rollout: { attention: { reason: "pause" }, images: [] } } });
  expect(show([settled("a"), settled("b"), settled("c")] as never)).toBe("a b c");
});

it("keeps a group that was formed while one of its rows is left", () => {
  const formed = new Set<string>();
  expect(show([row("a"), row("b"), row("c")], formed)).toBe("[abc]");
  expect(show([row("b")], formed)).toBe("[b]");
});
