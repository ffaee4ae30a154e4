import { expect, it } from "vitest";
import { assessRoom } from "#components/shell/toasts.tsx";

it.each([
  { name: "nothing is shown", facts: { needed: 0, reserved: 0, below: 0 }, room: 0 },
  { name: "a toast comes", facts: { needed: 120, reserved: 0, below: 0 }, room: 120 },
  { name: "another one comes", facts: { needed: 250, reserved: 120, below: 40 }, room: 250 },
  { name: "it goes while the end of the page is far away", facts: { needed: 0, reserved: 120, below: 900 }, room: 0 },
  { name: "it goes at the very end of the page", facts: { needed: 0, reserved: 120, below: 0 }, room: 120 },
  { name: "it goes near the end of the page", facts: { needed: 0, reserved: 120, below: 40.6 }, room: 80 },
  { name: "one of two goes", facts: { needed: 120, reserved: 250, below: 200 }, room: 120 },
])("$name: $room px", ({ facts, room }) => {
  expect(assessRoom(facts)).toBe(room);
});
