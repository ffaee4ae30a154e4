import { expect, it } from "vitest";
import { mayBeLater } from "#components/actions/later-field.tsx";

const needs = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
const freeze = { name: "weekend", until: "2026-11-23T07:00:00.000Z", because: "Frozen." };

it.each([
  { name: "what needs nothing", needs, may: true },
  { name: "what is frozen, since the freeze may be over by then", needs: { ...needs, freeze }, may: true },
  {
    name: "what waits for a set, which is judged at its time",
    needs: { ...needs, barrier: { set: "s", because: "Not yet." } },
    may: true,
  },
  {
    name: "what needs an approval",
    needs: { ...needs, secondPerson: { rule: "r", expireMinutes: 60, because: "Two." } },
    may: false,
  },
])("says whether it can be scheduled: $name", ({ needs, may }) => {
  expect(mayBeLater(needs)).toBe(may);
});
