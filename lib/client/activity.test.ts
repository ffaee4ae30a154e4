import { expect, it } from "vitest";
import { activityHeaders, watchActivity } from "#lib/client/activity.ts";

it("tells the server of a person for a minute after the last key, click or touch", () => {
  const page = new EventTarget();
  let time = 1000;
  const stop = watchActivity(page, () => time);
  expect(activityHeaders(time)).toEqual({});
  page.dispatchEvent(new Event("pointerdown"));
  expect(activityHeaders(time + 59_999)).toEqual({ "x-gatehouse-active": "1" });
  expect(activityHeaders(time + 60_000)).toEqual({});
  time = 70_000;
  page.dispatchEvent(new Event("scroll"));
  expect(activityHeaders(time)).toEqual({});
  page.dispatchEvent(new Event("keydown"));
  expect(activityHeaders(time)).toEqual({ "x-gatehouse-active": "1" });
  stop();
  time = 200_000;
  page.dispatchEvent(new Event("keydown"));
  expect(activityHeaders(time)).toEqual({});
});
