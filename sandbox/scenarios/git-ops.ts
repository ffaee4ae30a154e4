import { USUAL } from "./metrics.ts";
import type { Scenario } from "./scenario-types.ts";

/**
 * Argo CD syncs this Rollout from Git. While a release waits for a person, another image is set by hand. Five seconds
 * later, Argo CD reverts it, and the release restarts under a new revision. Every change of the spec is reverted: an
 * image, a pause, a replica count. Promoting and aborting change the status, and stay.
 */
export const gitOps: Scenario = {
  key: "gitOps",
  namespace: "logistics",
  name: "dispatch",
  image: "registry.internal/logistics/dispatch",
  version: "v4.0.11",
  replicas: 3,
  isGitOps: true,
  strategy: {
    steps: [{ setWeight: 33 }, { pause: {} }, { setWeight: 66 }, { pause: { duration: "5s" } }],
  },
  templates: [],
  baseline: USUAL,
  behaviours: [],
  script: [
    { when: "healthy", act: { release: "v4.1.0" } },
    { when: "at-manual-pause", act: { setImage: "v4.1.0-hotfix" } },
  ],
  expected: {
    phase: "Paused",
    message: "CanaryPauseStep",
    stepIndex: 1,
    pauseReasons: ["CanaryPauseStep"],
    isPromoted: false,
    revision: 4,
  },
};
