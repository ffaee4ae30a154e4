import type { Observation, RolloutProjection } from "./rollout-projection.ts";

export type ReleaseState = "progressing" | "paused" | "promoted" | "aborted" | "superseded";

/** One revision's passage through the strategy. A retry after an abort, or a later return to it, is a new attempt. */
export type Release = {
  /** Pod hash of the revision. */
  runKey: string;
  attempt: number;
  revision: number | null;
  state: ReleaseState;
  message: string;
  images: string[];
  /** ISO 8601, as observed. */
  startedAt: string;
  endedAt: string | null;
};

export type ReleaseHistory = { releases: readonly Release[]; previous: RolloutProjection | undefined };

export const noReleases: ReleaseHistory = { releases: [], previous: undefined };

/** All releases of a rollout, oldest first, from its observations in order. Pure: the same rows every time. */
export function deriveReleases(observations: readonly Observation[]): Release[] {
  return [...observations.reduce(foldRelease, noReleases).releases];
}

/** Takes one more observation into the history. `releases` may come in any order of different run keys. */
export function foldRelease(history: ReleaseHistory, { projection, observedAt }: Observation): ReleaseHistory {
  const key = projection.currentPodHash;
  // Before the controller has seen the object there is no revision to speak of.
  if (key === "") return history;
  const before = history.previous;
  const at = { projection, observedAt };
  const current = before === undefined ? undefined : findLatest(history.releases, before.currentPodHash);
  if (current === undefined || before === undefined || before.currentPodHash !== key)
    return { releases: startNext({ ...at, releases: history.releases, current }), previous: projection };
  const isRetry = current.state === "aborted" && before.abort && !projection.abort;
  const releases = isRetry
    ? [...history.releases, newRelease({ ...at, releases: history.releases, note: "" })]
    : history.releases.map((release) => (release === current && isOpen(release) ? advance(release, at) : release));
  return { releases, previous: projection };
}

type At = { projection: RolloutProjection; observedAt: string };

function startNext(options: At & { releases: readonly Release[]; current: Release | undefined }): Release[] {
  const { projection, observedAt, current } = options;
  const isReturn = projection.currentPodHash === projection.stableRS;
  const releases = options.releases.map((release) =>
    release === current && isOpen(release)
      ? { ...release, state: "superseded" as const, message: supersededBy(projection, isReturn), endedAt: observedAt }
      : release,
  );
  // Back on the version that never stopped being stable: its passage is over, so nothing new begins.
  if (isReturn && findLatest(releases, projection.currentPodHash)?.state === "promoted") return releases;
  const note = current === undefined ? "was running when first seen" : "returned to the stable version";
  return [...releases, newRelease({ projection, observedAt, releases, note: isReturn ? note : "" })];
}

function newRelease(options: At & { releases: readonly Release[]; note: string }): Release {
  const { projection, observedAt, releases, note } = options;
  const opened: Release = {
    runKey: projection.currentPodHash,
    attempt: (findLatest(releases, projection.currentPodHash)?.attempt ?? 0) + 1,
    revision: projection.view.revision,
    state: "progressing",
    message: "",
    images: projection.view.images,
    startedAt: observedAt,
    endedAt: null,
  };
  const release = advance(opened, options);
  return note === "" ? release : { ...release, message: note };
}

function advance(release: Release, at: At): Release {
  const { view } = at.projection;
  // While the controller lags behind, template and revision already belong to the next release.
  const facts = view.specObserved
    ? { revision: view.revision ?? release.revision, images: view.images.length > 0 ? view.images : release.images }
    : {};
  return { ...release, ...facts, ...stateOf(at) };
}

function stateOf({ projection, observedAt }: At): Pick<Release, "state" | "message" | "endedAt"> {
  const { view } = projection;
  if (projection.abort) return { state: "aborted", message: view.message, endedAt: observedAt };
  if (projection.stableRS === projection.currentPodHash) return { state: "promoted", message: "", endedAt: observedAt };
  const isPaused = projection.paused || projection.pauseConditions.length > 0 || view.phase === "Paused";
  return { state: isPaused ? "paused" : "progressing", message: view.message, endedAt: null };
}

/** The newest attempt of that revision. */
function findLatest(releases: readonly Release[], runKey: string): Release | undefined {
  return releases
    .filter((release) => release.runKey === runKey)
    .reduce<Release | undefined>(
      (best, each) => (best === undefined || each.attempt > best.attempt ? each : best),
      undefined,
    );
}

function isOpen(release: Release): boolean {
  return release.state === "progressing" || release.state === "paused";
}

function supersededBy(projection: RolloutProjection, isReturn: boolean): string {
  if (isReturn) return "taken back: the stable version was wanted again";
  const { revision } = projection.view;
  return revision === null ? "superseded by another version" : `superseded by revision ${revision}`;
}
