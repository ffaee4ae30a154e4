import { describe, expect, it } from "vitest";
import { type ChecksumInput, computeChecksum } from "./checksum.ts";

/**
 * Pairs made with Flagger 1.44.0 and Go 1.26.8: a Go program unmarshalled each status into the `Canary` of
 * pkg/apis/flagger/v1beta1, and passed its `TrackedConfigs` and `LastAppliedSpec` to `canary.ComputeHash` in the struct
 * of `canaryChecksum` (pkg/controller/webhook.go).
 */
const pairs: [ChecksumInput, string][] = [
  [{}, "758df7c9fc"],
  [{ lastAppliedSpec: "85d557f47b" }, "78679b668"],
  [{ trackedConfigs: null, lastAppliedSpec: "85d557f47b" }, "78679b668"],
  [{ trackedConfigs: {}, lastAppliedSpec: "85d557f47b" }, "59d8479b69"],
  [{ trackedConfigs: {}, lastAppliedSpec: "" }, "68bf6f479b"],
  [{ trackedConfigs: { "configmap/app": "0123456789abcdef" }, lastAppliedSpec: "85d557f47b" }, "66b4b49755"],
  [
    {
      trackedConfigs: { "secret/db": "fedcba9876543210", "configmap/app": "0123456789abcdef" },
      lastAppliedSpec: "85d557f47b",
    },
    "78b755c698",
  ],
  [
    {
      trackedConfigs: {
        "configmap/b": "2222222222222222",
        "configmap/a": "1111111111111111",
        "configmap/a-b": "3333333333333333",
        "configmap/a.b": "4444444444444444",
        "secret/A": "5555555555555555",
      },
      lastAppliedSpec: "6f4c5d8b9z",
    },
    "5d6dd946c9",
  ],
  [{ trackedConfigs: { "configmap/app": "" }, lastAppliedSpec: "x" }, "9bf86cd6d"],
  [{ trackedConfigs: { "a b": "c:d}", '{"q"}': "\\n\n" }, lastAppliedSpec: "%s %d (string)" }, "66bd865d8f"],
  [
    {
      trackedConfigs: { "configmap/ä": "ü", "configmap/日本": "😀", "configmap/\uffee": "x", "configmap/😀": "y" },
      lastAppliedSpec: "naïve",
    },
    "6bbb8df97f",
  ],
  [{ lastAppliedSpec: "\u0000\u0001\u007f" }, "86f4ccfc49"],
  [{ trackedConfigs: { "": "", "configmap/z": "9" }, lastAppliedSpec: "7d9c8f6b5" }, "57798c49cb"],
];

describe("computeChecksum", () => {
  it.each(pairs)("of %j is %s, as upstream computes it", (status, checksum) => {
    expect(computeChecksum(status)).toBe(checksum);
  });
});
