import { expect, it } from "vitest";
import { groupRows, isRowGroup } from "#components/inbox/group-rows.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const row = (key: string, image = "shop/web:v2", reason = "pause") => ({
  key,
  isGone: false,
  isFolding: false,
  item: { rollout: { attention: { reason }, images: [{ image, tags: ["canary"] }] } } as InboxItem,
});

function show(rows: ReturnType<typeof row>[], grouping?: Parameters<typeof groupRows>[1]): string {
  return groupRows(rows, grouping)
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

const begin = () => ({ isHeld: false, formed: new Set<string>(), keys: new Map<string, string | undefined>() });

it("keeps a group that was formed while one of its rows is left", () => {
  const grouping = begin();
  expect(show([row("a"), row("b"), row("c")], grouping)).toBe("[abc]");
  expect(show([row("b")], grouping)).toBe("[b]");
});

it("lets no row leave or join a group while rows are held", () => {
  const grouping = begin();
  const changed = [row("a", "shop/web:v2", "degraded"), row("b"), row("c"), row("x")];
  expect(show([row("a"), row("b"), row("c"), row("x", "shop/api:v2")], grouping)).toBe("[abc] x");
  expect(show(changed, { ...grouping, isHeld: true })).toBe("[abc] x");
  const [group] = groupRows(changed, { ...grouping, isHeld: true });
  expect(group).toMatchObject({ key: "pause shop/web:v2", image: "shop/web:v2" });
  expect(show(changed, grouping)).toBe("a [bcx]");
});

it("forms no group while rows are held", () => {
  const grouping = begin();
  expect(show([row("a"), row("b")], grouping)).toBe("a b");
  const rows = [row("a"), row("b"), row("c")];
  expect(show(rows, { ...grouping, isHeld: true })).toBe("a b c");
  expect(show(rows, grouping)).toBe("[abc]");
});
