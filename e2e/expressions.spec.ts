import { expect } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { test } from "./pages.ts";

async function evaluate(body: unknown): Promise<{ status: number; body: { phase?: string; message?: string } }> {
  const { url, tokens } = readDemo();
  const response = await fetch(`${url}/api/v1/analysis/evaluate`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.viewer}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { phase?: string; message?: string } };
}

test("the built server evaluates conditions in threads, and answers others while they are busy", async () => {
  const result = { type: "float64", value: 0.97 };
  expect(await evaluate({ result, successCondition: "result >= 0.95" })).toMatchObject({
    status: 200,
    body: { phase: "Successful" },
  });
  // This held the whole server for ten seconds.
  const hostile = `let big = repeat("a", 400000); let needle = "b" + repeat("a", 200000); count(1..8, lastIndexOf(big, needle) == #) == 0`;
  const [answer, live] = await Promise.all([
    evaluate({ result, successCondition: hostile }),
    fetch(`${readDemo().url}/livez`),
  ]);
  expect(live.status).toBe(200);
  expect(answer).toMatchObject({
    status: 200,
    body: { phase: "Error", message: expect.stringContaining("evaluation takes too many steps") },
  });
});
