import { expect, it } from "vitest";
import { isNoticedLater } from "#components/findings/finding-page.tsx";

it.each([
  { foundAt: "2026-11-20T12:00:00.000Z", later: false },
  { foundAt: "2026-11-20T12:00:59.999Z", later: false },
  { foundAt: "2026-11-20T12:01:00.000Z", later: true },
])("tells when a finding was noticed, unless that was within a minute: $foundAt", ({ foundAt, later }) => {
  expect(isNoticedLater({ since: "2026-11-20T12:00:00.000Z", foundAt })).toBe(later);
});
