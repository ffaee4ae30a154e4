import { expect, it } from "vitest";
import { formatBytes, formatEstimate } from "./storage-table.tsx";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [8192, "8.19 kB"],
  [999_499, "999 kB"],
  [999_600, "1 MB"],
  [50e9, "50 GB"],
  [2e15, "2000 TB"],
])("%d bytes", (bytes, says) => {
  expect(formatBytes(bytes)).toBe(says.replace(" ", "\u202F"));
});

it.each([
  [0, "0"],
  [0.3, "less than 1"],
  [24.3, "24"],
  [12_345, "12,000"],
])("%d as an estimate", (count, says) => {
  expect(formatEstimate(count)).toBe(says);
});
