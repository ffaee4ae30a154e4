import { expect, it } from "vitest";
import { wordStep } from "#lib/domain/delivery/word-step.ts";

it.each([
  { text: "setWeight: 20", words: "20 %" },
  { text: "setWeight: 50 (25 %)", words: "25 %" },
  { text: "pause", words: "wait" },
  { text: "pause: 10s", words: "wait 10 s" },
  { text: "pause: 90", words: "wait 1 min 30 s" },
  { text: "pause: 1h30m", words: "wait 1 h 30 min" },
  { text: "pause: soon", words: "wait soon" },
  { text: "analysis", words: "analysis" },
  { text: "experiment", words: "experiment" },
  { text: "setCanaryScale{weight: 25}", words: "canary pods at 25 %" },
  { text: "setCanaryScale{weight: 50 (25 %)}", words: "canary pods at 25 %" },
  { text: "setCanaryScale{replicas: 1}", words: "1 canary pod" },
  { text: "setCanaryScale{matchTrafficWeight: true}", words: "canary pods follow the traffic" },
  { text: "setHeaderRoute: beta", words: "header route beta" },
  { text: "setMirrorRoute: ", words: "mirror route" },
  { text: "plugin: acme/wait", words: "plugin acme/wait" },
  { text: "weight 5 %", words: "5 %" },
  { text: "invalid", words: "invalid" },
  { text: "", words: "" },
])("words $text as $words", ({ text, words }) => {
  expect(wordStep(text)).toBe(words);
});
