import { describe, expect, it } from "vitest";
import { readRealStream, realStreams, statesOf } from "./real-streams.ts";

describe("recordings of real controllers", () => {
  it.each(realStreams)("%s is in the order of arrival and holds a rollout", (stream) => {
    const lines = readRealStream(stream);
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted());
    expect(lines.some(({ object }) => object.kind === "Rollout")).toBe(true);
  });

  it("a later list repeats no state", () => {
    const versions = statesOf(readRealStream("s1"), "Rollout", "s1-accept").map(({ metadata }) =>
      Number(metadata.resourceVersion),
    );
    expect(versions.length).toBeGreaterThan(10);
    expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => one - other));
  });

  it("shows writes with the new generation, template and revision, and the old pod hash", () => {
    const revisions = statesOf(readRealStream("s6"), "Rollout", "s6-acts").flatMap(({ metadata, spec, status }) => {
      const revision = metadata.annotations?.["rollout.argoproj.io/revision"];
      const isObserved = status?.observedGeneration === String(metadata.generation);
      // This hash belongs to revisions 2 and 4, and to the image app:2.
      return isObserved && status?.currentPodHash === "6db45559d8" && !JSON.stringify(spec).includes('"app:2"')
        ? [revision]
        : [];
    });
    expect(revisions).toEqual(["3", "5"]);
  });
});
