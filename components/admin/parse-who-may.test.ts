import { expect, it } from "vitest";
import { describeWhoMay, parseWhoMay } from "#components/admin/parse-who-may.ts";

const clusters = ["prod", "stage"];

it.each([
  ["abort", { action: "abort" }],
  ["abort payments", { action: "abort", namespace: "payments" }],
  ["Abort in payments", { action: "abort", namespace: "payments" }],
  ["abort in prod", { action: "abort", cluster: "prod" }],
  ["abort payments/checkout", { action: "abort", namespace: "payments", name: "checkout" }],
  ["abort prod/payments", { action: "abort", cluster: "prod", namespace: "payments" }],
  ["abort other/payments/checkout", { action: "abort", cluster: "other", namespace: "payments", name: "checkout" }],
  ["skip all", { action: "skip-all" }],
  ["skip all steps payments", { action: "skip-all", namespace: "payments" }],
  ["promote fully payments", { action: "promote-full", namespace: "payments" }],
])("reads %s", (text, question) => {
  expect(parseWhoMay(text, clusters)).toEqual(question);
});

it.each(["", "payments", "abort a/b/c/d", "abort payments/", "abort payments checkout"])(
  "reads no question in %j",
  (text) => {
    expect(parseWhoMay(text, clusters)).toBeUndefined();
  },
);

it("says the question in words", () => {
  expect(describeWhoMay({ action: "abort" })).toBe("abort");
  expect(describeWhoMay({ action: "abort", cluster: "prod" })).toBe("abort in cluster prod");
  expect(describeWhoMay({ action: "abort", cluster: "prod", namespace: "payments", name: "checkout" })).toBe(
    "abort in payments/checkout of cluster prod",
  );
});
