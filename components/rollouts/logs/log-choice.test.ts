import { describe, expect, it } from "vitest";
import { type LogPod, type LogVersion, maxLogPods } from "#lib/contract/log.ts";
import { chooseColumns, hasPrevious, listContainers, listSources, nameLogVersion } from "./log-choice.ts";

const podOf = (name: string, changes: Partial<LogPod> = {}): LogPod => ({
  name,
  uid: name,
  phase: "Running",
  reason: "",
  createdAt: null,
  containers: [
    { name: "app", role: "container", state: "running", reason: "", restarts: 0, startedAt: null, hasPrevious: false },
  ],
  ...changes,
});
const versionOf = (side: LogVersion["side"], name: string, pods: LogPod[], images = [`shop:${name}`]): LogVersion => ({
  side,
  owner: { kind: "ReplicaSet", name },
  revision: 2,
  images,
  experiment: null,
  run: null,
  pods,
  problem: null,
});
const candidate: LogVersion = {
  ...versionOf("other", "e-candidate", [podOf("e-candidate-a")], ["shop:v2"]),
  experiment: { uid: "u", name: "e", template: "candidate" },
};
const fresh = versionOf("new", "v2", [podOf("v2-a"), podOf("v2-b")]);
const stable = versionOf("stable", "v1", [podOf("v1-a")]);
const choose = (versions: LogVersion[], left: string | null = null, right: string | null = null) => {
  const columns = chooseColumns(listSources({ versions }), { left, right });
  return [columns.left?.value, columns.right?.value];
};

describe("the columns", () => {
  it("are the new version beside the stable one", () => expect(choose([fresh, stable])).toEqual(["v2", "v1"]));
  it("are one if only one version has pods", () => {
    expect(choose([stable])).toEqual(["v1", undefined]);
    expect(choose([{ ...fresh, pods: [] }, stable])).toEqual(["v1", undefined]);
  });
  it("are both around a moment: the version whose pods are gone is missed", () => {
    const groups = listSources({ versions: [{ ...fresh, pods: [] }, stable] });
    const { left, right } = chooseColumns(groups, { left: null, right: null, at: new Date(0) });
    expect([left?.value, right?.value]).toEqual(["v2", "v1"]);
  });
  it("are what the URL names, also twice the same version", () => {
    expect(choose([fresh, stable], "v2-b")).toEqual(["v2-b", "v1"]);
    expect(choose([fresh, stable], "v2-a", "v2-b")).toEqual(["v2-a", "v2-b"]);
    expect(choose([fresh, stable], null, "none")).toEqual(["v2", undefined]);
  });
  it("are those of an experiment only if the URL names them", () => {
    expect(choose([fresh, stable, candidate])).toEqual(["v2", "v1"]);
    expect(choose([fresh, stable, candidate], "e-candidate")).toEqual(["e-candidate", "v1"]);
    expect(choose([stable, candidate])).toEqual(["v1", undefined]);
  });
  it("fall back if the pod in the URL is gone", () => expect(choose([fresh, stable], "gone")).toEqual(["v2", "v1"]));
  it("are none without any version", () => expect(choose([])).toEqual([undefined, undefined]));
});

it("names versions and counts pods", () => {
  expect(nameLogVersion(fresh)).toBe("v2, new, revision 2");
  expect(nameLogVersion(candidate)).toBe("v2, candidate of experiment e");
  expect(nameLogVersion({ ...stable, images: [], revision: null })).toBe("v1, stable");
  expect(listSources({ versions: [fresh, stable] }).map(({ items }) => items[0]?.label)).toEqual([
    "all 2 pods",
    "its 1 pod",
  ]);
});

it("shows no more pods at a time than one answer may have", () => {
  const pods = Array.from({ length: 23 }, (_, index) => podOf(`p${index}`));
  const [all] = listSources({ versions: [versionOf("new", "v3", pods)] })[0]?.items ?? [];
  expect(all?.label).toBe("the newest 20 of 23 pods");
  expect(all?.pods).toHaveLength(maxLogPods);
});

it("lists containers once, and knows which had an instance before", () => {
  const crashed = podOf("c", {
    containers: [
      { name: "app", role: "container", state: "running", reason: "", restarts: 1, startedAt: null, hasPrevious: true },
      {
        name: "proxy",
        role: "sidecar",
        state: "running",
        reason: "",
        restarts: 0,
        startedAt: null,
        hasPrevious: false,
      },
    ],
  });
  const [source] = listSources({ versions: [versionOf("new", "v3", [podOf("a"), crashed])] }).flatMap(
    ({ items }) => items,
  );
  expect(listContainers([source, undefined])).toEqual([
    { name: "app", label: "app" },
    { name: "proxy", label: "proxy (sidecar)" },
  ]);
  expect([hasPrevious([source], null), hasPrevious([source], "proxy")]).toEqual([true, false]);
});
