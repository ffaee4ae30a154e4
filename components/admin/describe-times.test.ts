import { expect, it } from "vitest";
import { describeTimes } from "./describe-times.ts";

it.each([
  { start: "0 0 * * *", says: "every day at 00:00 UTC for 2 h" },
  { start: " 30  9 * * 1-4 ", says: "every Monday to Thursday at 09:30 UTC for 2 h" },
  { start: "0 18 * * FRI", says: "every Friday at 18:00 UTC for 2 h" },
  { start: "0 18 * * 6,0", says: "every Saturday and Sunday at 18:00 UTC for 2 h" },
  { start: "0 18 * * 5-7", says: "every Friday to Sunday at 18:00 UTC for 2 h" },
  { start: "0 18 24 12 *", says: "every year on 24 December at 18:00 UTC for 2 h" },
  { start: "0 18 1 * *", says: "on day 1 of each month at 18:00 UTC for 2 h" },
])("says when $start is", ({ start, says }) => {
  expect(describeTimes({ start, timeZone: "UTC", duration: "2h" })).toBe(says);
});

it.each([
  ...["0 * * * *", "*/5 9 * * *", "0 18 1 * 5", "0 9,18 * * *", "0 18 * * 5#2", "0 18 * * 5-1", "0 18 L * *"],
  ...["0 18 * 12 *", "0 18 1 0 *", "0 18 1,15 * *", "@daily", "0 18 * * 1--3", "0 18 * * 1-2-3", "0 18 * * 8"],
])("leaves %s as it is written", (start) => {
  expect(describeTimes({ start, timeZone: "UTC", duration: "90m" })).toBe(
    `for 1 h 30 min from each start (cron ${start}, UTC)`,
  );
});
