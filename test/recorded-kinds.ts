import { expect } from "vitest";
import type { FailClosedWorld } from "./fail-closed/world.ts";
import { sampleReplicaSet } from "./kind-samples.ts";
import { sampleRollout } from "./recorder-samples.ts";
import { waitFor } from "./recorder-world.ts";

export type Body = Record<string, unknown> & { items: Record<string, unknown>[] };

export const controller = { manager: "rollouts-controller" };

export type KindsDesk = {
  get(path: string): Promise<Body>;
  /** Returns the answer once `isReady` accepts it. */
  getWhen(path: string, isReady: (body: Body) => boolean): Promise<Body>;
  addRollout(name: string, spec?: object): { name: string; uid: string };
  addReplicaSet(options: { name: string; hash?: string; owner: { kind: string; name: string; uid: string } }): {
    kind: string;
    name: string;
    uid: string;
  };
};

/** Reads a world's API as a viewer, and adds to its cluster. */
export function openKindsDesk(world: () => FailClosedWorld): KindsDesk {
  return {
    async get(path) {
      const { status, body } = await world().call("GET", path, { as: "viewer" });
      expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined });
      return body as Body;
    },
    getWhen: (path, isReady) =>
      waitFor(`${path} as wanted`, async () => {
        const { status, body } = await world().call("GET", path, { as: "viewer" });
        return status === 200 && isReady(body as Body) ? (body as Body) : undefined;
      }),
    addRollout(name, spec = {}) {
      const sample = sampleRollout({ name });
      const object = { ...sample, spec: { ...specOf(sample), ...spec } };
      return { name, uid: world().sandbox.store.create("rollouts", object, controller).metadata.uid };
    },
    addReplicaSet({ name, hash = "aaa", owner }) {
      const object = sampleReplicaSet({ name, hash, owner });
      const { uid } = world().sandbox.store.create("replicasets", object, controller).metadata;
      return { kind: "ReplicaSet", name, uid };
    },
  };
}

export const rolloutPath = (name: string): string => `/api/v1/rollouts/test/shop/Rollout/${name}`;
export const statusOf = (sample: object): Record<string, unknown> =>
  (sample as { status: Record<string, unknown> }).status;
export const specOf = (sample: object): Record<string, unknown> => (sample as { spec: Record<string, unknown> }).spec;
