import { expect, it } from "vitest";
import { joinNext } from "./join-next.ts";

it("gives each caller the result of a run that began after its call, and shares runs", async () => {
  const join = joinNext<number>();
  const ends: (() => void)[] = [];
  let runs = 0;
  const call = () =>
    join(async () => {
      runs += 1;
      const number = runs;
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    });
  const early = [call(), call()];
  await Promise.resolve();
  const late = [call(), call()];
  expect(runs).toBe(1);
  ends[0]?.();
  expect(await Promise.all(early)).toEqual([1, 1]);
  await Promise.resolve();
  ends[1]?.();
  expect(await Promise.all(late)).toEqual([2, 2]);
  const again = call();
  await Promise.resolve();
  ends[2]?.();
  expect(await again).toBe(3);
});

it("goes on after a run that failed", async () => {
  const join = joinNext<string>();
  await expect(join(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await join(async () => "yes")).toBe("yes");
});
