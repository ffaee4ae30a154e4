import { latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { ExpectedState, Scenario } from "./scenario-types.ts";

const PACE = { interval: "1s", count: 6, failureLimit: 1, inconclusiveLimit: 1 };
const [before, next] = ["v5.8.2", "v5.9.0"];

/** Latencies at the edge are short, and differ by zone. */
const latencies: Readonly<Record<string, number>> = { lab: 96, eu: 118, us: 131, ap: 284, sa: 210 };

const promoted: ExpectedState = { phase: "Healthy", stepIndex: 4, isPromoted: true, canaryWeight: 0, revision: 2 };
const waiting: ExpectedState = {
  phase: "Paused",
  message: "CanaryPauseStep",
  stepIndex: 3,
  pauseReasons: ["CanaryPauseStep"],
  isPromoted: false,
  canaryWeight: 30,
  revision: 2,
};
const notBegun: ExpectedState = { phase: "Healthy", stepIndex: 4, isPromoted: true, canaryWeight: 0, revision: 1 };

function zone(wave: number, name: string, expected: ExpectedState): Scenario {
  const service = `assets-${name}`;
  const isLab = expected === promoted;
  return {
    namespace: "edge",
    name: service,
    image: "registry.internal/edge/assets",
    version: before,
    replicas: 3,
    labels: { wave: `${wave}` },
    strategy: {
      ...istio(service),
      steps: [
        { setWeight: 10 },
        { analysis: analysisOf(service, "assets-slo") },
        { setWeight: 30 },
        { pause: isLab ? { duration: "2s" } : {} },
      ],
    },
    templates: [{ name: "assets-slo", metrics: [successRate(PACE), latencyP99(PACE)] }],
    baseline: { ...USUAL, "latency-p99": { center: latencies[name] ?? 100, spread: 12 } },
    behaviours: [],
    script: expected === notBegun ? [] : [{ when: "healthy", act: { release: next } }],
    expected,
  };
}

/** One version in five zones: promoted in the first, waiting for a person in three, not begun in the last. */
export const zones: readonly Scenario[] = [
  zone(1, "lab", promoted),
  zone(2, "eu", waiting),
  zone(2, "us", waiting),
  zone(2, "ap", waiting),
  zone(3, "sa", notBegun),
];
